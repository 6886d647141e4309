"""Studies over MPI: the same bytes as with threads, and what a lost rank leaves behind."""
import contextlib
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from support.program import ROUTH, SCALE, Case, environment, run

ROUTH_MPI = pathlib.Path(ROUTH).with_name("routh-mpi")
MPIRUN = shutil.which("mpirun")
STUDY = """
study: 1
problem: {delassus: [[1.6, 1.2, 0.1], [1.2, 3.4, 0.3], [0.1, 0.3, 2]], contact_velocity: [-0.5, 2, 1], friction: 0.3,
  restitution: 0.5}
vary:
  friction: {from: -0.1, to: 1}
  restitution: {from: 0, to: 1}
  contact_velocity[1]: {mean: 0, std: 1}
sampling: {method: latin_hypercube, samples: %d, seed: 4}
measure:
  lost: {value: -energy.change, reduce: [mean, std, min, max, {quantiles: [0.05, 0.5, 0.9]}]}
  mode: mode
table: %s
"""


def start(ranks, *arguments):
    env = environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                      OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    return subprocess.Popen([MPIRUN, "-n", str(ranks), str(ROUTH_MPI), *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=env)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def ranks_of(process):
    """Process ids of the ranks by number."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            status = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            if int(status[1]) != process.pid:
                continue
            for item in (entry / "environ").read_bytes().split(b"\0"):
                if item.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(item.split(b"=")[1])] = int(entry.name)
        except (OSError, IndexError):
            continue
    return found


@unittest.skipUnless(ROUTH_MPI.exists() and MPIRUN, "built without MPI")
class Mpi(Case):
    def test_the_same_bytes_for_any_number_of_ranks(self):
        study = self.write("study.yaml", STUDY % (70000 + int(10000 * SCALE), "true"))
        whole = self.folder / "threads.h5"
        self.assertEqual(run("sweep", study, "-o", whole, "--threads", 2).returncode, 0)
        for ranks in (1, 2, 3):
            out = self.folder / f"ranks{ranks}.h5"
            process = start(ranks, study, "-o", out)
            _, errors = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0, errors)
            self.assertEqual(digest(out), digest(whole), f"{ranks} ranks")

    def test_refusals(self):
        study = self.write("study.yaml", (STUDY % (100, "false")).replace("method", "methd"))
        process = start(2, study)
        out, errors = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 3, errors)
        self.assertIn("study.yaml:9:12", errors)
        self.assertEqual(out, "")
        self.write("study.yaml", STUDY % (100, "true"))
        process = start(2, study)
        self.assertIn("table", process.communicate(timeout=100)[1])
        self.assertEqual(process.returncode, 2)

    def test_lost_rank(self):
        study = self.write("study.yaml", STUDY % (30000000, "false"))
        out = self.folder / "out.h5"
        process = start(3, study, "-o", out, "--checkpoint", "0.1")
        checkpoint = self.folder / "out.h5.checkpoint"
        deadline = time.monotonic() + 100
        seen = set()  # the first checkpoint is of nothing
        while len(seen) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
            with contextlib.suppress(FileNotFoundError):
                seen.add(checkpoint.read_bytes())
        ranks = ranks_of(process)
        self.assertIn(2, ranks)
        os.kill(ranks[2], signal.SIGKILL)
        _, errors = process.communicate(timeout=100)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("a rank was lost", errors)
        self.assertIn("--resume", errors)
        self.assertFalse(out.exists())
        self.assertTrue(checkpoint.exists())
        # It can be taken up again, here by threads, interrupted, and is further than before.
        left = checkpoint.read_bytes()
        again = subprocess.Popen([ROUTH, "sweep", str(study), "-o", str(out), "--resume", "--checkpoint", "0.1"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        while checkpoint.read_bytes() == left and time.monotonic() < deadline:
            time.sleep(0.02)
        again.send_signal(signal.SIGINT)
        _, errors = again.communicate(timeout=60)
        self.assertEqual(again.returncode, 130, errors)
        resumed = int(errors.split("resumed after ")[1].split()[0])
        self.assertGreater(resumed, 0)
        self.assertGreater(int(errors.split("interrupted after ")[1].split()[0]), resumed)


if __name__ == "__main__":
    unittest.main()
