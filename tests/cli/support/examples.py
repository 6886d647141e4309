"""Runs the scenes of examples/."""
import json

from support.program import EXAMPLES, Case, run

G = 9.81


def events_of(answer, *kinds):
    return [event for event in answer["events"] if event["kind"] in kinds]


class Example(Case):
    def simulate(self, scene, *arguments):
        """The answer to `routh simulate --json`; a name stands for the example, a path for itself."""
        path = EXAMPLES / f"{scene}.yaml" if isinstance(scene, str) else scene
        result = run("simulate", path, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def variant(self, scene, *changes):
        """The path of an example with texts replaced."""
        text = (EXAMPLES / f"{scene}.yaml").read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write(f"{scene}.yaml", text)
