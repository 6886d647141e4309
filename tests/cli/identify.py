"""`routh identify` and `routh validate`: the truth behind throws in closed form, what is refused, checkpoints."""
import json
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from support import discs  # noqa: E402
from support.program import Case, EXAMPLES, ROUTH, environment, run  # noqa: E402

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

    def test_threads_and_quiet_change_nothing(self):
        self.assertEqual(self.identify("--threads", "1"), self.identify("--threads", "3", "-q"))

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

    def test_laws_are_compared(self):
        answer = json.loads(self.identify("--law", "energetic", "--law", "newton"))
        self.assertEqual({law["law"] for law in answer["laws"]}, {"energetic", "newton"})
        # A round body strikes through its centre: the laws agree, and that is said.
        self.assertIn("cannot tell", " ".join(answer["remarks"]))

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


if __name__ == "__main__":
    unittest.main()
