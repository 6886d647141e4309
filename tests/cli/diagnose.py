"""`routh diagnose` from outside: words, numbers, exit codes; verdicts recomputed here from the equations."""
import json
import math
import random
import unittest

from support.program import EXAMPLES, SCALE, SOURCE, Case, full_scale, run

PAPERS = SOURCE / "papers"


def contact(D, velocity, f, friction, **more):
    return json.dumps({"delassus": D, "contact_velocity": velocity, "free_acceleration": f, "friction": friction,
                       "restitution": 0.5, **more})


class Diagnose(Case):
    def diagnose(self, text, *arguments):
        done = run("diagnose", self.write("problem.json", text), "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["contacts"][0]

    def test_the_four_modes(self):
        rng = random.Random(5)
        missing = dict.fromkeys((1, 2, 3, 4), max(3, int(22 * SCALE)))
        while any(missing.values()):
            a, b = rng.uniform(0.5, 3), rng.uniform(0.5, 3)
            c = rng.uniform(-1, 1) * math.sqrt(a * b)
            sigma, mu, f = rng.choice([-1, 1]), rng.uniform(0, 3), [rng.gauss(0, 1), rng.gauss(0, 1)]
            A, B = a - mu * c * sigma, f[0]
            expected = 1 + (A > 0 and B < 0) + (2 * (A <= 0)) + (A <= 0 and B < 0)
            if not missing[expected]:
                continue
            missing[expected] -= 1
            got = self.diagnose(contact([[a, c], [c, b]], [0, sigma * 2.5], f, mu))
            self.assertEqual(got["slip"]["mode_number"], expected)
            self.assertAlmostEqual(got["slip"]["A"], A, delta=1e-12)
            self.assertAlmostEqual(got["slip"]["C"][0], c - mu * b * sigma, delta=1e-12)
            verdict = {1: "detaches", 2: "slides", 3: "false cohesion", 4: "jams"}[expected]
            self.assertEqual(got["verdict"], verdict)

    def test_force_and_drift_make_the_free_acceleration(self):
        problem = {"mass_matrix": [[2, 0.5], [0.5, 1]], "jacobian": [[0.3, 1], [1, 0.2]], "velocity": [0.4, -0.12],
                   "force": [1, -3], "drift": [0.1, -0.2], "friction": 0.5, "restitution": 0}
        det = 2 * 1 - 0.25
        q = [(1 * 1 - 0.5 * -3) / det, (2 * -3 - 0.5 * 1) / det]
        got = self.diagnose(json.dumps(problem))
        self.assertAlmostEqual(got["free_acceleration"][0], 0.3 * q[0] + q[1] + 0.1, delta=1e-12)
        self.assertAlmostEqual(got["free_acceleration"][1], q[0] + 0.2 * q[1] - 0.2, delta=1e-12)

    def test_words(self):
        text = run("diagnose", self.write("rod.json", contact([[2.5, -1.5], [-1.5, 2.5]], [0, -1], [-9.81, 0], 2))).stdout
        self.assertIn("Jams: kinetic friction 2 exceeds 1.667", text)
        self.assertIn("dynamic wedging", text)
        self.assertIn("lower kinetic friction below 1.667", text)
        text = run("diagnose", self.write("rod.json", contact([[2.5, -1.5], [-1.5, 2.5]], [0, -1], [9.81, 0], 2))).stdout
        self.assertIn("false cohesion", text)
        text = run("diagnose", self.write("p.json", contact([[1, 0], [0, 1]], [0, 0], [-9.81, 2], 0.5))).stdout
        self.assertIn("Sticks", text)
        text = run("diagnose", EXAMPLES / "jam.json").stdout
        self.assertIn("Strikes at 0.5 m/s", text)

    def test_edges(self):
        """A = 1 - mu and B on the edges of Liu's table; the solutions counted by hand."""
        planar, spatial = [[1, 1], [1, 2]], [[1, 1, 0], [1, 2, 0], [0, 0, 1]]
        for D, more in ((planar, []), (spatial, [0])):
            def words(mu, B):
                text = contact(D, [0, 1, *more], [B, 0.5, *more], mu)
                got = self.diagnose(text)
                return got, " ".join(run("diagnose", self.write("edge.json", text)).stdout.split())
            got, text = words(1, 1)
            self.assertEqual((got["verdict"], got["slip"]["mode"]), ("detaches", "detaches"))
            self.assertNotIn("not unique", text)
            for mu in (0.5, 1.5):
                got, text = words(mu, 0)
                self.assertEqual((got["verdict"], got["slip"]["mode"]), ("detaches", "detaches"))
                self.assertIn("Touches without force", text)
                self.assertNotIn("not unique", text)
            got, text = words(1, 0)
            self.assertEqual(got["slip"]["mode"], "indeterminate")
            self.assertIn("every normal force obeys the laws", text)
            got, text = words(1, -1)
            self.assertEqual(got["verdict"], "jams")
            self.assertAlmostEqual(got["impact"]["impulse"][0], 1, delta=1e-9)
            self.assertNotIn("exceeds", text)
            got, text = words(1.000001, -1)
            self.assertIn("friction 1.000001 exceeds 1,", text)

    def test_without_forces_it_says_what_is_missing(self):
        text = json.dumps({"delassus": [[1, 0], [0, 1]], "contact_velocity": [0, 1], "friction": 0.5, "restitution": 0})
        done = run("diagnose", self.write("p.json", text))
        self.assertEqual(done.returncode, 0)
        self.assertIn("free_acceleration", done.stdout)
        self.assertEqual(self.diagnose(text)["verdict"], "unknown")

    def test_lius_arm(self):
        done = run("diagnose", EXAMPLES / "liu_arm.yaml")
        self.assertIn("move upper below 0.6819 rad or above 0.744 rad", " ".join(done.stdout.split()))
        self.assert_narrow(done.stdout)
        points = json.loads(run("diagnose", PAPERS / "liu-2007" / "arm.yaml", "--json").stdout)["contacts"][0]["slip_flow"]
        self.assertEqual([p["kind"] for p in points["singular_points"]], ["unstable node", "saddle"])
        # Fig. 4: all of them detach or slide on.
        self.assertGreater(len(points["slides"]), 4)
        for slide in points["slides"]:
            self.assertIn(slide["end"], ("detached", "left the box", "time up", "slip ends", "no posture"))
            self.assertEqual(len(slide["time"]), len(slide["position"]))
            self.assertEqual(len(slide["time"]), len(slide["rate"]))
        text = run("diagnose", PAPERS / "liu-2007" / "arm.yaml").stdout
        self.assertIn("none leads into the paradox", " ".join(text.split()))
        self.assertIn("cannot enter the paradox", " ".join(text.split()))

    def test_the_worst_velocity(self):
        # e_t = 0: T⁺/T⁻ = (e v_n)² G_nn / vᵀGv. Friction bounds the slopes v_t/v_n that stick: look at all of them.
        rng = random.Random(11)
        gained = 0
        for _ in range(max(8, int(40 * SCALE))):
            a, b, e, mu = rng.uniform(0.5, 3), rng.uniform(0.5, 3), rng.uniform(0.3, 1), rng.uniform(0.1, 2)
            c = rng.uniform(-0.97, 0.97) * math.sqrt(a * b)
            every = self.diagnose(contact([[a, c], [c, b]], [-1, 0], [0, 0], mu, restitution=e))["restitution"][
                "every_velocity"]
            det = a * b - c * c
            greatest = 0
            for k in range(-1000, 1001):
                rho = mu * k / 1000
                if a + c * rho <= 0:
                    continue
                n, t = -(a + c * rho) / (1 + e), -(c + b * rho)
                greatest = max(greatest, (e * n) ** 2 * b / (b * n * n - 2 * c * n * t + a * t * t) - 1)
            self.assertEqual(every["gains"], "worst_gain" in every)
            self.assertEqual(every["jams"], mu * abs(c) >= a)
            self.assertEqual(every["consistent"], not every["gains"] and not every["jams"])
            self.assertGreaterEqual(every.get("worst_gain", 0) + 1e-12, greatest)
            if every["gains"]:
                gained += 1
                self.assertAlmostEqual(every["worst_gain"], greatest, delta=1e-4 * (1 + greatest))
                struck = {"delassus": [[a, c], [c, b]], "contact_velocity": every["worst_velocity"], "friction": mu,
                          "restitution": e}
                result = json.loads(run("impact", self.write("p.json", json.dumps(struck)), "--law", "unified",
                                        "--json").stdout)
                n, t = every["worst_velocity"]
                before = (b * n * n - 2 * c * n * t + a * t * t) / det / 2
                self.assertEqual(result["mode"], "stick")
                self.assertAlmostEqual(result["energy"]["change"] / before, every["worst_gain"],
                                       delta=1e-9 * (1 + greatest))
        self.assertGreater(gained, 5 * SCALE)

    def test_jams_are_not_gains(self):
        text = run("diagnose", self.write("p.json", contact([[1, 0.8], [0.8, 1]], [0, 1], [-1, 0], 1.3,
                                                            restitution=0.1))).stdout
        self.assertRegex(text, "none gains .*slip can jam")
        self.assertNotIn("some velocity gains", text)
        self.assert_narrow(text)

    @full_scale
    def test_every_example_is_answered(self):
        for path in sorted(EXAMPLES.glob("*.yaml")):
            done = run("diagnose", path)
            self.assertEqual(done.returncode, 0, path)
            self.assert_narrow(done.stdout)
            self.assertNotIn("nan", run("diagnose", path, "--json").stdout.lower())

    def test_box_on_a_plane(self):
        """Four redundant corners: one motion, forces not unique."""
        scene = """
routh: 1
surfaces: {wood: {friction: 0.5, restitution: 0}}
bodies:
  box:
    mass: 3
    inertia: [0.2, 0.2, 0.2]
    joint: {kind: free}
    shapes: {box: {kind: box, size: [1, 1, 0.5], surface: wood}}
world:
  shapes: {floor: {kind: half_space, surface: wood}}
state:
  position: {box: {position: [0, 0, 0.25]}}
"""
        done = run("diagnose", self.write("box.yaml", scene), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        together = json.loads(done.stdout)["together"]
        self.assertEqual(together["rank"], 6)
        self.assertEqual(len(together["solutions"]), 1)
        solution = together["solutions"][0]
        self.assertEqual(solution["modes"], ["stick"] * 4)
        self.assertFalse(solution["force_unique"])
        self.assertAlmostEqual(sum(solution["force"][0::3]), 3 * 9.81, delta=1e-9)

    def test_several_contacts_begin_with_all_of_them(self):
        statics = SOURCE / "tests/data/scenes/statics"
        text = run("diagnose", statics / "two_point_jam.yaml").stdout
        lines = text.splitlines()
        self.assertIn("all 2 contacts together", lines[0])
        self.assertTrue(lines[1].startswith("Must hold"), lines[1])
        self.assertEqual(text.count("if it were alone"), 2)
        self.assert_narrow(text)
        hold = json.loads(run("diagnose", statics / "drawer.yaml", "--json").stdout)["together"]["hold"]
        self.assertEqual(hold["verdict"], "can hold")
        self.assertEqual(hold["factor"]["rest_from"], 0)
        self.assertAlmostEqual(hold["factor"]["only_rest_from"], 4 / 3 / 0.4, delta=1e-9)

    def test_bad_input(self):
        self.assertEqual(run("diagnose", "missing.yaml").returncode, 1)
        self.assertEqual(run("diagnose", EXAMPLES / "kane.yaml", "--law", "newton").returncode, 2)
        self.assertEqual(run("diagnose", self.write("p.json", "{}")).returncode, 3)


if __name__ == "__main__":
    unittest.main()
