"""`routh identify`, `routh validate` and `routh predict`: the truth behind throws in closed form, what is refused, checkpoints."""
import json
import math
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from support import discs  # noqa: E402
from support.program import Case, EXAMPLES, ROUTH, environment, full_scale, run  # noqa: E402

THROWS = EXAMPLES / "throws"
SCENE = THROWS / "disc.yaml"
SOUGHT = ("--set", "surfaces.floor.friction=0:0.6", "--set", "surfaces.floor.restitution=0.2:1")


class Identify(Case):
    def identify(self, *options):
        result = run("identify", THROWS, "--scene", SCENE, *SOUGHT, "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_examples_are_what_the_closed_form_gives(self):
        for k in range(12):
            self.assertEqual((THROWS / f"{k + 1:02}.csv").read_text(), discs.throw(k + 1, 0.15, 0.6, 2e-4))
        self.assertEqual(SCENE.read_text(), discs.SCENE)

    def test_truth_is_found(self):
        answer = json.loads(self.identify())
        self.assertEqual((answer["schema"], answer["throws"]), (1, 12))
        found = answer["laws"][0]["parameters"]
        for name, truth in (("surfaces.floor.friction", 0.15), ("surfaces.floor.restitution", 0.6)):
            it = found[name]
            self.assertLess(abs(it["value"] - truth), 2 * (it["high"] - it["low"]), (name, it))
            self.assertLess(it["high"] - it["low"], 0.01)
            self.assertEqual(it["determination"], "interval")
        self.assertLess(answer["laws"][0]["held_out"]["mean"], 1e-4)

    @full_scale
    def test_threads_and_quiet_change_nothing(self):
        self.assertEqual(self.identify("--threads", "1"), self.identify("--threads", "3", "-q"))

    @full_scale
    def test_an_interrupted_search_goes_on(self):
        out, checkpoint = self.folder / "out.json", self.folder / "out.json.checkpoint"
        command = ("identify", THROWS, "--scene", SCENE, *SOUGHT, "--law", "energetic", "--law", "newton", "--law",
                   "poisson", "--threads", "1", "-o", out, "--json")
        whole = run(*command)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        out.unlink()
        process = subprocess.Popen([ROUTH, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment(), text=True)
        while not checkpoint.exists() and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        message = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130)
        self.assertIn("--resume", message)
        self.assert_fails(run(*command), 2, "out.json.checkpoint' is there", "--resume", "--restart")
        other = run("identify", THROWS, "--scene", SCENE, *SOUGHT[:2], "-o", out, "--resume")
        self.assert_fails(other, 3, "out.json.checkpoint:1:1: error: the checkpoint is of other data")
        resumed = run(*command, "--resume")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        first, second = json.loads(whole.stdout), json.loads(resumed.stdout)
        for each in (first, second):
            for law in each["laws"]:
                law.pop("runs")  # the work that was done, not the answer
        self.assertEqual(first, second)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.json"])

    @full_scale
    def test_laws_are_compared(self):
        answer = json.loads(self.identify("--law", "energetic", "--law", "newton"))
        self.assertEqual({law["law"] for law in answer["laws"]}, {"energetic", "newton"})
        # A round body strikes through its centre: the laws agree, and that is said.
        self.assertIn("cannot tell", " ".join(answer["remarks"]))

    @full_scale
    def test_impacts_go_to_fit(self):
        arguments = (EXAMPLES / "rod_impacts.csv", "--problem", EXAMPLES / "rod.json", "--json")
        self.assertEqual(run("identify", *arguments).stdout, run("fit", *arguments).stdout)

    def test_what_cannot_be_meant(self):
        base = ("identify", THROWS, "--scene", SCENE)
        self.assert_fails(run(*base), 3, "nothing is sought", "--set")
        self.assert_fails(run(*base, "--set", "surfaces.floor.friction"), 2, "PATH=LOW:HIGH")
        self.assert_fails(run(*base, "--set", "surfaces.floor.friction=1:0"), 2, "the range is empty")
        self.assert_fails(run(*base, "--set", "surfaces.floor.friction=0:x"), 2, "'x'")
        self.assert_fails(run(*base, "--set", "surfaces.flor.friction=0:1"), 3, "there is no such surface")
        self.assert_fails(run(*base, "--set", "state.time=0:1"), 3, "the start of a throw comes from its recording")
        self.assert_fails(run(*base, "--set", "surfaces.floor.restitution=0:2"), 3, "restitution")
        self.assert_fails(run(*base, *SOUGHT, "--resume"), 2, "-o out.json")
        self.assert_fails(run("identify", THROWS, *SOUGHT), 2, "--scene FILE")
        self.assert_fails(run("validate", THROWS, "--scene", SCENE, *SOUGHT), 2, "nothing is sought here")

    def test_nasty_data(self):
        rows = (THROWS / "01.csv").read_text().splitlines()

        def refused(lines, *words):
            path = self.write("a.csv", "\n".join(lines) + "\n")
            self.assert_fails(run("validate", path, "--scene", SCENE), 3, *words)
            return path

        refused(rows[:2], "a.csv:2:1: error: a recording of 1 rows")
        refused(rows[:20] + rows[30:], "a.csv:21:1: error: before this row samples are missing", "--leave-out-bad")
        jump = rows[:30] + [rows[30].split(",")[0] + ",9,9,0"] + rows[31:]
        refused(jump, "a.csv:31:1: error: the body jumps here")
        refused(rows[:30] + ["0.29,nan,0,0"] + rows[31:], "a.csv:31:6: error: 'nan'")
        refused(rows[:30] + [rows[29]] + rows[30:], "a.csv:31:1: error: the time")
        refused(["time,y,angle"] + rows[1:], "a.csv:2:1", "4 values")
        refused([rows[0].replace("angle", "phi")] + rows[1:], "a.csv:1:10: error: the column 'phi'")
        bad = refused(rows[:2], "no motion")
        for k in range(1, 7):
            self.write(f"{k}.csv", (THROWS / f"0{k}.csv").read_text())
        self.assert_fails(run("validate", self.folder, "--scene", SCENE), 3, str(bad))
        result = run("validate", self.folder, "--scene", SCENE, "--leave-out-bad", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual(len(answer["throws"]), 6)
        self.assertIn("a.csv:2:1", answer["remarks"][0])

    def test_validate_writes_tables_and_a_page(self):
        csv, page = self.folder / "out.csv", self.folder / "out.html"
        result = run("validate", THROWS, "--scene", SCENE, "--set", "surfaces.floor.friction=0.15", "--set",
                     "surfaces.floor.restitution=0.6", "--csv", csv, "--html", page, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        self.assertLess(answer["error"]["mean"], 1e-4)
        self.assertEqual(answer["same_face"], 12)
        self.assertEqual(answer["bounces"]["run"], answer["bounces"]["measured"])
        rows = csv.read_text().splitlines()
        self.assertEqual(len(rows), 13)
        self.assertTrue(rows[1].startswith('"01.csv",'))
        text = page.read_text()
        self.assertIn("A disc is thrown", text)
        self.assertNotIn("http", text.replace("http-equiv", ""))
        # The errors are those of a reader of the columns: a wrong restitution misses by more.
        worse = json.loads(run("validate", THROWS, "--scene", SCENE, "--json").stdout)
        self.assertGreater(worse["error"]["mean"], 100 * answer["error"]["mean"])

    def test_predict_gives_and_scores_probabilities(self):
        ranges = ("--set", "surfaces.floor.friction=0.13:0.17", "--set", "surfaces.floor.restitution=0.58:0.62")
        csv, page = self.folder / "out.csv", self.folder / "out.html"
        command = ("predict", THROWS, "--scene", SCENE, *ranges, "--draws", "40", "--json")
        result = run(*command, "--csv", csv, "--html", page)
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual((answer["schema"], answer["draws"], len(answer["throws"])), (1, 40, 12))
        face = answer["forecasts"][0]
        self.assertEqual((face["name"], face["scored"]), ("face", 12))
        # The score is that of the probabilities that are told.
        score = -sum(math.log(one["face"][one["measured_face"]]) for one in answer["throws"]) / 12
        self.assertAlmostEqual(face["log_score"], score, 12)
        self.assertGreater(face["better"]["share"], 0.3)
        for one in answer["throws"]:
            self.assertAlmostEqual(sum(one["face"].values()), 1, 12)
            self.assertLess(one["jam"]["jams"], 0.05)  # a disc has nothing to wedge with
        self.assertEqual(len(csv.read_text().splitlines()), 13)
        self.assertIn("reliability", page.read_text())
        self.assertEqual(result.stdout, run(*command, "--threads", "1").stdout)
        table = run(*command[:-1])
        self.assertIn("better by", table.stdout)

    def test_predict_draws_from_an_identification(self):
        out = self.folder / "out.json"
        self.identify("-o", out)
        result = run("predict", THROWS, "--scene", SCENE, "--estimate", out, "--draws", "30", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(json.loads(result.stdout)["forecasts"][0]["better"]["share"], 0.6)

    def test_predict_of_a_flight_alone(self):
        rows = (THROWS / "03.csv").read_text().splitlines()
        flight = self.write("flight.csv", "\n".join(rows[:12]) + "\n")
        base = ("predict", flight, "--scene", SCENE, "--json")
        self.assert_fails(run(*base), 3, "out of reach of every plane")
        result = run(*base, "--duration", "0.5", "--region", "near=:0.5", "--region", "far=0.5:,:1")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        one = answer["throws"][0]
        self.assertEqual(list(one["region"]), ["near", "far", "elsewhere"])
        self.assertNotIn("measured_face", one)
        self.assertNotIn("log_score", answer["forecasts"][0])
        self.assertAlmostEqual(one["end"]["time"], 0.5, delta=0.02)

    def test_predict_says_what_cannot_be_meant(self):
        base = ("predict", THROWS, "--scene", SCENE)
        self.assert_fails(run(*base, "--region", "0:1"), 2, "NAME=XLOW:XHIGH")
        self.assert_fails(run(*base, "--region", "a=1:0"), 2, "the range is empty")
        self.assert_fails(run(*base, "--region", "a=0:1,0:1,0:1"), 2, "2 coordinates")
        self.assert_fails(run(*base, "--region", "a=0:1", "--region", "a=0:2"), 2, "twice")
        self.assert_fails(run(*base, "--draws", "0"), 2, "--draws")
        self.assert_fails(run(*base, "--set", "surfaces.floor.restitution=0:2"), 3, "restitution")
        bad = self.write("bad.json", "{\"schema\": 1, \"laws\": []}")
        self.assert_fails(run(*base, "--estimate", bad), 3, "bad.json:1", "identify -o")
        good = self.folder / "good.json"
        made = run("identify", THROWS, "--scene", SCENE, *SOUGHT, "-q", "-o", good)
        self.assertEqual(made.returncode, 0, made.stderr)
        text = good.read_text()
        of_friction = json.loads(text)["laws"][0]["parameters"]["surfaces.floor.friction"]
        for was, spoiled in (('"schema":1', '"schema":9'), (f'"deviation":{of_friction["deviation"]}', '"deviation":-1'),
                             ('"range":[0.0,0.6]', '"range":[0.6,0.0]'), ('"range":[0.0,0.6]', '"range":[0.5,0.6]'),
                             ('"correlation":[1', '"correlation":[7')):
            self.assertIn(was, text)
            bad.write_text(text.replace(was, spoiled, 1))
            self.assert_fails(run(*base, "--estimate", bad), 3, "bad.json:", "is not in [", "identify -o")
        self.assert_fails(run(*base, "--estimate", bad, "--set", "surfaces.floor.friction=0:1"), 2, "exclude")


if __name__ == "__main__":
    unittest.main()
