"""`routh hold` from outside: words, table, JSON, exit codes; the torques it advises hold in a simulation."""
import csv
import json
import math
import unittest

from support.program import EXAMPLES, Case, run

SCENES = EXAMPLES / "hold"


class Hold(Case):
    def answer(self, *arguments):
        done = run("hold", *arguments, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_text_is_narrow_and_says_what_to_do(self):
        for name, words in (("gripper", "To hold: at least change left by"), ("foot", "To hold: at least change leg by"),
                            ("liu_case5", "To hold: at least change upper by")):
            for encoding in ("C.UTF-8", "C"):
                done = run("hold", SCENES / f"{name}.yaml", LC_ALL=encoding)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assert_narrow(done.stdout)
                self.assertIn(words, done.stdout)
                self.assertNotIn("nan", done.stdout)

    def test_jam_can_only_let_go(self):
        done = run("hold", EXAMPLES / "liu_arm.yaml")
        text = " ".join(done.stdout.split())
        self.assertIn("no effort gives this slide one answer that stays", text)
        self.assertIn("To hold: no efforts", text)
        self.assertIn("To let go: at least change", text)

    def test_the_advice_holds_in_a_simulation(self):
        """Liu's case 5 for 3.5 s more: without the torques of `hold` it leaves the belt at once."""
        scene = (SCENES / "liu_case5.yaml").read_text(encoding="utf-8")
        change = self.answer(SCENES / "liu_case5.yaml", "--normal-force", 2)["hold"]["change"]
        cured = scene.replace("damping: 0.1}", f"damping: 0.1, effort: {change[0]!r}}}", 1)
        cured = cured.replace("      damping: 0.1\n", f"      damping: 0.1\n      effort: {change[1]!r}\n", 1)
        kinds = {}
        for name, text in (("bare", scene), ("cured", cured)):
            done = run("simulate", self.write(f"{name}.yaml", text), "--until", 0.05, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            kinds[name] = [event["kind"] for event in json.loads(done.stdout)["events"]]
        self.assertIn("detach", kinds["bare"])
        self.assertNotIn("detach", kinds["cured"])

    def sampled(self, scene, until, **efforts):
        """The samples and the contact forces of a run under other efforts."""
        set_ = [word for joint, effort in efforts.items() for word in ("--set", f"joints.{joint}.effort={effort!r}")]
        out = self.folder / "run.h5"
        out.unlink(missing_ok=True)
        done = run("simulate", scene, "--engine", "events", "--until", until, "--samples", until, *set_, "-q", "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run("export", out, "-o", self.folder / "run.csv").returncode, 0)

        def rows(name):
            with open(self.folder / name, encoding="utf-8", newline="") as file:
                return list(csv.DictReader(file))

        return rows("run.csv"), rows("run.contacts.csv")

    def test_rates_are_differences_of_simulations(self):
        """The forces with which runs begin, and how fast the tip goes up where it lets go."""
        def check(scene, start, steps, rates_of, rows=2):
            for k, (joint, step) in enumerate(steps.items()):
                forces = []
                for sign in (-1, 1):
                    _, contacts = self.sampled(scene, 1e-6, **{**start, joint: start[joint] + sign * step})
                    forces.append({row["contact"]: [float(row["force_n"]), float(row["force_t1"])] for row in contacts
                                   if float(row["time"]) == 0})
                self.assertEqual(set(forces[0]), set(rates_of))
                for contact, rates in rates_of.items():
                    for r in range(rows):
                        rate = (forces[1][contact][r] - forces[0][contact][r]) / (2 * step)
                        self.assertAlmostEqual(rate, rates[r][k], delta=1e-6 * (1 + abs(rate)), msg=f"{contact} {joint} {r}")

        case = SCENES / "liu_case5.yaml"
        slides = self.answer(case)["contacts"][0]
        check(case, {"upper": 0, "lower": -0.5}, {"upper": 0.1, "lower": 0.1}, {slides["contact"]: slides["force_rates"]})
        foot = SCENES / "foot.yaml"
        held = self.answer(foot, "--set", "joints.leg.effort=50")["contacts"]
        self.assertEqual({contact["mode"] for contact in held}, {"stick"})
        # How heel and toe share friction is open.
        check(foot, {"leg": 50}, {"leg": 5}, {contact["contact"]: contact["force_rates"] for contact in held}, rows=1)

        def height(row):
            upper, lower = float(row["q.upper"]), float(row["q.lower"])
            return -math.cos(upper) - math.cos(upper + lower)

        for k, joint in enumerate(("upper", "lower")):
            lifts, time = [], 1e-3
            for effort in (1, 2):
                efforts = {"upper": 0, "lower": 2}
                efforts[joint] = -effort if joint == "upper" else 2 + effort
                samples, _ = self.sampled(case, time, **efforts)
                lifts.append(height(samples[-1]) - height(samples[0]))
            rate = (lifts[1] - lifts[0]) * 2 / time ** 2 * (-1 if joint == "upper" else 1)
            self.assertAlmostEqual(rate / slides["acceleration_rates"][0][k], 1, delta=3e-3)

    def test_limits_and_prices(self):
        gripper = SCENES / "gripper.yaml"
        free = self.answer(gripper, "--normal-force", 0)["hold"]
        self.assertEqual(free["outcome"], "found")
        self.assertAlmostEqual(free["change"][0], 2 * 9.81 / 0.8 - 15, places=9)
        tight = self.answer(gripper, "--limit", "left=-1:1", "right=-1:")["hold"]
        self.assertEqual(tight["outcome"], "limited")
        # Dear left: of two that do the same the cheap one does it. The foot: only the ankle counts.
        case = SCENES / "liu_case5.yaml"
        even, dear = self.answer(case)["hold"]["change"], self.answer(case, "--price", "upper=1e6")["hold"]["change"]
        self.assertLess(abs(dear[0]), 1e-4 * abs(even[0]))
        alone = self.answer(case)["hold"]["alone"][1]
        self.assertAlmostEqual(dear[1], alone["low"] if alone["low"] is not None and alone["low"] > 0 else alone["high"],
                               delta=1e-4 * abs(dear[1]))

    def test_a_price_beyond_any_change_excludes_nothing(self):
        """Only both fingers together let the box go, whatever one of them costs."""
        gripper = SCENES / "gripper.yaml"
        cheap = self.answer(gripper)["let_go"]["change"]
        for price in ("1e30", "1e300", "1e-300"):
            dear = self.answer(gripper, "--price", f"left={price}")["let_go"]
            self.assertEqual(dear["outcome"], "found", price)
            for mine, theirs in zip(dear["change"], cheap):
                self.assertAlmostEqual(mine, theirs, delta=1e-5)  # rounding beside what is 1e8 times as dear

    def test_what_can_hold_does_not_let_go(self):
        """The walker's foot could open from some torque of the hip on, where it is pressed harder than before."""
        got = self.answer(EXAMPLES / "walker.yaml")
        self.assertEqual((got["let_go"]["outcome"], got["let_go"]["after"]), ("not unique", "can hold"))
        change, foot = got["let_go"]["change"][0], got["contacts"][0]
        normal, tangential = (at + rate[0] * change for at, rate in zip(foot["force"], foot["force_rates"]))
        self.assertGreater(normal, foot["force"][0])
        self.assertLess(abs(tangential), 0.8 * normal)
        self.assertGreater(got["hold"]["alone"][0]["high"], change)
        said = " ".join(run("hold", EXAMPLES / "walker.yaml").stdout.split())
        self.assertIn("what can hold is taken to hold", said)

    def test_mistakes(self):
        gripper = SCENES / "gripper.yaml"
        for arguments, code, words in (
                (("--effort", "lefd"), 3, "did you mean 'left'?"), (("--limit", "left"), 2, "NAME=LOW:HIGH"),
                (("--limit", "left=1"), 2, "NAME=LOW:HIGH"), (("--limit", "left=2:1"), 2, "must not exceed"),
                (("--limit", "left=a:1"), 2, "'a'"), (("--price", "left=0"), 2, "greater than 0"),
                (("--price", "left=nan"), 2, "nan"), (("--normal-force", "-1"), 2, "-1"),
                (("--reserve", "1"), 2, "[0, 0.99]"), (("--price", "nobody=2"), 3, "unknown effort 'nobody'")):
            done = run("hold", gripper, *arguments)
            self.assertEqual((done.returncode, done.stdout), (code, ""), arguments)
            self.assertIn(words, done.stderr)
        done = run("hold", EXAMPLES / "kane.json")
        self.assertEqual(done.returncode, 3)
        self.assertIn("this is not a scene", done.stderr)

    def test_nothing_rests(self):
        done = run("hold", EXAMPLES / "superball.yaml", "--effort", "ball.x")
        self.assertEqual(done.returncode, 0)
        self.assertIn("Nothing rests", done.stdout)


if __name__ == "__main__":
    unittest.main()
