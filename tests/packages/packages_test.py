"""What is shipped agrees with itself: one version and date everywhere, manual pages that say all that the help says, a
wheel and a source tarball that are what their formats ask for. The packages themselves are used by
tools/check_packages, in `./test --long`.

    $ROUTH is the program, $ROUTH_VERSION the version of the project."""
import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from email.parser import HeaderParser

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUTH = os.environ["ROUTH"]
VERSION = os.environ["ROUTH_VERSION"]
sys.path.insert(0, str(ROOT / "python"))
sys.dont_write_bytecode = True
import routh_backend  # noqa: E402


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def words_of(page):
    """The words of a manual page, without what troff is told and without full stops."""
    page = re.sub(r"^\.\S+ ?", "", page, flags=re.MULTILINE)
    for mark, meant in ((r"\(ha", "^"), (r"\(ti", "~"), (r"\(ga", "`"), (r"\fB", ""), (r"\fI", ""), (r"\fR", ""), (r"\&", ""),
                        (r"\-", "-"), (r"\e", "\\")):
        page = page.replace(mark, meant)
    return {word.rstrip(".") for word in page.split()}


class Version(unittest.TestCase):
    def test_is_the_same_everywhere(self):
        citation = text("CITATION.cff")
        self.assertIn(f"\nversion: {VERSION}\n", citation)
        self.assertRegex(citation, r"\ndate-released: \d{4}-\d\d-\d\d\n")
        for file in re.findall(r"routh[_-]?(?:dev|mpi)?[_-]\d+\.\d+\.\d+", text("docs/install.md") + text("README.md")):
            self.assertTrue(file.endswith(VERSION), file)
        self.assertEqual(routh_backend.version(), VERSION)


class Manual(unittest.TestCase):
    def test_says_all_that_the_help_says(self):
        with tempfile.TemporaryDirectory() as work:
            subprocess.run([sys.executable, "-B", ROOT / "tools/write_manual", ROUTH, work], check=True)
            pages = {path.stem: words_of(path.read_text(encoding="utf-8")) for path in pathlib.Path(work, "man1").iterdir()}
            for shell in ("bash/routh", "zsh/_routh", "fish/routh.fish"):
                self.assertIn("simulate", pathlib.Path(work, shell).read_text(encoding="utf-8"))
        program = subprocess.run([ROUTH, "--help"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        commands = re.findall(r"^  ([a-z]+) {2,}", program.partition("Subcommands:")[2].partition("\n\n")[0], re.MULTILINE)
        self.assertGreater(len(commands), 10)
        self.assertEqual(set(pages), {"routh"} | {f"routh-{command}" for command in commands})
        for name, page in pages.items():
            help_text = program if name == "routh" else subprocess.run(
                [ROUTH, name[6:], "--help"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
            # Headings and the marks of CLI11 have other words in a manual page.
            dropped = {"REQUIRED", "Usage:", "Options:", "Positionals:", "Subcommands:", "Exit", "codes:", "Routh:"}
            for word in help_text.split():
                word = word.partition(":POSITIVE")[0].partition(":NONNEGATIVE")[0]
                if word not in dropped and word.rstrip(".") not in page:
                    self.fail(f"{name}.1 lacks '{word}'")


class Wheel(unittest.TestCase):
    """Of a package that holds a text instead of a compiled module: the format is the same."""

    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        folder = pathlib.Path(self.work.name)
        staged = folder / "build/python"
        (folder / "page.html").write_text("<html></html>")
        subprocess.run([sys.executable, "-B", ROOT / "python/stage.py", "--version", VERSION, "--source", ROOT / "python/routh",
                        "--package", staged / "routh", "--page", folder / "page.html"], check=True)
        self.name = routh_backend.build_wheel(folder, {"build-dir": str(folder / "build")})
        self.wheel = zipfile.ZipFile(folder / self.name)
        self.addCleanup(self.wheel.close)
        self.info = f"routh-{VERSION}.dist-info/"

    def test_lists_every_file_with_its_sum(self):
        rows = list(csv.reader(io.StringIO(self.wheel.read(self.info + "RECORD").decode())))
        self.assertEqual(sorted(row[0] for row in rows), sorted(self.wheel.namelist()))
        for path, digest, size in rows:
            if path.endswith("/RECORD"):
                self.assertEqual((digest, size), ("", ""))
                continue
            content = self.wheel.read(path)
            found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            self.assertEqual((digest, size), ("sha256=" + found, str(len(content))), path)

    def test_names_the_tags_it_is_for(self):
        told = HeaderParser().parsestr(self.wheel.read(self.info + "WHEEL").decode())
        self.assertEqual(self.name, f"routh-{VERSION}-{told['Tag']}.whl")
        self.assertEqual(told["Root-Is-Purelib"], "false")

    def test_metadata_are_complete(self):
        told = HeaderParser().parsestr(self.wheel.read(self.info + "METADATA").decode())
        self.assertEqual((told["Name"], told["Version"]), ("routh", VERSION))
        for key in ("Summary", "Author", "License", "Keywords", "Classifier", "Requires-Python", "Description-Content-Type"):
            self.assertTrue(told[key], key)
        self.assertIn("numpy", told.get_all("Requires-Dist"))
        self.assertIn("import numpy as np, routh", told.get_payload())
        self.assertEqual({"LICENSE", "copyright"} - {pathlib.Path(name).name for name in self.wheel.namelist()}, set())
        self.assertNotIn(self.info + "INSTALLER", self.wheel.namelist())

    def test_a_build_of_another_version_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no package of version"):
            routh_backend.build_wheel(self.work.name, {"build-dir": self.work.name})


class Sources(unittest.TestCase):
    def test_tarball_has_what_is_built_from(self):
        with tempfile.TemporaryDirectory() as work:
            name = routh_backend.build_sdist(work)
            with tarfile.open(pathlib.Path(work) / name) as tar:
                names = set(tar.getnames())
                top = f"routh-{VERSION}"
                self.assertEqual({path.split("/")[0] for path in names}, {top})
                for file in ("CMakeLists.txt", "run", "README.md", "LICENSE", "pyproject.toml", "PKG-INFO", "src/CMakeLists.txt",
                             "viewer/package-lock.json", "cmake/debian/copyright"):
                    self.assertIn(f"{top}/{file}", names)
                self.assertFalse([path for path in names if path.startswith(f"{top}/build/") or "/.git/" in path])
                self.assertTrue(tar.getmember(f"{top}/run").mode & 0o100)


if __name__ == "__main__":
    unittest.main()
