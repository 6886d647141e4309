"""Runs from outside: `routh simulate`, `export`, `compare`."""
import csv
import json
import math
import os
import unittest
import zipfile

from support.program import EXAMPLES, SOURCE, Case, on_a_terminal, run
from support.simulations import BALL, PENDULUM, as_json, simulate

# A box that breaks loose only with a little less friction than it has.
SHORTCUT = SOURCE / "tests/data/scenes/good/breaks_loose.yaml"
KINDS = {"impact", "tangential_impact", "slip", "stick", "detach", "zeno", "limit", "profile", "user"}


class Motion(Case):
    def test_a_ball_bounces_infinitely_often(self):
        answer = as_json(BALL)
        self.assertEqual((answer["schema"], answer["status"], answer["time"]), (7, "ready", 5))
        zeno = [event for event in answer["events"] if event["kind"] == "zeno"]
        self.assertEqual(len(zeno), 1)
        exact = math.sqrt(2 / 9.81) * 1.8 / 0.2
        self.assertAlmostEqual(exact, 4.063712769, delta=1e-9)
        self.assertAlmostEqual(zeno[0]["time"], exact, delta=1e-6)
        impacts = [event for event in answer["events"] if event["kind"] == "impact"]
        for k, impact in enumerate(impacts[:8]):
            self.assertAlmostEqual(impact["velocity_after"][0], 0.8 ** (k + 1) * math.sqrt(2 * 9.81), delta=1e-8)
        energy = answer["energy"]
        self.assertAlmostEqual(energy["initial"], 9.81 * 1.1, delta=1e-12)
        self.assertAlmostEqual(energy["final"], 9.81 * 0.1, delta=1e-6)
        self.assertAlmostEqual(energy["dissipated"], 9.81, delta=1e-6)
        self.assertLess(abs(energy["balance"]), 1e-8)

    def test_every_field_of_the_json(self):
        answer = as_json(EXAMPLES / "kane.yaml", "--until", "0.5")
        self.assertEqual(set(answer),
                         {"schema", "status", "message", "time", "events", "final", "energy", "statistics"})
        self.assertEqual(set(answer["final"]), {"q", "v"})
        self.assertGreaterEqual(set(answer["energy"]), 
                                {"initial", "final", "dissipated", "supplied", "corrected", "balance"})
        self.assertGreater(len(answer["events"]), 0)
        for event in answer["events"]:
            self.assertLessEqual({"time", "kind", "contact", "velocity_before", "velocity_after", "impulse", "rule",
                                  "law", "energy", "warnings"}, set(event))
            self.assertIn(event["kind"], KINDS)
        times = [event["time"] for event in answer["events"]]
        self.assertEqual(times, sorted(times))
        self.assertEqual(len(times), answer["statistics"]["events"])

    def test_kane_begins_with_the_impact_of_its_scene(self):
        """The scene's state strikes at once: the same impact as `routh impact`."""
        for law in ("energetic", "poisson", "newton"):
            first = as_json(EXAMPLES / "kane.yaml", "--until", "0.01", "--law", law)["events"][0]
            impact = json.loads(run("impact", EXAMPLES / "kane.yaml", "--json", "--law", law).stdout)
            result = impact["strikes"][0]["results"][0]
            self.assertEqual((first["kind"], first["contact"], first["law"]), ("impact", "tip on floor", law))
            for a, b in zip(first["velocity_after"] + first["impulse"], result["contact_velocity"] + result["impulse"]):
                self.assertAlmostEqual(a, b, delta=1e-9, msg=law)

    def test_the_scene_says_how_far(self):
        text = PENDULUM + "simulation: {until: 0.25, tolerance: 1e-6}\n"
        rough = as_json(self.write("a.yaml", text))
        self.assertEqual(rough["time"], 0.25)
        fine = as_json(self.folder / "a.yaml", "--tolerance", "1e-12")
        self.assertGreater(fine["statistics"]["steps"], rough["statistics"]["steps"])
        self.assertEqual(as_json(self.folder / "a.yaml", "--until", "0.125")["time"], 0.125)
        self.assertEqual(as_json(self.write("b.yaml", PENDULUM))["time"], 10)
        implicit = as_json(self.folder / "a.yaml", "--integrator", "radau")["statistics"]
        self.assertEqual(implicit["implicit_steps"], implicit["steps"])

    def test_fixed_steps(self):
        """The engine `stepping`: by flag or scene, its summary, and a run in two pieces with the same bytes."""
        machine = EXAMPLES / "quadruped.yaml"
        answer = as_json(machine, "--engine", "stepping", "--step", "0.002", "--until", "1")
        self.assertEqual((answer["status"], answer["time"], answer["statistics"]["steps"]), ("ready", 1, 500))
        self.assertLess(answer["energy"]["balance"], 1e-3 * answer["energy"]["initial"])
        text = PENDULUM + "simulation: {engine: stepping, step: 0.01, until: 0.5}\n"
        self.assertEqual(as_json(self.write("a.yaml", text))["statistics"]["steps"], 50)
        self.assertEqual(as_json(self.folder / "a.yaml", "--step", "0.005")["statistics"]["steps"], 100)
        self.assertEqual(simulate(machine, "--engine", "euler").returncode, 2)
        self.assertEqual(simulate(machine, "--engine", "stepping", "--step", "0").returncode, 2)
        summary = simulate(machine, "--engine", "stepping", "--until", "1").stdout
        self.assert_narrow(summary)
        for word in ("fixed length", "residual", "overlap"):
            self.assertIn(word, summary)
        # Ten thousand tonnes on a kilogram: what a step cannot solve is told, and how far it got.
        heavy = self.folder / "heavy.yaml"
        heavy.write_text("routh: 1\ndimension: planar\nsurfaces: {s: {friction: 0.5, restitution: 0}}\n"
                         "world: {shapes: {f: {kind: half_space, surface: s}}}\nbodies:\n"
                         "  a: {mass: 1, inertia: 0.01, joint: {kind: planar}, shapes: "
                         "{x: {kind: box, size: [0.2, 0.2], surface: s}}}\n"
                         "  b: {mass: 1.0e7, inertia: 1.0e5, joint: {kind: planar}, shapes: "
                         "{y: {kind: box, size: [0.3, 0.3], surface: s}}}\n"
                         "state: {position: {a: [0, 0.1, 0], b: [0.02, 0.6, 0.1]}}\n")
        unsolved = simulate(heavy, "--engine", "stepping", "--until", "1", "--residual", "1e-8")
        statistics = as_json(heavy, "--engine", "stepping", "--until", "1", "--residual", "1e-8")["statistics"]
        count = statistics["unsolved_steps"]
        self.assertTrue(0 < count < statistics["steps"], count)
        self.assertGreater(statistics["largest_residual"], 1e-8)
        self.assertIn(f"warning: {count} of 1000 steps left contact problems above the residual", unsolved.stderr)
        self.assertIn(f"not solved in {count} steps", unsolved.stdout)
        self.assert_narrow(unsolved.stdout)
        self.assertEqual(answer["statistics"]["unsolved_steps"], 0)
        # What steps gained and lost by themselves is the balance, told apart.
        own = answer["statistics"]["steps_gained"] - answer["statistics"]["steps_lost"]
        self.assertGreater(answer["statistics"]["steps_lost"], 0)
        self.assertAlmostEqual(own, answer["energy"]["balance"], delta=1e-9)
        self.assertRegex(summary, r"error of steps +\S+ J lost, \S+ J gained")
        refused = simulate(machine, "--engine", "stepping", "--tolerance", "1e-6")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--step", refused.stderr)
        whole, half, rest = (self.folder / name for name in ("whole.h5", "half.h5", "rest.h5"))
        arguments = ["--engine", "stepping", "--samples", "0.01", "-q"]
        for result in (simulate(machine, *arguments, "--until", "1", "-o", whole),
                       simulate(machine, *arguments, "--until", "0.4375", "-o", half),
                       simulate("--resume", half, "--until", "1", "-q", "-o", rest)):
            self.assertEqual(result.returncode, 0, result.stderr)
        result = run("compare", whole, rest, "--rtol", "0", "--atol", "0")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_crowds(self):
        """The usual engine: crowds in log, summary and JSON, and a run that pauses in one with the same bytes."""
        machine = EXAMPLES / "quadruped.yaml"
        answer = as_json(machine, "--until", "0.3")
        crowds = [event for event in answer["events"] if event["kind"] == "crowd"]
        self.assertIn(answer["statistics"]["crowds"] - len(crowds), (0, 1))  # one may be under way
        self.assertGreater(len(crowds), 0)
        for event in crowds:
            self.assertGreater(event["duration"], 0)
            self.assertEqual(len(event["contact"]), len(event["impulse"]))
        self.assertEqual(as_json(machine, "--until", "0.3", "--engine", "events")["statistics"]["crowds"], 0)
        coarse = as_json(machine, "--until", "0.3", "--resolution", "0.002")["statistics"]
        self.assertLess(coarse["events"], answer["statistics"]["events"])
        self.assertEqual(simulate(machine, "--resolution", "0").returncode, 2)
        summary = simulate(machine, "--until", "0.3").stdout
        self.assert_narrow(summary)
        self.assertRegex(summary, r"crowds +\d+: .* s in fixed steps")
        self.assertNotIn("crowds", simulate(EXAMPLES / "kane.yaml", "--until", "0.5").stdout)
        middle = crowds[0]["time"] - 0.5 * crowds[0]["duration"]
        whole, half, rest = (self.folder / name for name in ("whole.h5", "half.h5", "rest.h5"))
        for result in (simulate(machine, "--samples", "0.01", "-q", "--until", "0.3", "-o", whole),
                       simulate(machine, "--samples", "0.01", "-q", "--until", str(middle), "-o", half),
                       simulate("--resume", half, "--until", "0.3", "-q", "-o", rest)):
            self.assertEqual(result.returncode, 0, result.stderr)
        result = run("compare", whole, rest, "--rtol", "0", "--atol", "0")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_summary_and_events_for_a_reader(self):
        for encoding in ("C.UTF-8", "C"):
            result = simulate(EXAMPLES / "kane.yaml", "--until", "0.5", LC_ALL=encoding)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assert_narrow(result.stdout)
            for word in ("ready", "balance", "dissipated", "supplied", "single", "steps"):
                self.assertIn(word, result.stdout)
        answer = as_json(EXAMPLES / "kane.yaml", "--until", "0.5")
        lines = simulate(EXAMPLES / "kane.yaml", "--until", "0.5", "--events").stdout.splitlines()
        log = lines[2:lines.index("")]
        self.assertEqual(len(log), len(answer["events"]))
        for line, event in zip(log, answer["events"]):
            self.assertTrue(line.startswith(f"{event['time']:.6f}"), line)
            self.assertIn(event["kind"], line)
            if event["impulse"][0] > 0 and event["rule"]:
                self.assertAlmostEqual(float(line.split()[-2]), event["impulse"][0], delta=0.06 * event["impulse"][0])

    def test_events_name_every_contact_that_strikes(self):
        scene = EXAMPLES / "quadruped_stand.yaml"
        answer = as_json(scene, "--until", "0.5")
        log = simulate(scene, "--until", "0.5", "--events").stdout.split("Quadruped")[0].splitlines()[2:]
        self.assertLessEqual(max(map(len, log)), 80)
        expected = []
        for event in answer["events"]:
            names = event["contact"] if isinstance(event["contact"], list) else [event["contact"]]
            impulses = event["impulse"] if isinstance(event["contact"], list) else [event["impulse"]]
            struck = [n for n, i in zip(names, impulses) if not event["rule"] or any(x != 0 for x in i)]
            expected += struck or names[:1]
        rows = [line for line in log if line.strip() and not line.startswith("*") and not line.startswith("    ")] + [
            line for line in log if line.startswith("     ") and " on " in line]
        self.assertEqual(len(rows), len(expected))
        for name in expected:
            self.assertTrue(any(name in row for row in rows), name)

    def test_events_fit_the_terminal(self):
        scene = EXAMPLES / "painleve_rod.yaml"
        for columns in (200, 97, 80, 75):
            text, code = on_a_terminal("simulate", scene, "--until", "1", "--events", columns=columns, NO_COLOR="1")
            self.assertEqual(code, 0)
            lines = text.decode().split("Painlev")[0].splitlines()
            self.assertGreater(len(lines), 14)
            self.assertLessEqual(max(map(len, lines)), columns)
            self.assertIn("Painlev", text.decode())
            self.assertEqual("energetic" in text.decode(), columns == 200)

    def test_a_law_that_gains_is_called_so(self):
        arguments = [EXAMPLES / "kane.yaml", "--until", "0.01", "--law", "classical"]
        result = simulate(*arguments)
        self.assertIn("warning: 1 of 1 impacts gained energy", result.stderr)
        self.assertIn("classical", result.stderr)
        self.assertIn("against the second law", result.stdout)
        self.assertEqual(simulate(*arguments, "--quiet").stderr, "")
        self.assertNotIn("gained energy", simulate(EXAMPLES / "kane.yaml", "--until", "0.01").stderr)

    def test_shortcuts_are_told_wherever_the_run_is(self):
        arguments = [SHORTCUT, "--tolerance", "1e-9", "--until", "0.25"]
        result = simulate(*arguments, "--events")
        lines = result.stdout.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertTrue(any("slip*a" in line for line in lines), result.stdout)
        legend = [line.split()[:2] for line in lines if line.startswith("*")]
        self.assertEqual(legend, [["*a", "friction_changed:"]])
        self.assertIn(["shortcuts", "friction_changed", "1"], [line.split() for line in lines])
        self.assertTrue(any(line.startswith("corrected ") for line in lines))
        warnings = [line for line in result.stderr.splitlines() if "warning" in line]
        self.assertEqual(len(warnings), 1)
        self.assertIn("1 event: friction was changed by a little", warnings[0])
        self.assertEqual(simulate(*arguments, "--quiet").stderr, "")
        answer = as_json(*arguments)
        self.assertEqual(answer["statistics"]["warnings"], {"friction_changed": 1})
        # The run that goes on from there keeps them.
        new = self.folder / "new.h5"
        simulate(*arguments, "-o", new)
        answer = as_json("--resume", new, "--until", "0.26")
        self.assertEqual(answer["statistics"]["warnings"]["friction_changed"], 1)

    def test_a_run_without_shortcuts_has_no_marks(self):
        result = simulate(EXAMPLES / "rimless_wheel.yaml", "--until", "1", "--events")
        self.assertNotIn("*", result.stdout)
        self.assertNotIn("shortcuts", result.stdout)
        self.assertEqual(result.stderr, "")


class Still(Case):
    def test_nothing_moves(self):
        scene = self.write("still.yaml", """
routh: 1
bodies:
  post: {mass: 1, inertia: [1, 1, 1], joint: {kind: fixed}, shapes: {post: {kind: sphere, radius: 1}}}
world: {shapes: {floor: {kind: half_space, at: [0, 0, -2]}}}
""")
        path = self.folder / "run.h5"
        answer = as_json(scene, "-o", path)
        self.assertEqual((answer["status"], answer["time"], answer["events"]), ("ready", 10, []))
        self.assertEqual(run("export", path, "-o", self.folder / "run.csv").returncode, 0)


class Failure(Case):
    def test_too_many_events(self):
        path = self.folder / "run.h5"
        result = simulate(BALL, "--max-events", "3", "-o", path, "--json")
        self.assertEqual(result.returncode, 4)
        self.assertIn("routh: error: there are more events than allowed", result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual(answer["status"], "event_limit")
        self.assertEqual(len(answer["events"]), 4)
        self.assertEqual(run("export", path, "-o", self.folder / "run.json").returncode, 0)
        kept = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual((kept["status"], kept["events"]), ("event_limit", answer["events"]))
        # It may go on where more is allowed.
        resumed = as_json("--resume", path, "--until", "3", "--max-events", "1000")
        self.assertEqual(resumed["events"], as_json(BALL, "--until", "3")["events"])

    def test_overlap(self):
        text = BALL.read_text(encoding="utf-8").replace("[0, 1.1, 0]", "[0, 0.05, 0]")
        self.assert_fails(simulate(self.write("ball.yaml", text)), 3, "overlap by 0.05 m")

    def test_output_that_cannot_be_written(self):
        self.assert_fails(simulate(BALL, "-o", self.folder / "none" / "run.h5"), 1, "cannot write", "run.h5")
        self.assert_fails(simulate(BALL, "-o", self.folder), 1, "cannot write")
        self.assertEqual(os.listdir(self.folder), [])

    def test_files_that_are_no_scene_and_no_run(self):
        self.assert_fails(simulate(EXAMPLES / "kane.json"), 3, "not a scene")
        self.assert_fails(simulate(self.folder / "none.yaml"), 1, "none.yaml")
        self.assert_fails(simulate("--resume", BALL), 3, "bouncing_ball.yaml")
        self.assert_fails(simulate("--resume", self.folder / "none.h5"), 1, "none.h5")
        self.assert_fails(run("export", BALL, "-o", self.folder / "x.csv"), 3, "bouncing_ball.yaml")
        self.assert_fails(run("compare", BALL, BALL), 3, "bouncing_ball.yaml")

    def test_bad_arguments(self):
        for arguments, word in ((["--until", "nan"], "finite"), (["--until", "x"], "--until"),
                                (["--until", "0"], "exceed"), (["--until", "-1"], "exceed"),
                                (["--tolerance", "0"], "[1e-14, 0.2]"),
                                (["--tolerance", "nan"], "[1e-14, 0.2]"), (["--samples", "0"], "positive"),
                                (["--samples", "0.1"], "-o run.h5"), (["--max-events", "0"], "--max-events"),
                                (["--law", "newtn"], "did you mean 'newton'?"),
                                (["--integrator", "radu"], "did you mean 'radau'?"),
                                (["--samples", "1e-12", "-o", self.folder / "run.h5"], "samples"),
                                (["--evnts"], "did you mean '--events'?")):
            self.assert_fails(simulate(BALL, *arguments), 2, word)
        self.assert_fails(simulate(), 2, "FILE")
        self.assertEqual(os.listdir(self.folder), [])


class Records(Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "run.h5"
        self.answer = as_json(BALL, "--until", "2", "-o", self.path)

    def test_exports(self):
        for name in ("run.csv", "run.json", "run.npz"):
            result = run("export", self.path, "-o", self.folder / name)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        with open(self.folder / "run.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        impacts = [event for event in self.answer["events"] if event["kind"] == "impact"]
        self.assertGreater(len(impacts), 2)
        count = 1001 + 2 * len(impacts)  # every 0.002 s, and before and after each impact
        self.assertEqual(len(rows), count)
        for event in impacts:
            pair = [float(row["v.ball.y"]) for row in rows if float(row["time"]) == event["time"]]
            self.assertEqual(pair, [event["velocity_before"][0], event["velocity_after"][0]])
        self.assertEqual((float(rows[0]["time"]), float(rows[-1]["time"])), (0, 2))
        self.assertEqual(float(rows[-1]["q.ball.y"]), self.answer["final"]["q"][1])
        with open(self.folder / "run.events.csv", newline="", encoding="utf-8") as file:
            self.assertEqual(len(list(csv.DictReader(file))), len(self.answer["events"]))
        with open(self.folder / "run.contacts.csv", newline="", encoding="utf-8") as file:
            contacts = list(csv.DictReader(file))
        self.assertEqual([int(row["sample"]) for row in contacts], list(range(count)))  # one contact, always there
        for row, sample in zip(contacts, rows):
            self.assertAlmostEqual(float(row["gap"]), float(sample["q.ball.y"]) - 0.1, delta=1e-15)  # of a disc
            closed = sample["closed_contacts"] == "1"
            self.assertEqual(row["mode"] != "free", closed)
            self.assertAlmostEqual(float(row["force_n"]), 9.81 if closed else 0, delta=1e-9)  # m g of 1 kg
        whole = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(whole["events"], self.answer["events"])
        self.assertEqual(len(whole["samples"]["time"]), count)
        self.assertEqual(whole["run"]["q"]["units"], ["m", "m", "rad"])
        with zipfile.ZipFile(self.folder / "run.npz") as archive:
            self.assertIsNone(archive.testzip())
            self.assertIn("position.npy", archive.namelist())

    def test_format_by_name(self):
        out = self.folder / "data"
        self.assert_fails(run("export", self.path, "-o", out), 2, "--format")
        self.assertEqual(run("export", self.path, "-o", out, "--format", "json").returncode, 0)
        json.loads(out.read_text(encoding="utf-8"))
        self.assert_fails(run("export", self.path), 2, "--output")
        self.assert_fails(run("export", self.path, "-o", self.folder / "none" / "x.csv"), 1, "cannot write")

    def test_compare(self):
        same, other = self.folder / "same.h5", self.folder / "other.h5"
        as_json(BALL, "--until", "2", "-o", same)
        result = run("compare", self.path, same, "--rtol", "0", "--atol", "0")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("equal", result.stdout)
        as_json(self.write("ball.yaml", BALL.read_text(encoding="utf-8").replace("0.8}", "0.81}")), "--until", "2",
                "-o", other)
        result = run("compare", self.path, other)
        self.assertEqual(result.returncode, 5)
        self.assertIn("different: ", result.stdout)
        answer = json.loads(run("compare", self.path, other, "--json").stdout)
        self.assertEqual((answer["schema"], answer["equal"]), (1, False))
        self.assertTrue(answer["first_difference"])
        quiet = run("compare", self.path, other, "--quiet")
        self.assertEqual((quiet.returncode, quiet.stdout), (5, ""))
        self.assert_fails(run("compare", self.path, same, "--rtol", "nan"), 2, "--rtol")


if __name__ == "__main__":
    unittest.main()
