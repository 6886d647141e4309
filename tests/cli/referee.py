"""`routh referee`: tables, JSON and pictures of contacts that get stiffer."""
import json
import math
import unittest

from support.program import EXAMPLES, Case, run

SLIDE = {"delassus": [[1.6, 1.2], [1.2, 3.4]], "contact_velocity": [-0.5, 2], "friction": 0.3, "restitution": 0.5}
SPATIAL = {"delassus": [[1, 0.3, -0.2], [0.3, 1.5, 0.1], [-0.2, 0.1, 2.5]], "contact_velocity": [-1, 0.3, 0.2],
           "friction": 0.4, "restitution": 0.6, "free_acceleration": [-9.81, 0, 1]}


class Referee(Case):
    def answer(self, problem, *options):
        result = run("referee", self.write("problem.json", json.dumps(problem)), "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_the_rigid_answer_is_its_limit(self):
        for problem, first in ((SLIDE, 1e-9), (SPATIAL, 1e-1)):
            answer = self.answer(problem)
            self.assertEqual(answer["verdict"], "converges")
            self.assertLess(answer["contacts"][0]["difference"], first)
            last = answer["contacts"][-1]
            self.assertLess(last["difference"], 1e-6)
            # The rigid program says the same for the restitution it amounts to.
            path = self.write("rigid.json", json.dumps({**problem, "restitution": last["restitution_energetic"],
                                                        "law": "energetic"}))
            rigid = json.loads(run("impact", path, "--json").stdout)
            for mine, theirs in zip(last["velocity"], rigid["contact_velocity"]):
                self.assertAlmostEqual(mine, theirs, delta=1e-5)
            self.assertAlmostEqual(math.pi / math.sqrt(problem["delassus"][0][0] * last["stiffness"]),
                                   last["duration_asked"])

    def test_an_integration_that_gives_up_shows_no_numbers(self):
        """It told velocities that were those before, "off by 0"."""
        problem = {**SLIDE, "delassus": [[1.6, 1.2], [1.2, 1e308]], "friction": 1.6, "restitution": 5e-7}
        result = run("referee", self.write("problem.json", json.dumps(problem)), "--duration", "1e-3", "1e-4")
        self.assertEqual(result.returncode, 4, result.stderr)
        rows = [line.split() for line in result.stdout.splitlines() if line.strip().startswith("0.0")]
        self.assertEqual([row[2:] for row in rows], [["gave", "up"], ["gave", "up"]])

    def test_a_tangential_spring_has_another_limit(self):
        answer = self.answer({**SLIDE, "friction": 0.8, "contact_velocity": [-0.5, 0.1]}, "--tangential", 0.8,
                             "--duration", "1e-4", "1e-5")
        self.assertEqual(answer["verdict"], "differs")
        self.assertEqual(len(answer["contacts"]), 2)

    def test_durations_in_any_order_and_one_alone(self):
        """One duration, or two that all but agree, show no limit."""
        slide = json.loads((EXAMPLES / "painleve.json").read_text(encoding="utf-8"))
        for durations in (["1e-2"], ["1e-2", "1e-2"], ["1e-2", "0.00999"]):
            self.assertEqual(self.answer(slide, "--duration", *durations)["verdict"], "unsettled", durations)
        falling, rising = (self.answer(slide, "--duration", *all) for all in (["1e-3", "1e-6"], ["1e-6", "1e-3"]))
        self.assertEqual(falling, rising)
        self.assertEqual(falling["verdict"], "converges")
        said = run("referee", EXAMPLES / "painleve.json", "--duration", "1e-2").stdout
        self.assertIn("One contact shows no limit", said)

    def test_a_scene(self):
        """Kane's pendulum: the scene's contact is that of the matrices, but for what acts on the machine."""
        scene = json.loads(run("referee", EXAMPLES / "kane.yaml", "--json").stdout)
        matrices = json.loads(run("referee", EXAMPLES / "kane.json", "--json").stdout)
        self.assertEqual(scene["verdict"], "converges")
        for mine, theirs in zip(scene["contacts"][-1]["velocity"], matrices["contacts"][-1]["velocity"]):
            self.assertAlmostEqual(mine, theirs, delta=1e-4)
        first = json.loads(run("referee", EXAMPLES / "two_bodies.yaml", "--first-strike", "--json").stdout)
        self.assertEqual(first["verdict"], "converges")

    def test_stiffness_itself(self):
        for source in ("kane.yaml", "painleve.json"):
            told = json.loads(run("referee", EXAMPLES / source, "--stiffness", "1e6", "1e10", "--json").stdout)["contacts"]
            for contact, stiffness in zip(told, (1e6, 1e10)):
                self.assertAlmostEqual(contact["stiffness"] / stiffness, 1, places=12)
            again = json.loads(run("referee", EXAMPLES / source, "--duration", *(repr(each["duration_asked"]) for each in told),
                                   "--json").stdout)["contacts"]
            self.assertEqual(again, told)
        self.assert_fails(run("referee", EXAMPLES / "kane.yaml", "--stiffness", "0"), 2, "--stiffness")

    def test_which_contact(self):
        none = run("referee", EXAMPLES / "superball.yaml")
        self.assertEqual((none.returncode, none.stdout), (4, ""))
        self.assertIn("--first-strike", none.stderr)
        several = run("referee", EXAMPLES / "hold" / "foot.yaml")
        self.assertEqual(several.returncode, 2)
        self.assertIn("Contacts that touch: heel on ground, toe on ground", several.stderr)
        one = run("referee", EXAMPLES / "hold" / "foot.yaml", "--contact", "toe on ground")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertIn("toe on ground", one.stdout)
        self.assert_narrow(one.stdout)
        self.assertEqual(run("referee", EXAMPLES / "painleve.json", "--first-strike").returncode, 2)

    def test_tables_fit_the_screen(self):
        for problem in (SLIDE, SPATIAL):
            result = run("referee", self.write("problem.json", json.dumps(problem)))
            self.assertEqual(result.returncode, 0, result.stderr)
            for line in result.stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)
            self.assertIn("Routh", result.stdout)

    def test_pictures(self):
        svg = self.folder / "force.svg"
        result = run("referee", EXAMPLES / "painleve.json", "--svg", svg)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = svg.read_text()
        for word in ("force", "velocity", "friction cone"):
            self.assertIn(word, text)
        # Nothing to draw where nothing happens.
        apart = self.write("apart.json", json.dumps({**SLIDE, "contact_velocity": [0.5, 2]}))
        self.assert_fails(run("referee", apart, "--svg", self.folder / "none.svg"), 4, "no force")
        self.assertIn("No force arises", run("referee", apart).stdout)

    def test_what_cannot_be(self):
        contact = {"jacobian": [[1, 0], [0, 1]]}
        machine = {"mass_matrix": [[1, 0], [0, 1]], "velocity": [-1, 0], "friction": 0.1, "restitution": 0.5}
        for problem, words in (({**SLIDE, "friction": math.inf}, "friction"),
                               ({**machine, "contacts": [contact, contact]}, "2 contacts where one"),
                               ({**machine, **contact, "external_impulse": [1, 0]}, "external_impulse"),
                               ({**SLIDE, "friction": -1}, "friction")):
            text = json.dumps(problem).replace("Infinity", "inf")
            self.assert_fails(run("referee", self.write("bad.yaml", text)), 3, "bad.yaml:1:", words)
        self.assert_fails(run("referee", self.write("problem.json", json.dumps(SLIDE)), "--duration", "-1"), 2,
                          "--duration")


if __name__ == "__main__":
    unittest.main()
