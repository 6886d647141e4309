"""`routh restitution`: laws of contact force, in files of their own, problems and scenes."""
import json
import math
import unittest

from support.program import EXAMPLES, Case, run

STEEL = {"young": 210e9, "poisson": 0.3, "yield": 1e9, "radius": 0.01, "mass": 0.032}
SCENE = """routh: 1
dimension: planar
gravity: [0, -9.81]
surfaces:
  steel: {friction: 0.2, restitution: %s}
bodies:
  ball:
    joint: {kind: planar}
    mass: 0.032
    inertia: 1.28e-6
    shapes:
      - {sphere: {radius: 0.01}, surface: steel}
"""


class Restitution(Case):
    def answer(self, *arguments):
        result = run("restitution", *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_thornton_by_its_formula(self):
        alone = self.write("steel.yaml", json.dumps({"thornton": STEEL}))
        (law,) = self.answer(alone, "--speed", 1, 5)
        for impact in law["impacts"]:
            u = law["yield_speed"] / impact["speed"]
            printed = math.sqrt(6 * math.sqrt(3) / 5 * (1 - u * u / 6)) * (
                u / (u + 2 * math.sqrt(1.2 - u * u / 5))) ** 0.25
            self.assertAlmostEqual(impact["restitution"], printed, delta=1e-9)
            self.assertTrue(impact["in_range"])
        # The same in a problem, whose impact takes this e.
        (again,) = self.answer(EXAMPLES / "steel.json", "--speed", 1, 5)
        self.assertEqual(again["impacts"], law["impacts"])
        answer = json.loads(run("impact", EXAMPLES / "steel.json", "--law", "newton", "--json").stdout)
        self.assertAlmostEqual(answer["restitution"], law["impacts"][0]["restitution"], delta=3e-6)

    def test_every_law_of_a_file_fits_the_screen(self):
        contact = {"jacobian": [[1, 0], [0, 1]]}
        problem = {"mass_matrix": [[1, 0], [0, 1]], "velocity": [-1, 0], "friction": 0.1,
                   "restitution": {"spring_dashpot": {"stiffness": 1e5, "damping": 3, "mass": 1}},
                   "contacts": [{**contact, "restitution": {"hertz": {**STEEL, "loss_time": 1e-6}}},
                                {**contact, "restitution": {"johnson": {**STEEL, "yield": 1e8}}},
                                {**contact, "restitution": {"lankarani_nikravesh": {"restitution": 0.5}}}]}
        del problem["contacts"][0]["restitution"]["hertz"]["yield"]
        result = run("restitution", self.write("problem.json", json.dumps(problem)))
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in result.stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)
        for words in ("restitution.spring_dashpot:", "contacts[0].restitution.hertz", "Valid from", "need `mass`",
                      "beyond"):
            self.assertIn(words, result.stdout)

    def test_surfaces_of_a_scene(self):
        text = SCENE % json.dumps({"thornton": STEEL})
        (law,) = self.answer(self.write("scene.yaml", text))
        self.assertEqual(law["place"], "surfaces.steel.restitution.thornton")

    def test_what_cannot_be(self):
        for law, words in (({"thornton": {**STEEL, "poisson": 0.7}}, "restitution.thornton.poisson = 0.7"),
                           ({"thornton": {**STEEL, "yield": 1e12}}, "yield = 1000000000000 is too large"),
                           ({"hertz": STEEL}, "yield"),
                           ({"hertz": 3}, "a map"),
                           ({"thornton": STEEL, "alpha": 0.1}, "found several"),
                           ({"thornton": {**STEEL, "young": [1, 2, 3]}}, "found 3 numbers"),
                           ({"spring_dashpot": {"stiffness": 1, "damping": -1, "mass": 1}}, "damping = -1")):
            path = self.write("bad.json", json.dumps({
                "delassus": [[1, 0], [0, 1]], "contact_velocity": [-1, 0], "friction": 0.1, "restitution": law}))
            self.assert_fails(run("impact", path), 3, "bad.json:1:", words)
        self.assert_fails(run("restitution", EXAMPLES / "rod.json"), 3, "no law of contact force")
        self.assert_fails(run("restitution", EXAMPLES / "steel.json", "--speed", "-1"), 2, "--speed")
        for speed in ("1e300", "1e-300"):  # the square of either is none
            self.assert_fails(run("restitution", EXAMPLES / "steel.json", "--speed", speed), 3, f"{float(speed):g} m/s", "range")


if __name__ == "__main__":
    unittest.main()
