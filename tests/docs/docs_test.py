"""The documentation: its site builds, its links lead somewhere, its commands print what the pages say, its C++ compiles.

$ROUTH is the program, $ROUTH_SOURCE the root of the sources, $ROUTH_CXX a compiler with $ROUTH_INCLUDE, folders of
headers with colons between them."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import console
import notebook
from console import SOURCE

BUILD = SOURCE / "tools" / "build_docs"
PAGES = sorted((SOURCE / "docs").glob("*.md"))


def build(*arguments, root=SOURCE):
    return subprocess.run([sys.executable, "-B", str(BUILD), "--root", str(root), *map(str, arguments)],
                          capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Site(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def test_no_link_is_broken(self):
        result = build("--check")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^\d+ pages and \d+ other files, \d+ links, none broken\n$")

    def test_same_sources_same_bytes(self):
        for name in ("one", "two", "one"):  # the third replaces the first
            self.assertEqual(build(self.folder / name).returncode, 0)
        site = tree(self.folder / "one")
        self.assertEqual(site, tree(self.folder / "two"))
        for page in PAGES:
            self.assertIn(page.stem + ".html", site)
        for picture in (SOURCE / "docs" / "gallery").glob("*.svg"):
            self.assertIn(f"gallery/{picture.name}", site)

    def test_pages_are_closed_in_themselves(self):
        self.assertEqual(build(self.folder / "site").returncode, 0)
        for name, content in tree(self.folder / "site").items():
            if not name.endswith(".html"):
                continue
            text = content.decode("utf-8")
            self.assertNotIn("<script", text, name)
            folder = (self.folder / "site" / name).parent
            for target in re.findall(r'(?:href|src)="([^"]+)"', text):
                path, _, anchor = target.partition("#")
                if re.match(r"(https?|mailto|data):", target):
                    continue
                goal = folder / path if path else self.folder / "site" / name
                self.assertTrue(goal.is_file(), f"{name}: {target}")
                if anchor and goal.suffix == ".html":
                    self.assertIn(f'id="{anchor}"', goal.read_text(encoding="utf-8"), f"{name}: {target}")

    def test_a_folder_with_other_things_is_left_alone(self):
        (self.folder / "mine.txt").write_text("x", encoding="utf-8")
        result = build(self.folder)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("is no site", result.stderr)
        self.assertEqual(list(tree(self.folder)), ["mine.txt"])


class BrokenLinks(unittest.TestCase):
    """A small repository with one mistake."""

    def check(self, text, readme="# r\n"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            listed = BUILD.read_text(encoding="utf-8").partition("SECTIONS = [")[2].partition("ORDER =")[0]
            names = re.findall(r'\("([\w-]+)", "', listed)
            for name in names:
                (root / "docs" / f"{name}.md").write_text(f"# {name}\n## A part\n", encoding="utf-8")
            (root / "data.csv").write_text("1", encoding="utf-8")
            (root / "docs" / "map.md").write_text(text, encoding="utf-8")
            (root / "README.md").write_text(readme, encoding="utf-8")
            result = build("--check", root=root)
            return result.returncode, result.stderr

    def test_sound(self):
        self.assertEqual(self.check("# m\n[a](index.md) [b](index.md#a-part) [c](#m) [d](../data.csv) `[e](none.md)`\n"),
                         (0, ""))

    def test_no_such_page(self):
        code, text = self.check("# m\n\none\ntwo [a](none.md)\n")
        self.assertEqual(code, 1)
        self.assertIn("docs/map.md:4: broken link 'none.md': there is no file docs/none.md", text)

    def test_files_beside_the_site(self):
        code, text = self.check("# m\n", readme="# r\n\n[a](docs/map.md#m) [b](docs/mop.md)\n")
        self.assertEqual(code, 1)
        self.assertEqual(text, "README.md:3: broken link 'docs/mop.md': there is no file docs/mop.md\n")

    def test_no_such_heading_in_a_table(self):
        code, text = self.check("# m\n\n| a | b |\n|---|---|\n| 1 | [x](index.md#a-prat) |\n")
        self.assertEqual(code, 1)
        self.assertIn("docs/map.md:5: broken link 'index.md#a-prat'", text)
        self.assertIn("did you mean '#a-part'?", text)

    def test_no_such_file_or_picture(self):
        code, text = self.check("# m\n![p](gallery/p.svg)\n[f](../data.txt)\n[o](../../etc)\n")
        self.assertEqual(code, 1)
        for line in ("docs/map.md:2: ", "docs/map.md:3: ", "docs/map.md:4: broken link '../../etc': it leads out"):
            self.assertIn(line, text)


class Console(unittest.TestCase):
    """Every command of every page prints what the page shows."""

    def test_what_the_pages_show(self):
        page_built = console.has_page()
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            for block, listed, outputs in console.examine(text, page_built):
                line = text.count("\n", 0, block.start()) + 1
                self.assertEqual(len(outputs), len(listed), f"{page.name}:{line}: a command ended the shell")
                for (shown, expected), actual in zip(listed, outputs):
                    actual = "\n".join(row.rstrip() for row in actual.splitlines())
                    with self.subTest(page=page.name, line=line, command=shown[0]):
                        if not console.agrees(expected, actual):
                            self.assertEqual(actual, expected)

    def test_wildcards(self):
        self.assertTrue(console.agrees("a\n…\nd 1…", "a\nb\nc\nd 1.5\n"))
        self.assertTrue(console.agrees("a\n…", "a\n"))
        self.assertFalse(console.agrees("a\n…\nd", "a\nb\n"))
        self.assertFalse(console.agrees("", "a\n"))

    def test_rounding(self):
        self.assertTrue(console.agrees("a 4.72e-07, 0.45\n…\nb 0.0733179816990579", "a 4.73e-07, 0.45\nb 0.07331798169905941\n"))
        self.assertTrue(console.agrees("1.05 J", "1.06 J"))
        self.assertFalse(console.agrees("1.05 J", "1.07 J"))
        self.assertFalse(console.agrees("-1.05 J", "1.05 J"))
        self.assertFalse(console.agrees("3 events", "4 events"))
        self.assertFalse(console.agrees("a.c", "abc\n"))


@unittest.skipUnless("PYTHONPATH" in os.environ, "no Python package was named")
class Notebook(unittest.TestCase):
    """Every Python block of every page prints what the page shows."""

    def test_what_the_pages_show(self):
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            found = notebook.blocks(text)
            if not found:
                continue
            outputs = notebook.run([code for _, code, _ in found])
            for (match, code, expected), actual in zip(found, outputs):
                line = text.count("\n", 0, match.start()) + 1
                with self.subTest(page=page.name, line=line):
                    if not console.agrees(expected, actual + "\n" if actual else ""):
                        self.assertEqual(actual, expected, code)


@unittest.skipUnless("ROUTH_CXX" in os.environ, "no compiler was named")
class Programs(unittest.TestCase):
    """Blocks marked `cpp complete` are whole programs."""

    def test_complete_programs_compile(self):
        block = re.compile(r"^```cpp complete\n(.*?)^```$", re.M | re.S)
        programs = [(page.name, body) for page in PAGES for body in block.findall(page.read_text(encoding="utf-8"))]
        self.assertGreaterEqual(len(programs), 1)
        folders = [word for folder in os.environ["ROUTH_INCLUDE"].split(":") if folder for word in ("-isystem", folder)]
        for number, (name, body) in enumerate(programs):
            with tempfile.TemporaryDirectory() as folder, self.subTest(page=name, number=number):
                path = pathlib.Path(folder) / "program.cpp"
                path.write_text(body, encoding="utf-8")
                result = subprocess.run([os.environ["ROUTH_CXX"], "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra",
                                         "-Werror", *folders, str(path)],
                                        capture_output=True, text=True, check=False, timeout=300)
                self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
