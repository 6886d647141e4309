"""Runs the program under test. ROUTH names it, ROUTH_SOURCE the repository."""
import fcntl
import os
import pathlib
import pty
import struct
import subprocess
import tempfile
import termios
import time
import unittest

ROUTH = os.environ["ROUTH"]
SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
EXAMPLES = SOURCE / "examples"
SCALE = min(1, float(os.environ.get("ROUTH_TEST_SCALE", 1)))  # below one where the program is slow: under sanitizers

# For tests that ask whether numbers are right, or the same, in code that other tests reach, too, and that would take
# most of the time under sanitizers: there `./test --long` runs them.
full_scale = unittest.skipIf(SCALE < 0.1, "left to ./test --long")


def environment(**changes):
    """A clean environment: UTF-8, no colour wishes from outside."""
    env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "LC_CTYPE", "LANG")}
    env["LC_ALL"] = "C.UTF-8"
    env["TERM"] = "xterm"
    env.update(changes)
    return env


def run(*arguments, stdin="", **changes):
    """Runs to the end; stdout and stderr as text."""
    return subprocess.run([ROUTH, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                          encoding="utf-8", env=environment(**changes), timeout=300, check=False)


def await_handler(process, signal):
    """Waits until the program catches the signal: on a busy machine no pause is long enough."""
    while process.poll() is None:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        caught = next(line for line in status.splitlines() if line.startswith("SigCgt:")).split()[1]
        if int(caught, 16) >> (signal - 1) & 1:
            return
        time.sleep(0.005)


class Case(unittest.TestCase):
    """A test with a scratch folder."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def assert_fails(self, result, code, *words):
        """The exit code, nothing on stdout, and a message on stderr that holds the words."""
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)

    def assert_narrow(self, text):
        for line in text.splitlines():
            self.assertLessEqual(len(line.replace("\u0307", "")), 80, line)
            self.assertEqual(line, line.rstrip(), "blanks at the end of a line")


def on_a_terminal(*arguments, columns=0, **changes):
    """What the program writes to a terminal, with so many columns, and its exit code."""
    master, slave = pty.openpty()
    if columns:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen([ROUTH, *map(str, arguments)], stdout=slave, stderr=subprocess.DEVNULL,
                          env=environment(**changes)) as process:
        os.close(slave)
        text = b""
        while True:
            try:
                block = os.read(master, 65536)
            except OSError:
                break
            if not block:
                break
            text += block
    os.close(master)
    return text, process.returncode
