"""Files that are not what they should be: devices, pipes, links, files of others, limits, signals, kills.

Nothing hangs, nothing that is not ours is deleted or written to, and what is left can be resumed to the same bytes.
"""
import hashlib
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from support.program import EXAMPLES, ROUTH, SCALE, Case, environment, run  # noqa: E402
from support.studies import ROUGH  # noqa: E402

READERS = ("check", "simulate", "impact", "fit", "info", "sweep", "report", "diagnose", "contacts", "restitution", "referee",
           "convert", "export")
LOOPS = int(float(os.environ.get("ROUTH_TEST_SCALE", 1)) * 3) + 1


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Inputs(Case):

    def test_devices_and_pipes(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for command in READERS:
            for path in ("/dev/zero", "/dev/urandom", *((pipe,) if command in ("check", "fit", "report") else ())):
                with self.subTest(command=command, path=path):
                    began = time.monotonic()
                    result = run(command, path, "-o", self.folder / "out") if command == "export" else run(command, path)
                    self.assertIn(result.returncode, (1, 2, 3), result.stderr)
                    self.assertNotEqual(result.stderr, "")
                    self.assertLess(time.monotonic() - began, 20)

    def test_a_pipe_with_a_writer_is_read(self):
        result = run("impact", "/dev/stdin", stdin=(EXAMPLES / "kane.json").read_text(encoding="utf-8"))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_nothing_commands_the_terminal(self):
        for mark in (b"\x9b31m", b"\xc2\x9b31m", "\u202e".encode(), "\u2066".encode(), b"\x1b[2J"):
            mesh = self.write("m.obj", b"v " + mark + b"X 0 0\n")
            problem = self.write("p.json", b'{"' + mark + b'": 1}')
            scene = self.write("s.yaml", b"routh: 1\nname: '" + mark + b"'\nbodies: {'" + mark + b"': {}}\n")
            dae = self.write("m.dae", b"<COLLADA><asset><unit meter='" + mark + b"'/></asset></COLLADA>")
            for path in (mesh, problem, scene, dae):
                for command in ("check", "impact", "simulate"):
                    result = subprocess.run([ROUTH, command, str(path)], capture_output=True, env=environment(),
                                            timeout=60, check=False)
                    self.assertNotIn(mark, result.stdout + result.stderr, (mark, path, command))


class Others(Case):
    """Under the names that a study uses beside its result stand files of somebody else."""

    def setUp(self):
        super().setUp()
        self.study = self.write("study.yaml", ROUGH % ("random", 2000, "true"))
        self.out = self.folder / "out.h5"

    def sweep(self, *arguments):
        return run("sweep", self.study, "-o", self.out, *arguments)

    def test_files_in_the_way_stay(self):
        for end in ("rows", "lock", "checkpoint"):
            for arguments in ((), ("--restart",), ("--resume",)):
                with self.subTest(end=end, arguments=arguments):
                    path = self.write(f"out.h5.{end}", "a diary")
                    self.assert_fails(self.sweep(*arguments), 1, f"out.h5.{end}", "in the way")
                    self.assertEqual(path.read_text(), "a diary")
                    path.unlink()
                    self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["study.yaml"])

    def test_links_are_not_followed(self):
        target = self.folder / "elsewhere"
        for end in ("rows", "lock", "checkpoint"):
            for content in (None, "", "a diary"):
                with self.subTest(end=end, content=content):
                    target.unlink(missing_ok=True)
                    if content is not None:
                        target.write_text(content)
                    link = self.folder / f"out.h5.{end}"
                    link.symlink_to(target)
                    self.assertEqual(self.sweep("--restart").returncode, 1)
                    self.assertEqual(target.read_text() if content is not None else None, content)
                    self.assertEqual(target.exists(), content is not None)
                    link.unlink()

    def test_damaged_rows_are_noticed(self):
        chance = random.Random(3)
        self.study.write_text(ROUGH % ("random", 300000, "true"))
        process = subprocess.Popen([ROUTH, "sweep", str(self.study), "-o", str(self.out), "--checkpoint", "0.01"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
        rows = self.folder / "out.h5.rows"
        while process.poll() is None and (not rows.exists() or rows.stat().st_size < 20000):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        self.assertEqual(process.returncode, 130)
        whole = rows.read_bytes()
        for _ in range(LOOPS):
            damaged = bytearray(whole)
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
            rows.write_bytes(damaged)
            result = self.sweep("--resume")
            self.assertIn(result.returncode, (1, 3), result.stderr)
            self.assertEqual(rows.read_bytes()[:len(damaged)], damaged)
        rows.write_bytes(whole)
        self.assertEqual(self.sweep("--resume").returncode, 0)


class Places(Case):
    """What cannot be written is told before the work, not after it."""

    def test_outputs_without_a_place(self):
        throws = EXAMPLES / "throws"
        (self.folder / "folder").mkdir()
        for words in (("simulate", EXAMPLES / "woodpecker.yaml", "--until", 1e6, "-o"),
                      ("show", EXAMPLES / "four_bar.yaml", "--svg"),
                      ("validate", throws, "--scene", throws / "disc.yaml", "--csv"),
                      ("identify", throws, "--scene", throws / "disc.yaml", "--set", "surfaces.floor.friction=0:1", "-o")):
            for place, word in (("folder", "it is a folder"), ("nowhere/out", "there is no folder")):
                with self.subTest(command=words[0], place=place):
                    self.assert_fails(run(*words, self.folder / place), 1, word)
            self.assert_fails(run(*words, ""), 2, "empty word")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["folder"])

    def test_a_checkpoint_of_somebody_else(self):
        """`identify --restart` wrote over a file of that name, and deleted it."""
        throws, out = EXAMPLES / "throws", self.folder / "out.json"
        diary, beside = self.write("diary", "dear diary"), self.folder / "out.json.checkpoint"
        for make in (lambda: beside.write_text("dear diary"), lambda: beside.symlink_to(diary)):
            make()
            for start in ((), ("--restart",), ("--resume",)):
                result = run("identify", throws, "--scene", throws / "disc.yaml", "--set", "surfaces.floor.friction=0:0.6",
                             "-o", out, *start)
                self.assert_fails(result, 1, "out.json.checkpoint' is in the way")
                self.assertEqual((beside.read_text(), diary.read_text()), ("dear diary", "dear diary"))
            beside.unlink()

    def test_a_damaged_checkpoint_of_identify(self):
        throws, beside = EXAMPLES / "throws", self.folder / "out.json.checkpoint"
        common = ("identify", throws, "--scene", throws / "disc.yaml", "--set", "surfaces.floor.friction=0:0.6",
                  "--set", "surfaces.floor.restitution=0.2:1", "--threads", "1", "-o", self.folder / "out.json")
        process = subprocess.Popen([ROUTH, *map(str, common)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=environment())
        while not beside.exists() and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        whole, chance = beside.read_bytes(), random.Random(27)
        for number in range(4 * LOOPS):
            damaged = bytearray(whole)
            at = chance.randrange(len("routh identify "), len(whole))
            if number % 2:
                damaged = damaged[:at]
            else:
                damaged[at] = ord("7") if damaged[at] != ord("7") else ord("8")
            beside.write_bytes(damaged)
            with self.subTest(number=number, at=at):
                self.assert_fails(run(*common, "--resume"), 3, "out.json.checkpoint:1:1: error", "--restart")


class Memory(Case):

    def within(self, kibibytes, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (kibibytes << 10, kibibytes << 10))
        return subprocess.run([ROUTH, *map(str, arguments)], capture_output=True, env=environment(), timeout=60,
                              check=False, text=True, errors="replace", preexec_fn=limit)

    def least(self):
        """With how much the program reaches its first line: libraries that HDF5 brings along take theirs before that."""
        low, high = 0, 1 << 20
        while high - low > 64:
            middle = (low + high) // 2
            if self.within(middle, "--version").returncode == 0:
                high = middle
            else:
                low = middle
        return high

    def test_memory_that_ends(self):
        """Under `ulimit -v` from hardly anything to enough: done, or told, and nothing by half; HDF5 does not crash."""
        kept, out = self.folder / "kept.h5", self.folder / "out"
        self.assertEqual(run("simulate", "-q", EXAMPLES / "superball.yaml", "--until", 0.05, "-o", kept).returncode, 0)
        least = self.least() + 256
        chance = random.Random(11)
        for arguments in (("simulate", "-q", EXAMPLES / "superball.yaml", "--until", 0.02, "-o", out),
                          ("simulate", "-q", "--resume", kept, "--until", 0.06, "-o", out), ("compare", kept, kept),
                          ("report", kept, "-o", out), ("check", EXAMPLES / "quadruped.yaml"),
                          ("impact", EXAMPLES / "kane.json", "--json")):
            for number in range(2 * LOOPS):
                more = 200 * number if number % 2 else chance.randrange(48 << 10)
                for path in self.folder.iterdir():
                    if path != kept:
                        path.unlink()
                result = self.within(least + more, *arguments)
                with self.subTest(arguments=arguments, more=more):
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                    if result.returncode == 1:
                        self.assertIn("out of memory", result.stderr)
                        self.assertFalse(out.exists())
                    for path in self.folder.iterdir():
                        self.assertIn(path.name, ("kept.h5", "out"))


class Ends(Case):
    """Runs that are ended from outside."""

    def start(self, *arguments, **keywords):
        return subprocess.Popen([ROUTH, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=environment(), **keywords)

    def simulate(self, out):
        return self.start("simulate", "-q", EXAMPLES / "woodpecker.yaml", "--until", 100000, "--samples", 1, "-o", out)

    def test_signals_end_a_run_alike(self):
        chance = random.Random(5)
        for k in range(3 * LOOPS):
            which = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[k % 3]
            out = self.folder / f"run{k}.h5"
            process = self.simulate(out)
            time.sleep(chance.uniform(0, 0.1) if k % 2 else chance.uniform(0.1, 0.5))
            process.send_signal(which)
            _, errors = process.communicate(timeout=60)
            with self.subTest(k=k, signal=which):
                # Before main the program has no handler and nothing to lose.
                self.assertIn(process.returncode, (130, -which), errors)
                left = [path.name for path in self.folder.iterdir()]
                self.assertIn(left, ([], [out.name]))
                if left:
                    told = run("compare", out, out)
                    self.assertEqual(told.returncode, 0, told.stderr)
                    out.unlink()

    def test_a_limit_on_the_size_of_files(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))
        process = self.start("simulate", EXAMPLES / "woodpecker.yaml", "--until", 0.5, "-o", self.folder / "out.h5",
                             preexec_fn=limit)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(b"File too large", errors)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_killed_runs_leave_the_old_file(self):
        chance = random.Random(7)
        out = self.folder / "out.h5"
        self.assertEqual(run("simulate", "-q", EXAMPLES / "superball.yaml", "--until", 0.1, "-o", out).returncode, 0)
        before = digest(out)
        for _ in range(LOOPS):
            process = self.simulate(out)
            time.sleep(chance.uniform(0, 0.4))
            process.kill()
            process.communicate(timeout=60)
            self.assertEqual(digest(out), before)

    def test_resumed_runs_are_the_same(self):
        """Cut anywhere, the parts are the whole, number by number."""
        chance = random.Random(9)
        for scene in ("woodpecker", "superball", "newton_cradle")[:1 if SCALE < 1 else 3]:
            common = ("-q", "--samples", 0.002)
            whole, part, rest = (self.folder / name for name in ("whole.h5", "part.h5", "rest.h5"))
            file = EXAMPLES / f"{scene}.yaml"
            self.assertEqual(run("simulate", file, *common, "--until", 0.6, "-o", whole).returncode, 0)
            for _ in range(LOOPS // 2):
                at = chance.uniform(0.01, 0.55)
                self.assertEqual(run("simulate", file, *common, "--until", at, "-o", part).returncode, 0)
                self.assertEqual(run("simulate", "-q", "--resume", part, "--until", 0.6, "-o", rest).returncode, 0)
                result = run("compare", "--rtol", 0, "--atol", 0, whole, rest)
                self.assertEqual(result.returncode, 0, (scene, at, result.stdout))


if __name__ == "__main__":
    unittest.main(verbosity=0)
