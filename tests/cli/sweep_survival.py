"""Studies that are killed, interrupted, or out of space: what is left, and how they go on."""
import contextlib
import hashlib
import os
import random
import resource
import signal
import subprocess
import time
import unittest

from support.program import EXAMPLES, ROUTH, SCALE, Case, environment, run
from support.studies import ROUGH


def sweep(*arguments, **changes):
    return run("sweep", *arguments, **changes)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Survival(Case):

    def setUp(self):
        super().setUp()
        self.samples = int(100000 + 50000 * SCALE)
        self.study = self.write("study.yaml", ROUGH % ("random", self.samples, "true"))
        self.out = self.folder / "out.h5"

    def expected(self):
        whole = self.folder / "whole.h5"
        self.assertEqual(sweep(self.study, "-o", whole).returncode, 0)
        return digest(whole)

    def start(self, *arguments, **keywords):
        return subprocess.Popen([ROUTH, "sweep", str(self.study), "-o", str(self.out), "--checkpoint", "0.01", *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), **keywords)

    def test_killed_again_and_again(self):
        self.cut()
        kills = 1
        expected = self.expected()
        chance = random.Random(1)
        for _ in range(200):
            process = self.start("--resume", "--threads", str(chance.randint(1, 4)))
            try:
                process.communicate(timeout=chance.uniform(0.02, 0.3) * (1 + kills / 10))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
                continue
            self.assertEqual(process.returncode, 0)
            break
        self.assertEqual(digest(self.out), expected)
        # A kill while a file is written leaves its temporary one; what resuming needs is gone.
        self.assertEqual([path for path in self.folder.iterdir() if path.suffix in (".checkpoint", ".rows", ".lock")], [])

    def test_interrupted(self):
        expected = self.expected()
        process = self.start()
        checkpoint = self.folder / "out.h5.checkpoint"
        while not checkpoint.exists() and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if process.returncode != 0:  # unless it was quicker
            self.assertEqual(process.returncode, 130)
            self.assertIn(b"--resume", errors)
            self.assertFalse(self.out.exists())
            self.assert_fails(sweep(self.study, "-o", self.out), 1, "--resume", "--restart")
            self.assertEqual(sweep(self.study, "-o", self.out, "--resume").returncode, 0)
        self.assertEqual(digest(self.out), expected)

    def test_another_study_is_not_resumed(self):
        process = self.start()
        time.sleep(0.1)
        process.kill()
        process.communicate()
        if not (self.folder / "out.h5.checkpoint").exists():
            return
        self.study.write_text(self.study.read_text(encoding="utf-8").replace("seed: 4", "seed: 5"), encoding="utf-8")
        self.assert_fails(sweep(self.study, "-o", self.out, "--resume"), 3, "another study", "--restart")
        checkpoint = self.folder / "out.h5.checkpoint"
        data = bytearray(checkpoint.read_bytes())
        data[len(data) // 2] ^= 1
        checkpoint.write_bytes(data)
        self.assert_fails(sweep(self.study, "-o", self.out, "--resume"), 3, "damaged")
        self.assertEqual(sweep(self.study, "-o", self.out, "--restart").returncode, 0)

    def test_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

        process = self.start(preexec_fn=limit)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(b"cannot write", errors)
        self.assertIn(f"routh sweep {self.study} -o {self.out} --resume".encode(), errors)
        self.assertFalse(self.out.exists())
        resumed = sweep(self.study, "-o", self.out, "--resume")
        self.assertEqual(resumed.returncode, 0)
        self.assertIn("resumed after", resumed.stderr)
        self.assertEqual(digest(self.out), self.expected())

    def test_nothing_to_resume(self):
        result = sweep(self.study, "-o", self.out, "--resume")
        self.assertEqual(result.returncode, 0)
        self.assertIn("there is no checkpoint", result.stderr)
        self.assertIn("anew", result.stderr)
        self.assertEqual(sweep(self.study, "-o", self.out, "--resume", "-q").stderr, "")

    def enlarge(self, factor):
        text = self.study.read_text(encoding="utf-8")
        self.study.write_text(text.replace(f"samples: {self.samples}", f"samples: {self.samples * factor}"), encoding="utf-8")
        self.samples *= factor

    def cut(self):
        """Leaves a checkpoint of some samples behind."""
        checkpoint = self.folder / "out.h5.checkpoint"
        for _ in range(8):
            process = self.start()
            seen = set()
            while len(seen) < 2 and process.poll() is None:  # the first is of nothing
                with contextlib.suppress(FileNotFoundError):
                    seen.add(checkpoint.read_bytes())
            process.kill()
            process.communicate()
            if checkpoint.exists():
                return
            self.out.unlink(missing_ok=True)  # it was done before this process had its turn
            self.enlarge(2)
        self.fail(f"{self.samples} samples were too quick")

    def test_rows_that_are_gone(self):
        self.cut()
        rows = self.folder / "out.h5.rows"
        rows.write_bytes(rows.read_bytes()[:100])
        self.assert_fails(sweep(self.study, "-o", self.out, "--resume"), 3, "out.h5.rows", "anew")
        rows.unlink()
        self.assert_fails(sweep(self.study, "-o", self.out, "--resume"), 3, "out.h5.rows", "anew")
        self.assertEqual(sweep(self.study, "-o", self.out, "--restart").returncode, 0)
        self.assertEqual(digest(self.out), self.expected())

    def test_a_file_that_the_study_names_has_changed(self):
        text = self.study.read_text(encoding="utf-8")
        start, end = text.index("problem: "), text.index("vary:")
        self.write("contact.yaml", text[start:end].replace("problem: ", "")[1:-2].replace(", contact_velocity", "\ncontact_velocity")
                   .replace(", friction", "\nfriction").replace(", restitution", "\nrestitution"))
        self.study.write_text(text[:start] + "problem: contact.yaml\n" + text[end:], encoding="utf-8")
        self.cut()
        problem = self.folder / "contact.yaml"
        problem.write_text(problem.read_text(encoding="utf-8").replace("3.4", "3.5"), encoding="utf-8")
        self.assert_fails(sweep(self.study, "-o", self.out, "--resume"), 3, "another study", "--restart")

    def test_folder_that_goes_away(self):
        self.enlarge(50)  # no more of it is done than until the folder goes
        process = self.start()
        while not (self.folder / "out.h5.checkpoint").exists() and process.poll() is None:
            time.sleep(0.001)
        moved = self.folder.with_name(self.folder.name + ".moved")
        self.folder.rename(moved)
        self.addCleanup(moved.rename, self.folder)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(b"cannot write", errors)

    def test_interrupted_in_the_middle_of_a_run(self):
        """Each run would take minutes: it is given up."""
        study = self.write("slow.yaml", f"""
study: 1
scene: {EXAMPLES / "rattleback.yaml"}
run: {{until: 1e5, max_steps: 1000000000}}
vary: {{'gravity[2]': {{from: -9.9, to: -9.7}}}}
sampling: {{method: random, samples: 100, seed: 1}}
measure: {{time: time}}
""")
        self.study = study
        process = self.start()
        while not (self.folder / "out.h5.checkpoint").exists() and process.poll() is None:
            time.sleep(0.005)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn(b"interrupted after 0 of 100 samples; go on with: routh sweep", errors)
        self.assertTrue((self.folder / "out.h5.checkpoint").exists())

    def test_memory_is_flat(self):
        study = self.write("flat.yaml", ROUGH % ("latin_hypercube", int(1000000 * SCALE), "false"))
        process = subprocess.Popen([ROUTH, "sweep", str(study), "--json"], stdout=subprocess.DEVNULL, env=environment())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        self.assertEqual(status, 0)
        if "ASAN_OPTIONS" not in os.environ and SCALE == 1:
            self.assertLess(usage.ru_maxrss, 100000)  # kB


if __name__ == "__main__":
    unittest.main()
