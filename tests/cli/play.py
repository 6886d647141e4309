"""`routh play`: what a page that computes starts from. What the page does is tested in a browser (viewer/tests)."""
import json
import os
import unittest

from support.program import EXAMPLES, SOURCE, Case, run

KANE = EXAMPLES / "kane.yaml"
ROBOT = SOURCE / "tests/data/robots"
HAS_ENGINE = "without the engine" not in run("play", KANE, "-o", os.devnull, "-q").stderr


def at(document, pointer):
    for part in pointer.split("/")[1:]:
        document = document[int(part) if isinstance(document, list) else part]
    return document


class Play(Case):
    def start_of(self, *args):
        result = run("play", *args, "--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_json_is_what_the_page_starts_from(self):
        document = self.start_of(KANE)
        self.assertEqual((document["kind"], document["schema"]), ("play", 1))
        self.assertNotIn("engine", document)
        final = json.loads(run("simulate", KANE, "--until", "1e-9", "--json").stdout)["final"]
        for given, after in zip(document["start"]["state"]["q"], final["q"]):
            self.assertAlmostEqual(given, after, delta=1e-6)

    def test_sliders_stand_at_the_numbers_of_the_start(self):
        count = 0
        for scene in sorted(EXAMPLES.glob("*.yaml")):
            document = self.start_of(scene)
            for group in document["controls"]:
                for slider in group["sliders"]:
                    self.assertLessEqual(slider["low"], slider["value"], slider)
                    self.assertLessEqual(slider["value"], slider["high"], slider)
                    for pointer in slider["paths"]:
                        self.assertEqual(at(document["start"], pointer), slider["value"], (scene.name, pointer))
                        count += 1
            for choice in document["choices"]:
                self.assertEqual(at(document["start"], choice["path"]), choice["value"])
        self.assertGreater(count, 100)

    def test_a_problem_file_is_none(self):
        result = run("play", EXAMPLES / "kane.json", "--json")
        self.assertEqual(result.returncode, 3)
        self.assertIn("not a scene", result.stderr)

    @unittest.skipIf(HAS_ENGINE, "the program has the engine")
    def test_without_the_engine_it_says_how_to_get_it(self):
        result = run("play", KANE, "-o", self.folder / "x.html")
        self.assertEqual(result.returncode, 1)
        self.assertIn("./run --play", result.stderr)
        self.assertFalse((self.folder / "x.html").exists())

    @unittest.skipUnless(HAS_ENGINE, "the program has no engine")
    def test_the_scene_is_not_overwritten(self):
        scene = self.write("kane.yaml", KANE.read_text(encoding="utf-8"))
        self.assertEqual(run("play", scene, "-o", scene).returncode, 2)
        self.assertTrue(scene.read_text(encoding="utf-8").startswith("#"))


if __name__ == "__main__":
    unittest.main()
