"""Calls that fail: the n-th allocation, write, open, rename or fsync of small runs of every command.

ROUTH_FAIL_CALLS names the library that makes them fail (fail_calls.cpp). The program says what failed and ends with 1, or
does without the call; nothing is left that is not whole, and no file is called damaged because memory was short.

HDF5 does not stand a failing malloc: it may end the process. The program therefore asks for the memory before it calls
HDF5 (files.py, `Memory`), and here allocations fail only where no HDF5 file is open.
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from support.program import EXAMPLES, ROUTH, Case, environment, run  # noqa: E402
from support.studies import ROUGH  # noqa: E402

# The first calls of each kind and command, and as many sampled from all: in `./test --long` 200 and 200.
COUNT = min(200, max(4, int(float(os.environ.get("ROUTH_TEST_SCALE", 1)) * 12)))
LIBRARY = os.environ["ROUTH_FAIL_CALLS"]


def undated(path):
    """Without the time of day, which pages of runs tell."""
    return re.sub(rb"\d\d:\d\d:\d\dZ", b"", path.read_bytes())


class Calls(Case):

    def setUp(self):
        super().setUp()
        self.run_file = self.folder / "kept.h5"
        self.assertEqual(run("simulate", "-q", EXAMPLES / "superball.yaml", "--until", 0.05, "-o",
                             self.run_file).returncode, 0)
        self.study = self.write("study.yaml", ROUGH % ("random", 50, "true"))
        self.work = self.folder / "work"
        self.work.mkdir()

    def with_call(self, what, arguments):
        return subprocess.run([ROUTH, *map(str, arguments)], capture_output=True, timeout=120, check=False, text=True,
                              errors="replace", cwd=self.work,
                              env=environment(LD_PRELOAD=LIBRARY, ROUTH_FAIL=what, ROUTH_FAIL_COUNT=str(self.folder / "counts")))

    def counts(self, arguments):
        result = self.with_call("", arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.clear()
        lines = (self.folder / "counts").read_text().splitlines()
        return {kind: int(number) for kind, number in map(str.split, lines)}

    def clear(self):
        for path in self.work.iterdir():
            path.unlink()

    def campaign(self, arguments, kinds, whole=None):
        """`whole` says whether the output is what it must be, when it is there."""
        calls = self.counts(arguments)
        for kind in kinds:
            chance = random.Random(f"{arguments[0]} {kind}")
            first = range(1, min(COUNT, calls[kind]) + 1)
            numbers = sorted(set(first) | set(chance.sample(range(1, calls[kind] + 1), min(COUNT, calls[kind]))))
            for number in numbers:
                with self.subTest(arguments=arguments[0], call=f"{kind}:{number}"):
                    result = self.with_call(f"{kind}:{number}", arguments)
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                    if result.returncode == 1:
                        self.assertRegex(result.stderr, "cannot|out of memory|no answer")
                    self.assertNotIn("damaged", result.stderr)
                    self.assertNotIn("not a datatype", result.stderr)
                    for path in self.work.iterdir():
                        self.assertIn(path.name, ("out", "out.checkpoint", "out.rows"))
                        if path.name == "out" and whole:
                            whole(path)
                    self.clear()

    def sound(self, path):
        self.assertEqual(run("compare", path, path).returncode, 0)

    def test_commands_that_only_tell(self):
        kinds = ("malloc", "write", "open")
        for arguments in (("check", EXAMPLES / "woodpecker.yaml"), ("impact", EXAMPLES / "kane.json"),
                          ("impact", EXAMPLES / "kane.json", "--json"), ("diagnose", EXAMPLES / "jam.json"),
                          ("contacts", EXAMPLES / "contacts" / "table.yaml"), ("info", EXAMPLES / "kane.yaml"),
                          ("fit", self.few_impacts(), "--problem", EXAMPLES / "rod.json", "--law", "poisson"),
                          ("map", EXAMPLES / "kane.json", "--x", "friction=0:1", "--y", "restitution=0:1", "--points", "6", "--threads", "1"),
                          ("examples",), ("completion", "bash"), ("papers", "aghili-projection"),
                          ("convert", EXAMPLES / "robots" / "humanoid.urdf"), ("sweep", self.study_without_files()),
                          ("simulate", EXAMPLES / "superball.yaml", "--until", "0.02", "--margins"),
                          ("gradient", EXAMPLES / "superball.yaml", "--until", "0.05", "--of", "energy.kinetic", "--wrt", "gravity[1]"),
                          ("referee", EXAMPLES / "painleve.json"), ("restitution", EXAMPLES / "steel.json"),
                          ("hold", EXAMPLES / "hold" / "foot.yaml"), ("project", EXAMPLES / "slider_crank.yaml"),
                          ("validate", *self.one_throw()), ("predict", *self.one_throw(), "--draws", "3")):
            self.campaign(arguments, kinds)

    def few_impacts(self):
        return self.write("few.csv", "\n".join((EXAMPLES / "rod_impacts.csv").read_text().splitlines()[:12]) + "\n")

    def one_throw(self):
        return EXAMPLES / "throws" / "01.csv", "--scene", EXAMPLES / "throws" / "disc.yaml", "--threads", "1"

    def study_without_files(self):
        return self.write("plain.yaml", ROUGH % ("random", 20, "false"))

    def test_pictures(self):
        expected = self.folder / "expected.svg"
        self.assertEqual(run("impact", EXAMPLES / "kane.json", "--svg", expected).returncode, 0)
        self.campaign(("impact", EXAMPLES / "kane.json", "--svg", "out"), ("malloc", "write", "open", "rename", "fsync"),
                      lambda path: self.assertEqual(path.read_bytes(), expected.read_bytes()))

    def test_runs(self):
        files = ("write", "open", "rename", "fsync")
        scene = EXAMPLES / "superball.yaml"
        self.campaign(("simulate", scene, "--until", "0.02", "-o", "out"), files, self.sound)
        self.campaign(("simulate", "--resume", self.run_file, "--until", "0.06", "-o", "out"), files, self.sound)
        self.campaign(("compare", self.run_file, self.run_file), ("write", "open"))
        self.campaign(("report", self.run_file, "-o", "out"), files)
        self.campaign(("export", self.run_file, "--format", "npz", "-o", "out"), files)
        self.campaign(("export", self.run_file, "--format", "json", "-o", "out"), files)

    def test_pages_and_tables(self):
        for arguments in (("validate", *self.one_throw(), "--csv", "out"), ("validate", *self.one_throw(), "--html", "out"),
                          ("predict", *self.one_throw(), "--draws", "3", "--html", "out"),
                          ("show", EXAMPLES / "four_bar.yaml", "--svg", "out"),
                          ("simulate", EXAMPLES / "superball.yaml", "--until", "0.02", "--report", "out")):
            expected = self.folder / "expected"
            words = [expected if word == "out" else word for word in arguments]
            self.assertEqual(run(*words).returncode, 0)
            self.campaign(arguments, ("write", "open", "rename", "fsync"),
                          lambda path, whole=undated(expected): self.assertEqual(undated(path), whole))

    def test_identification(self):
        data, *common = self.one_throw()
        self.campaign(("identify", data.parent, *common, "--set", "surfaces.floor.friction=0:0.6", "-o", "out"),
                      ("write", "open", "rename", "fsync"))

    def test_studies(self):
        self.campaign(("sweep", self.study, "-o", "out", "--threads", "1"), ("write", "open", "rename", "fsync"))


if __name__ == "__main__":
    unittest.main(verbosity=0)
