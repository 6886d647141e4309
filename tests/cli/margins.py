"""`routh simulate --margins`: a pushed particle and a sliding rod, by hand."""
import csv
import json
import math
import unittest

from support.program import Case, run

PARTICLE = """
routh: 1
name: Pushed particle
dimension: planar
gravity: [0, -10]
surfaces:
  ground: {{friction: 0.5, restitution: 0}}
bodies:
  particle:
    mass: 2
    inertia: 1
    joint: {{kind: planar}}
    shapes:
      foot: {{kind: point, at: [0, 0], surface: ground}}
world:
  shapes:
    floor: {{kind: half_space, normal: [0, 1], surface: ground}}
forces:
  push: {{body: particle, force: [{push}, 0], scale: {{table: [[0, 0], [1, 1]]}}}}
"""

ROD = """
routh: 1
name: Sliding rod
dimension: planar
gravity: [0, -10]
surfaces:
  ground: {{friction: {friction}, restitution: 0}}
bodies:
  rod:
    mass: 1
    inertia: 0.3333333333333333
    joint: {{kind: planar, in_child: [-1, 0]}}
    shapes:
      tip: {{kind: point, at: [-1, 0], surface: ground}}
world:
  shapes:
    floor: {{kind: half_space, normal: [0, 1], surface: ground}}
state:
  position: {{rod: [0, 0, {angle}]}}
  velocity: {{rod: [{speed}, 0, 0]}}
"""


class Margins(Case):
    def margins(self, scene, *arguments):
        done = run("simulate", self.write("scene.yaml", scene), "--margins", "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)["margins"]

    def test_friction_that_is_left(self):
        """A push that grows to 8 N in a second on 20 N: 1 - F/10 is left."""
        (foot,) = self.margins(PARTICLE.format(push=8), "--until", 1, "--samples", 0.125)
        self.assertEqual(len(foot["time"]), 9)
        for time, slip, normal, jam in zip(foot["time"], foot["slip"], foot["normal_force"], foot["jam"]):
            self.assertAlmostEqual(slip, 1 - 0.8 * time, places=9)
            self.assertAlmostEqual(normal, 20, places=9)
            self.assertAlmostEqual(jam, 1, places=12)
        self.assertAlmostEqual(foot["least"]["slip"]["value"], 0.2, places=9)
        self.assertEqual(foot["least"]["slip"]["time"], 1)
        self.assertIsNone(self.margins(PARTICLE.format(push=30), "--until", 1)[0]["slip"][-1])  # it slips

    def test_distance_from_a_jam(self):
        """A/a = 1 - mu c sigma/a with a = 1 + 3 cos^2, c = -3 sin cos for a rod on its lower end."""
        for friction, angle, speed in ((0.3, 1.0, 1), (1.2, 1.1, -0.5), (1.2, 1.1, 0.5)):
            (tip,) = self.margins(ROD.format(friction=friction, angle=angle, speed=speed), "--until", 0.001,
                                  "--samples", 0.001)
            # The tip lies at -(cos, sin) of the centre: n = 1 + 3 rx^2, coupling -3 rx ry of unit forces up and along t.
            rx, ry = -math.cos(angle), -math.sin(angle)
            a, c = 1 + 3 * rx * rx, -3 * rx * ry
            self.assertAlmostEqual(tip["jam"][0], 1 - friction * c * math.copysign(1, speed) / a, places=9)
            self.assertIsNone(tip["slip"][0])

    def test_files(self):
        """Run file, CSV and page have what --margins says; a run without has nothing of it."""
        scene = self.write("scene.yaml", PARTICLE.format(push=8))
        file, table, page = self.folder / "run.h5", self.folder / "run.csv", self.folder / "run.html"
        bare = self.write("bare.html", '<script type="application/json" id="routh-document">\n@ROUTH_DOCUMENT@\n</script>\n')
        done = run("simulate", scene, "--margins", "--until", 1, "--samples", 0.25, "-o", file, "--report", page,
                   "--page", bare)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run("export", file, "-o", table).returncode, 0)
        with open(self.folder / "run.contacts.csv", encoding="utf-8") as text:
            rows = list(csv.DictReader(text))
        self.assertEqual([float(row["time"]) for row in rows], [0, 0.25, 0.5, 0.75, 1])
        for row in rows:
            self.assertEqual((row["contact"], row["mode"]), ("foot on floor", "stick"))
            self.assertAlmostEqual(float(row["slip_margin"]), 1 - 0.8 * float(row["time"]), places=9)
            self.assertAlmostEqual(float(row["jam_margin"]), 1, places=12)
        self.assertEqual(page.read_text(encoding="utf-8").count('"slip_margin":{'), 2)  # its words and its column
        plain = self.folder / "plain.csv"
        self.assertEqual(run("simulate", scene, "--until", 1, "-o", self.folder / "plain.h5").returncode, 0)
        self.assertEqual(run("export", self.folder / "plain.h5", "-o", plain).returncode, 0)
        with open(self.folder / "plain.contacts.csv", encoding="utf-8") as text:
            self.assertEqual({row["slip_margin"] + row["jam_margin"] for row in csv.DictReader(text)}, {""})

    def test_table(self):
        done = run("simulate", self.write("scene.yaml", PARTICLE.format(push=8)), "--margins", "--until", 1)
        self.assertEqual(done.returncode, 0)
        self.assert_narrow(done.stdout)
        self.assertIn("least margins", done.stdout)
        self.assertIn("foot on floor", done.stdout)


if __name__ == "__main__":
    unittest.main()
