"""`routh gradient`: closed forms, differences of the program's own runs, and what it says where there is none."""
import json
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from support.program import Case, EXAMPLES, run  # noqa: E402

BALL = """routh: 1
dimension: planar
surfaces: {s: {friction: 0.3, restitution: 0.6}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies: {ball: {mass: 2, inertia: 0.008, joint: {kind: planar}, shapes: {b: {kind: sphere, radius: 0.1, surface: s}}}}
state: {position: {ball: [0, HEIGHT, 0]}}
"""


class Gradient(Case):
    def gradient(self, text, *options, code=0):
        result = run("gradient", self.write("scene.yaml", text), "--json", *options)
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def test_bounces_that_pile_up(self):
        # t_∞ = √(2h/g) (1 + e)/(1 − e)
        h, e, g = 0.8, 0.6, 9.81
        answer = self.gradient(BALL.replace("HEIGHT", "0.9"), "--of", "events.zeno.last", "--until", "4", "--wrt",
                               "surfaces.s.restitution", "state.position.ball.y", "gravity[1]")
        by = [entry["derivative"] for entry in answer["gradient"]]
        first = math.sqrt(2 * h / g)
        self.assertEqual(answer["schema"], 1)
        self.assertAlmostEqual(answer["value"], first * (1 + e) / (1 - e), places=6)
        self.assertAlmostEqual(by[0], 2 * first / (1 - e)**2, places=5)
        self.assertAlmostEqual(by[1], first * (1 + e) / (1 - e) / (2 * h), places=5)
        self.assertAlmostEqual(by[2], first * (1 + e) / (1 - e) / (2 * g), places=6)
        self.assertEqual(answer["notes"], [])

    def test_energy_and_mass(self):
        answer = self.gradient(BALL.replace("HEIGHT", "0.9"), "--of", "2 * energy.kinetic", "--until", "0.3", "--wrt",
                               "bodies.ball.mass", "gravity[1]")
        by = [entry["derivative"] for entry in answer["gradient"]]
        # In free fall K = ½ m g² t².
        self.assertAlmostEqual(by[0], 9.81**2 * 0.09, places=8)
        self.assertAlmostEqual(by[1], 2 * 2 * -9.81 * 0.09, places=8)

    def test_differences_agree(self):
        # Bounces that pile up, slip, stick, play between pin and eye, limits, loops.
        for name, of, until, paths in [
                ("slider_crank.yaml", "final.velocity.crank", "0.05", ["gravity[1]", "state.velocity.crank"]),
                ("woodpecker.yaml", "energy.total", "0.3", ["gravity[1]"]),
                ("four_bar.yaml", "final.position.crank", "1.5", ["bodies.crank.mass", "surfaces.steel.restitution"]),
                ("dropped", "final.position.ball.x", "0.9", ["surfaces.s.friction", "friction", "restitution",
                                                             "bodies.ball.mass", "shapes.b.radius"])]:
            dropped = BALL.replace("HEIGHT", "0.5").replace("state: {", "state: {velocity: {ball: [2, 0, 0]}, ")
            path = self.write("ball.yaml", dropped) if name == "dropped" else EXAMPLES / name
            result = run("gradient", path, "--json", "--differences", "--tolerance", "1e-12", "--of", of, "--until",
                         until, "--wrt", *paths)
            self.assertEqual(result.returncode, 0, (name, result.stdout, result.stderr))
            answer = json.loads(result.stdout)
            scale = max(abs(entry["derivative"]) for entry in answer["gradient"])
            for entry in answer["gradient"]:
                self.assertAlmostEqual(entry["derivative"], entry["difference"], delta=1e-4 * scale, msg=name)

    def test_begins_with_an_impact(self):
        begins = BALL.replace("HEIGHT", "0.1").replace("state: {", "state: {velocity: {ball: [0, -1, 0]}, ")
        answer = self.gradient(begins, "--of", "final.velocity.ball.y", "--wrt", "gravity[1]", "surfaces.s.restitution",
                               "--until", "0.1")
        self.assertAlmostEqual(answer["gradient"][0]["derivative"], 0.1, places=9)
        self.assertAlmostEqual(answer["gradient"][1]["derivative"], 1, places=9)
        self.assertEqual(answer["notes"][0]["doubt"], "start_in_contact")

    def test_says_where_there_is_none(self):
        heap = """routh: 1
dimension: planar
surfaces: {s: {friction: 0.3, restitution: 0.5}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
bodies:
"""
        for k in range(6):
            heap += (f"  b{k}: {{mass: 1, inertia: 0.01, joint: {{kind: planar}}, shapes: {{s{k}: {{kind: sphere, "
                     f"radius: 0.1, surface: s}}}}}}\n")
        heap += "state: {position: {" + ", ".join(f"b{k}: [{0.01 * (k % 2)}, {0.15 + 0.21 * k}, 0]"
                                                  for k in range(6)) + "}}\n"
        answer = self.gradient(heap, "--of", "final.position.b5.y", "--wrt", "gravity[1]", "--until", "1", code=4)
        self.assertFalse(answer["exists"])
        self.assertEqual(answer["gradient"], [])
        self.assertIn("crowd", [note["doubt"] for note in answer["notes"]])

    def test_bad_requests(self):
        scene = self.write("ball.yaml", BALL.replace("HEIGHT", "0.9"))
        for of, wrt, words in [("final.position.nobody", "gravity[1]", "nobody"),
                               ("max.position.ball.y", "gravity[1]", "no derivative"),
                               ("energy.dissipated", "gravity[1]", "no derivative"),
                               ("time", "bodies.ball.colour", "no such number"),
                               ("events.limit.first", "gravity[1]", "no value"),
                               ("time +", "gravity[1]", "--of")]:
            result = run("gradient", scene, "--of", of, "--wrt", wrt, "--until", "0.2")
            self.assertEqual(result.returncode, 3, (of, wrt, result.stdout))
            self.assertIn(words, result.stderr)
            self.assertNotIn("nan", result.stdout)


if __name__ == "__main__":
    unittest.main()
