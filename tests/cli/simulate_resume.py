"""Runs in pieces: `--resume`, and what an interrupt leaves behind."""
import csv
import json
import math
import os
import signal
import subprocess
import time
import unittest

from support.program import EXAMPLES, ROUTH, SOURCE, Case, await_handler, environment, full_scale, run
from support.simulations import BALL, BLOCK, PENDULUM, as_json, simulate


class Resume(Case):
    def check(self, scene, first, last, *options):
        """A run to `first`, resumed to `last`, is the direct run, bit by bit."""
        part, whole, direct = (self.folder / name for name in ("part.h5", "whole.h5", "direct.h5"))
        as_json(scene, "--until", first, "-o", part, "--samples", "0.01", *options)
        resumed = as_json("--resume", part, "-o", whole, "--until", last)
        expected = as_json(scene, "--until", last, "-o", direct, "--samples", "0.01", *options)
        for key in ("final", "events", "time", "status", "energy"):
            self.assertEqual(resumed[key], expected[key], (scene, first, key))
        result = run("compare", whole, direct, "--rtol", "0", "--atol", "0")
        self.assertEqual(result.returncode, 0, result.stdout)
        return expected

    def test_same_bits(self):
        self.check(BALL, "1", "2")
        self.check(EXAMPLES / "kane.yaml", "1", "2")
        self.check(self.write("pendulum.yaml", PENDULUM), "1", "2")

    @full_scale
    def test_same_bits_where_contacts_are_closed(self):
        block = self.write("block.yaml", BLOCK)
        self.assertTrue({"slip", "stick"} <= {event["kind"] for event in self.check(block, "1", "3")["events"]})
        for moment in ("0.3", "0.7", "1.9"):
            self.check(block, moment, "2.5")
        self.check(BALL, "4.5", "5")

    def test_a_run_of_schema_1(self):
        """A ball dropped by 1 m at 1 m/s, e = 1/2, recorded up to 0.7 s before there were corrections."""
        answer = as_json("--resume", SOURCE / "tests/data/runs/schema_1.h5", "-o", self.folder / "new.h5", "--until", "0.85")
        fall = math.sqrt(2 / 9.81)
        t = 0.85 - fall
        self.assertAlmostEqual(answer["final"]["q"][1], 0.1 + 0.5 * 9.81 * fall * t - 9.81 / 2 * t * t, delta=1e-8)
        self.assertLess(abs(answer["energy"]["balance"]), 1e-9)
        result = run("export", SOURCE / "tests/data/runs/schema_1.h5", "-o", self.folder / "old.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = list(csv.DictReader((self.folder / "old.csv").open(encoding="utf-8")))
        self.assertEqual({row["corrected"] for row in rows}, {"0"})
        old = run("compare", SOURCE / "tests/data/runs/schema_1.h5", self.folder / "new.h5")
        self.assertIn("recorded without corrections", old.stdout)

    def test_a_run_of_schema_2(self):
        """The same ball, recorded before phases were: they are not made up, and those of further impacts are there."""
        old = SOURCE / "tests/data/runs/schema_2.h5"
        answer = as_json("--resume", old, "-o", self.folder / "new.h5", "--until", "1.2")
        impacts = [event for event in answer["events"] if event["kind"] == "impact"]
        self.assertGreater(len(impacts), 1)
        self.assertNotIn("phases", impacts[0])
        for event in impacts[1:]:
            phases = event["phases"]
            self.assertEqual(phases[-1]["normal_impulse"], event["impulse"][0])
            self.assertAlmostEqual(phases[-1]["contact_velocity"][0], event["velocity_after"][0], delta=1e-12)
        # A small page, because a program may be built without its own.
        page = self.folder / "page.html"
        page.write_text('<script type="application/json" id="routh-document">\n@ROUTH_DOCUMENT@\n</script>\n', encoding="utf-8")
        self.assertEqual(
            run("report", self.folder / "new.h5", "-o", self.folder / "new.html", "--page", page).returncode, 0
        )
        self.assertIn("1 impact were not recorded", (self.folder / "new.html").read_text(encoding="utf-8"))

    @full_scale
    def test_same_bits_near_an_event(self):
        """The end of the run cuts a step short; an event on it must not differ for that, nor come twice."""
        first = as_json(BALL, "--until", "1")["events"][0]["time"]
        for delay in (0, 1e-9, 1e-6, 1e-3, 1e-2):
            self.check(BALL, repr(first + delay), "1.5")
            self.check(BALL, repr(first - delay), "1.5")

    def test_twice(self):
        a, b, c, direct = (self.folder / name for name in ("a.h5", "b.h5", "c.h5", "d.h5"))
        as_json(BALL, "--until", "0.7", "-o", a, "--samples", "0.01")
        as_json("--resume", a, "-o", b, "--until", "1.4")
        as_json("--resume", b, "-o", c, "--until", "2")
        as_json(BALL, "--until", "2", "-o", direct, "--samples", "0.01")
        self.assertEqual(run("compare", c, direct, "--rtol", "0", "--atol", "0").returncode, 0)

    def test_options_of_the_old_run_hold(self):
        self.check(EXAMPLES / "kane.yaml", "0.5", "0.8", "--law", "newton", "--tolerance", "1e-8", "--max-step", "0.01")

    def test_into_the_same_file_and_with_its_scene(self):
        path = self.folder / "run.h5"
        as_json(BALL, "--until", "1", "-o", path)
        as_json(BALL, "--resume", path, "-o", path, "--until", "1.5")
        self.assert_fails(simulate("--resume", path), 2, "has reached t = 1.5 s", "--until")
        self.assert_fails(simulate("--resume", path, "--until", "1.2"), 2, "has reached t = 1.5 s")
        other = self.write("other.yaml", PENDULUM)
        self.assert_fails(simulate(other, "--resume", path, "--until", "2"), 3, "not the scene of")


class Interrupt(Case):
    def interrupted(self, *arguments):
        scene = self.write("pendulum.yaml", PENDULUM)
        program = subprocess.Popen([ROUTH, "simulate", str(scene), "--until", "1e6", *map(str, arguments)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        if "-o" in arguments:  # it runs once its file is there
            patience = time.monotonic() + 20
            while os.listdir(self.folder) == ["pendulum.yaml"] and time.monotonic() < patience:
                time.sleep(0.02)
            time.sleep(0.5)
        else:
            await_handler(program, signal.SIGINT)
            time.sleep(0.5)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=30)
        self.assertEqual(program.returncode, 130, err)
        return out, err

    def test_what_there_is_is_kept_and_goes_on(self):
        path, more, direct = (self.folder / name for name in ("run.h5", "run2.h5", "direct.h5"))
        out, err = self.interrupted("-o", path, "--samples", "0.1", "--json")
        stopped = json.loads(out)
        self.assertEqual(stopped["status"], "stopped")
        self.assertIn("interrupted at t = ", err)
        self.assertIn(f"go on with: routh simulate --resume {path} -o {more} --until 1000000", err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["pendulum.yaml", "run.h5"])
        self.assertEqual(run("export", path, "-o", self.folder / "run.json").returncode, 0)
        exported = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(exported["status"], "stopped")
        until = repr(stopped["time"] + 1)
        resumed = as_json("--resume", path, "-o", more, "--until", until)
        expected = as_json(self.folder / "pendulum.yaml", "-o", direct, "--until", until, "--samples", "0.1")
        self.assertEqual(resumed["final"], expected["final"])
        self.assertEqual(run("compare", more, direct, "--rtol", "0", "--atol", "0").returncode, 0)

    def test_without_a_file(self):
        out, err = self.interrupted()
        self.assertIn("stopped", out)
        self.assertIn("with -o run.h5 it could be resumed", err)


if __name__ == "__main__":
    unittest.main()
