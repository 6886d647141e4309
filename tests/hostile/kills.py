"""Programs that are killed again and again, at any moment, and go on: what they leave is whole or absent, and the end has
the bytes of a run that nobody disturbed.

ROUTH_TEST_SCALE multiplies the kills; the moments are seeded.
"""
import contextlib
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import sweep_mpi  # noqa: E402
from support.program import EXAMPLES, ROUTH, Case, environment, run  # noqa: E402
from support.studies import ROUGH  # noqa: E402

KILLS = max(3, int(float(os.environ.get("ROUTH_TEST_SCALE", 1)) * 4))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Outputs(Case):
    """Commands that write and cannot be resumed: every output is the whole one, the older one, or not there."""

    def setUp(self):
        super().setUp()
        self.run_file = self.folder / "kept.h5"
        made = run("simulate", "-q", EXAMPLES / "woodpecker.yaml", "--until", 0.6, "--samples", 0.0005, "-o", self.run_file)
        self.assertEqual(made.returncode, 0, made.stderr)

    def campaign(self, outputs, *arguments):
        """`outputs` are written below a folder of their own, in which the command stands."""
        work = self.folder / "work"
        work.mkdir()
        began = time.monotonic()
        self.assertEqual(self.end(self.start(work, arguments)), 0)
        took = time.monotonic() - began
        whole = {name: digest(work / name) for name in outputs}
        chance = random.Random(f"{arguments[0]} {outputs}")
        cut = 0
        for number in range(KILLS):
            older = number % 2 == 1
            for path in work.iterdir():
                path.unlink()
            if older:
                for name in outputs:
                    (work / name).write_text("older")
            process = self.start(work, arguments)
            time.sleep(chance.uniform(0, 1.1 * took))
            process.kill()
            cut += self.end(process) != 0
            with self.subTest(arguments=arguments, number=number):
                for name in outputs:
                    path = work / name
                    if not path.exists():
                        self.assertFalse(older, name)
                    elif not (older and path.read_text(errors="replace") == "older"):
                        self.assertEqual(digest(path), whole[name], name)
        self.assertGreater(cut, 0, "every kill came too late")
        self.assertEqual(self.end(self.start(work, arguments)), 0)
        self.assertEqual({name: digest(work / name) for name in outputs}, whole)
        shutil.rmtree(work)

    def start(self, work, arguments):
        return subprocess.Popen([ROUTH, *map(str, arguments)], cwd=work, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env=environment())

    def end(self, process):
        process.wait(timeout=120)
        return process.returncode

    def test_fit(self):
        self.campaign(("out.svg", "out.csv"), "fit", EXAMPLES / "rod_impacts.csv", "--problem", EXAMPLES / "rod.json",
                      "--law", "poisson", "--svg", "out.svg", "--csv", "out.csv")

    def test_report(self):
        self.campaign(("out.html",), "report", "-q", self.run_file, "-o", "out.html")

    def test_export(self):
        self.campaign(("out.npz",), "export", self.run_file, "-o", "out.npz")
        self.campaign(("out.csv", "out.events.csv"), "export", self.run_file, "-o", "out.csv")
        self.campaign(("out.json",), "export", self.run_file, "-o", "out.json")


class Resumed(Case):

    def test_a_run_in_pieces(self):
        """Interrupted and killed in turn: an interrupted run is gone on with, a killed one leaves what was there."""
        whole, out, rest = (self.folder / f"{name}.h5" for name in ("whole", "out", "rest"))
        until = ("--until", 0.6)
        common = ("simulate", "-q", EXAMPLES / "woodpecker.yaml", "--samples", 0.0005, *until)
        began = time.monotonic()
        self.assertEqual(run(*common, "-o", whole).returncode, 0)
        took = time.monotonic() - began
        chance = random.Random("pieces")
        words = [*common, "-o", out]
        for number in range(4 * KILLS):
            process = subprocess.Popen([ROUTH, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       env=environment())
            time.sleep(chance.uniform(0, 0.6 * took))
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL if number % 2 else signal.SIGINT)
            _, errors = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, 130, -signal.SIGKILL, -signal.SIGINT), errors)
            if rest.exists():
                rest.replace(out)
            for temporary in self.folder.glob("*.h5.*"):
                temporary.unlink()
            if out.exists():
                self.assertEqual(run("compare", out, out).returncode, 0)
                words = ["simulate", "-q", "--resume", out, *until, "-o", rest]
            if process.returncode == 0:
                break
        else:
            self.assertIn(run(*words).returncode, (0,))
            if rest.exists():
                rest.replace(out)
        same = run("compare", "--rtol", 0, "--atol", 0, whole, out)
        self.assertEqual(same.returncode, 0, same.stdout)

    def finish(self, start, patience):
        """Kills with `start`'s processes until one comes to its end; how many were killed."""
        chance = random.Random("resumed")
        killed = 0
        for attempt in range(40 * KILLS):
            process, kill = start(chance)
            try:
                # The first before anything can have ended, however fast the machine is; then longer and longer, so that
                # it ends, however slow.
                longest = patience if attempt else min(patience, 0.05)
                process.wait(timeout=chance.uniform(0.01, longest) * (1 + attempt / KILLS))
            except subprocess.TimeoutExpired:
                if killed < KILLS:
                    kill()
                    killed += 1
            process.communicate(timeout=300)
            if process.returncode == 0:
                return killed
        self.fail(f"{killed} kills, and no end: {[path.name for path in self.folder.iterdir()]}")

    def test_sweeps(self):
        study = self.write("study.yaml", ROUGH % ("random", 300000, "true"))
        whole, out = self.folder / "whole.h5", self.folder / "out.h5"
        self.assertEqual(run("sweep", study, "-o", whole).returncode, 0)

        def start(chance):
            process = subprocess.Popen([ROUTH, "sweep", str(study), "-o", str(out), "--checkpoint", "0.01", "--resume",
                                        "--threads", str(chance.randint(1, 3))], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=environment())
            return process, process.kill

        self.assertGreater(self.finish(start, 0.1), 0)
        self.assertEqual(digest(out), digest(whole))

    @unittest.skipUnless(sweep_mpi.ROUTH_MPI.exists() and sweep_mpi.MPIRUN, "built without MPI")
    def test_mpi(self):
        """One rank is killed, the leader among them, or all with what started them."""
        study = self.write("study.yaml", sweep_mpi.STUDY % (200000, "true"))
        whole, out = self.folder / "whole.h5", self.folder / "out.h5"
        self.assertEqual(run("sweep", study, "-o", whole, "--threads", 2).returncode, 0)

        def start(chance):
            process = sweep_mpi.start(chance.randint(2, 3), study, "-o", out, "--checkpoint", "0.05", "--resume")

            def kill():
                ranks = list(sweep_mpi.ranks_of(process).values())
                victims = [process.pid, *ranks] if chance.random() < 0.3 or not ranks else [chance.choice(ranks)]
                for victim in victims:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(victim, signal.SIGKILL)

            return process, kill

        self.assertGreater(self.finish(start, 0.6), 0)
        self.assertEqual(digest(out), digest(whole))


if __name__ == "__main__":
    unittest.main(verbosity=0)
