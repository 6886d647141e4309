"""`routh examples`: the list, copies, mistakes; and what holds for every scene in it."""
import json
import os
import re
import unittest

from support.examples import Example
from support.program import EXAMPLES, SOURCE, Case, run

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


def head(name):
    """The comment at the top of a scene: title and paragraphs."""
    text = (EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
    title, *lines = [line[1:].strip() for line in re.match(r"(?:#.*\n)+", text).group().splitlines()]
    return title, [" ".join(part.split("\n")) for part in "\n".join(lines).split("\n\n")]


class Command(Case):
    def copy(self, *arguments, **changes):
        """Runs in the scratch folder."""
        here = os.getcwd()
        os.chdir(self.folder)
        try:
            return run("examples", *arguments, **changes)
        finally:
            os.chdir(here)

    def test_list(self):
        for encoding in ("C.UTF-8", "C"):
            result = run("examples", LC_ALL=encoding)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assert_narrow(result.stdout)
            lines = result.stdout.split("\n\n")[0].splitlines()
            self.assertEqual([line.split()[0] for line in lines], NAMES)
        for line, name in zip(run("examples").stdout.splitlines(), NAMES):
            self.assertEqual(line.split(maxsplit=1)[1], head(name)[0])

    def test_list_as_json(self):
        answer = json.loads(run("examples", "--json").stdout)
        self.assertEqual(answer["schema"], 1)
        self.assertEqual([scene["name"] for scene in answer["examples"]], NAMES)
        for scene in answer["examples"]:
            self.assertEqual((scene["title"], scene["description"]), head(scene["name"]))

    def test_every_scene_comes_out_as_it_is(self):
        for name in NAMES:
            result = self.copy(name)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assert_narrow(result.stdout)
            self.assertIn(f"routh simulate {name}.yaml", result.stdout)
            path = self.folder / f"{name}.yaml"
            self.assertEqual(path.read_bytes(), (EXAMPLES / f"{name}.yaml").read_bytes())
            self.assertEqual(run("check", path).returncode, 0)
            self.assert_narrow(self.copy(name, "--force", LC_ALL="C").stdout)
        self.assertEqual(sorted(os.listdir(self.folder)), [f"{name}.yaml" for name in NAMES])

    def test_where_it_goes(self):
        whole = (EXAMPLES / "kane.yaml").read_text(encoding="utf-8")
        self.assertEqual(self.copy("kane", "-o", "-").stdout, whole)
        self.assertEqual(self.copy("kane.yaml", "--output", "-").stdout, whole)
        self.assertEqual(os.listdir(self.folder), [])
        for output, path in (("my scene.yaml", "my scene.yaml"), (".", "kane.yaml"), ("sub", "sub/kane.yaml"),
                             ("-odd.yaml", "-odd.yaml")):
            (self.folder / "sub").mkdir(exist_ok=True)
            result = self.copy("kane", f"--output={output}")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual((self.folder / path).read_text(encoding="utf-8"), whole)
        self.assertIn("routh simulate 'my scene.yaml'", self.copy("kane", "--force", "-o", "my scene.yaml").stdout)
        self.assertEqual(json.loads(self.copy("kane", "--json", "-o", "other.yaml").stdout)["path"], "other.yaml")
        self.assert_fails(self.copy("kane", "-o", "none/kane.yaml"), 1, "cannot write 'none/kane.yaml'")

    def test_nothing_is_overwritten(self):
        path = self.write("kane.yaml", "mine\n")
        self.assert_fails(self.copy("kane"), 1, "'kane.yaml' exists", "--force")
        self.assertEqual(path.read_text(encoding="utf-8"), "mine\n")
        self.assertEqual(self.copy("kane", "--force").returncode, 0)
        self.assertIn("routh: 1", path.read_text(encoding="utf-8"))
        self.assertEqual(os.listdir(self.folder), ["kane.yaml"])

    def test_mistakes(self):
        self.assert_fails(run("examples", "ratleback"), 2, "unknown example 'ratleback'", "did you mean 'rattleback'?")
        self.assert_fails(run("examples", "../kane"), 2, "unknown example")
        self.assert_fails(run("examples", "\x1b[31m"), 2, "unknown example")
        self.assertNotIn("\x1b", run("examples", "\x1b[31m").stderr)
        self.assert_fails(run("examples", "-o", "x.yaml"), 2, "NAME")
        self.assert_fails(run("examples", "kane", "walker"), 2, "walker")

    def test_completion(self):
        for shell in ("bash", "zsh", "fish"):
            self.assertIn(" ".join(NAMES), run("completion", shell).stdout)


class EveryScene(Example):
    def test_energy(self):
        """Every run reaches its end, its balance closes, and no impact gains."""
        for name in NAMES:
            with self.subTest(name):
                answer = self.simulate(name)
                energy = answer["energy"]
                self.assertEqual(answer["status"], "ready")
                # Energies are large where heights are, and small where a toy is.
                scale = max(abs(energy["initial"]), energy["dissipated"], 1e-3)
                # Fixed steps, through crowds of events, are no better than this.
                crowded = answer["statistics"]["crowds"] > 0
                self.assertEqual(crowded, name == "quadruped")
                self.assertLess(abs(energy["balance"]), (1e-2 if crowded else 1e-8) * scale)
                for event in answer["events"]:
                    if event["energy"] is not None:
                        gained = event["energy"]["change"] - event["energy"]["supplied"]
                        self.assertLess(gained, 1e-12 * scale, event)

    def test_words(self):
        for name in NAMES:
            title, paragraphs = head(name)
            self.assertLessEqual(len(title), 60)
            self.assertFalse(title.endswith("."), title)
            self.assertTrue(any("Look for: " in paragraph for paragraph in paragraphs), name)

    def test_the_gallery_shows_all(self):
        """Its pages say what the scenes say; `tools/draw_gallery` writes them."""
        for page, scenes, pictures in (("examples/README.md", "", "../docs/gallery/"),
                                       ("docs/gallery.md", "../examples/", "gallery/")):
            gallery = (SOURCE / page).read_text(encoding="utf-8")
            for name in NAMES:
                title, paragraphs = head(name)
                self.assertIn(f"[{name}.yaml]({scenes}{name}.yaml)", gallery)
                self.assertIn(f"![{title}]({pictures}{name}.svg)", gallery)
                self.assertTrue((SOURCE / f"docs/gallery/{name}.svg").is_file(), name)
                for paragraph in paragraphs:
                    self.assertIn(paragraph, gallery)


if __name__ == "__main__":
    unittest.main()
