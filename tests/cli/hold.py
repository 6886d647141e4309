"""`routh hold` from outside: words, table, JSON, exit codes; the torques it advises hold in a simulation."""
import json
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
