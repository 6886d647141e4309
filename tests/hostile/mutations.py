"""Seeded mutants of every format the program reads.

Whatever the input: an exit code of the program's own, no signal, a message where it fails, no NaN on standard output,
and nothing that commands a terminal. ROUTH_TEST_SCALE multiplies how many there are; the seed is printed on failure.
"""
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from support.program import EXAMPLES, ROUTH, SOURCE, Case, environment, run  # noqa: E402
from support.studies import ROUGH  # noqa: E402

COUNT = max(2, int(float(os.environ.get("ROUTH_TEST_SCALE", 1)) * 10))
DATA = SOURCE / "tests" / "data"
NUMBERS = [b"0", b"-1", b"1e308", b"-1e308", b"1e-320", b"nan", b"inf", b"2147483648", b"18446744073709551616", b"1.5",
           b"0x10", b"", b"1,5", b"99999999999999999999999999"]
REFUSAL = r"error: .+(; \S|must|expected)"  # with a remedy, or what is allowed
COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def mutate(text, chance):
    """One to eight changes: of a byte, a number, a line, a stretch."""
    text = bytearray(text)
    for _ in range(chance.randint(1, 8)):
        kind = chance.randrange(7)
        at = chance.randrange(len(text) + 1)
        numbers = [match.span() for match in re.finditer(rb"-?\d+(\.\d+)?([eE][-+]?\d+)?", text)] if kind < 3 else []
        lines = text.split(b"\n")
        if numbers:
            first, last = chance.choice(numbers)
            text[first:last] = chance.choice(NUMBERS)
        elif kind == 3 and text:
            text[at % len(text)] = chance.randrange(256)
        elif kind == 4:
            del text[at:at + chance.randint(1, 40)]
        elif kind == 5:
            text[at:at] = text[at // 2:at // 2 + chance.randint(1, 60)]
        else:
            line = chance.randrange(len(lines))
            if chance.random() < 0.5:
                lines.insert(line, chance.choice(lines))
            else:
                del lines[line]
            text = bytearray(b"\n".join(lines))
    return bytes(text)


def sealed(content):
    """A run file's bytes with a seal that fits them."""
    return content + b"\nend of routh run\n\n\n" + struct.pack("<QI", len(content), zlib.crc32(content))


class Mutants(Case):

    def campaign(self, name, kept, *commands):
        """Each mutant, written under the name of the file, goes through every command (FILE stands for it)."""
        codes = {}
        for number in range(COUNT):
            chance = random.Random(f"{name} {number}")
            path = self.write(name, mutate(kept, chance))
            for command in commands:
                words = [str(path) if word == "FILE" else str(word) for word in command]
                result = subprocess.run([ROUTH, *words], capture_output=True, env=environment(), timeout=120,
                                        check=False, cwd=self.folder)
                self.judge(result, f"{name}, mutant {number}, {words}")
                codes[result.returncode] = codes.get(result.returncode, 0) + 1
        self.assertGreater(sum(count for code, count in codes.items() if code != 0), 0, "every mutant was sound")

    def judge(self, result, what):
        out, errors = result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")
        self.assertIn(result.returncode, (0, 1, 2, 3, 4, 5), f"{what}\n{errors[-2000:]}")
        self.assertNotRegex(out, r"(?i)(?<![a-z])-?nan(?![a-z])", what)
        if result.returncode != 0:
            self.assertNotEqual(errors, "", what)
        self.assertIsNone(COMMANDS.search(out + errors), f"{what}\n{errors[-500:]!r}")
        if result.returncode == 3:
            self.assertRegex(errors, REFUSAL, what)

    def test_scenes(self):
        self.campaign("scene.yaml", (EXAMPLES / "woodpecker.yaml").read_bytes(), ("check", "FILE"),
                      ("simulate", "FILE", "--until", "0.01", "--engine", "stepping"))

    def test_a_joint_beyond_all_numbers(self):
        """Found by these mutants: the steps met a contact problem without numbers, told without a file, exit code 3."""
        text = (EXAMPLES / "quadruped_stand.yaml").read_text(encoding="utf-8")
        scene = self.write("far.yaml", text.replace("position: -1.2}", "position: 99999999999999999999999999}"))
        result = run("simulate", scene, "--until", 0.01, "--engine", "stepping", "-o", self.folder / "out.h5")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("left the range of numbers", result.stderr)

    def test_places_beyond_all_numbers(self):
        """Found by mutants of numbers: a place without a square in the file, or given beside the file."""
        text = (EXAMPLES / "two_bodies.yaml").read_text(encoding="utf-8")
        scene = self.write("far.yaml", text.replace("[0.15, 0.05, ", "[0.15, 1e308, "))
        self.assertIn("1e308", scene.read_text(encoding="utf-8"))
        for words in (("info", scene), ("info", EXAMPLES / "superball.yaml", "--q", "1e308", "0", "0")):
            self.assert_fails(run(*words), 3, "the potential energy at the start leaves the range of numbers; check")

    def test_problems(self):
        self.campaign("problem.json", (EXAMPLES / "kane.json").read_bytes(), ("impact", "FILE"), ("diagnose", "FILE"))

    def test_contacts(self):
        self.campaign("table.json", (EXAMPLES / "table.json").read_bytes(), ("contacts", "FILE"), ("check", "FILE"))

    def test_laws_of_contact_force(self):
        self.campaign("steel.json", (EXAMPLES / "steel.json").read_bytes(), ("restitution", "FILE"), ("impact", "FILE"))
        self.campaign("painleve.json", (EXAMPLES / "painleve.json").read_bytes(), ("referee", "FILE"))

    def test_robots(self):
        self.campaign("robot.urdf", (DATA / "robots" / "arm.urdf").read_bytes(), ("check", "FILE"))
        self.campaign("robot.xml", (DATA / "robots" / "mjcf_zoo.xml").read_bytes(), ("check", "FILE"))

    def test_meshes(self):
        scene = "routh: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {kind: free}, shapes: " \
                "{m: {kind: mesh, file: %s}}}}\n"
        for name in ("bracket.dae", "bracket.obj", "bracket.stl", "die.stl"):
            self.write("scene.yaml", scene % name)
            self.campaign(name, (DATA / "meshes" / name).read_bytes(), ("check", "scene.yaml"))

    def test_studies_and_tables(self):
        self.campaign("study.yaml", (ROUGH % ("random", 20, "false")).encode(), ("sweep", "FILE"))
        rows = (EXAMPLES / "rod_impacts.csv").read_bytes().split(b"\n")[:14]
        self.campaign("data.csv", b"\n".join(rows) + b"\n", ("fit", "FILE", "--problem", EXAMPLES / "rod.json"))

    def test_runs(self):
        """With a seal that fits, so that HDF5 and the reader see what was changed."""
        path = self.folder / "kept.h5"
        self.assertEqual(run("simulate", "-q", EXAMPLES / "superball.yaml", "--until", 0.05, "-o", path).returncode, 0)
        content = path.read_bytes()[:-32]
        for number in range(COUNT):
            chance = random.Random(f"run {number}")
            damaged = bytearray(content)
            for _ in range(chance.choice((1, 1, 4, 200))):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            damaged = damaged[:chance.choice((len(damaged), len(damaged), chance.randrange(len(damaged))))]
            mutant = self.write("mutant.h5", sealed(bytes(damaged)))
            for words in (("compare", mutant, mutant), ("simulate", "-q", "--resume", mutant, "--until", "0.06")):
                result = subprocess.run([ROUTH, *map(str, words)], capture_output=True, env=environment(), timeout=120,
                                        check=False)
                self.judge(result, f"run {number}, {words}")

    def test_the_mutants_are_the_same_every_time(self):
        kept = (EXAMPLES / "kane.json").read_bytes()
        self.assertEqual(mutate(kept, random.Random("a")), mutate(kept, random.Random("a")))
        self.assertNotEqual(mutate(kept, random.Random("a")), kept)


if __name__ == "__main__":
    unittest.main(verbosity=0)
