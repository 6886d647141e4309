"""`routh show`: pictures and pages of a machine that does not move, from outside."""
import json
import re
import unittest

from support.program import EXAMPLES, Case, run

BOXES = """routh: 1
dimension: planar
bodies:
  box:
    mass: 1
    inertia: 0.1
    joint: {kind: planar}
    shapes: {hull: {kind: box, size: [1, 0.5]}}
world: {shapes: {floor: {kind: half_space}}}
state: {position: {box: [0, HEIGHT, 0]}}
"""
# A ball of radius 0.1 m hangs 1 m below a hinge, and a box of height SIZE stands around the line between them.
PENDULUM = """routh: 1
bodies:
  ball:
    mass: 1
    com: [0, 0, -1]
    inertia: [0.1, 0.1, 0.1]
    joint: {kind: revolute, axis: [0, 1, 0]}
    shapes: {ball: {kind: sphere, at: [0, 0, -1], radius: 0.1}}
world: {shapes: {around: {kind: box, at: [0, 0, -0.5], size: [0.02, 0.02, SIZE]}}}
"""
BONES = re.compile(r'<line x1="([^"]*)" y1="([^"]*)" x2="([^"]*)" y2="([^"]*)"[^>]* stroke="#444444"')
POLYGONS = re.compile(r"<polygon [^>]*>")


class Show(Case):
    def show(self, text, *options, **changes):
        scene = self.write("scene.yaml", text)
        picture = self.folder / "scene.svg"
        done = run("show", scene, "--svg", picture, "--json", "-q", *options, **changes)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout), picture.read_text(encoding="utf-8")

    def test_contacts_are_those_of_a_hand_count(self):
        for height, kinds in (("0.25", ["resting", "resting"]), ("1", []), ("0.2", ["overlapping"] * 2)):
            answer, _ = self.show(BOXES.replace("HEIGHT", height))
            self.assertEqual([contact["kind"] for contact in answer["contacts"]], kinds, height)
        self.assertEqual(answer["schema"], 1)
        for contact in answer["contacts"]:
            self.assertAlmostEqual(contact["gap"], -0.05, places=12)

    def test_overlaps_are_in_a_colour_of_their_own(self):
        clear, overlapping = (self.show(BOXES.replace("HEIGHT", height))[1] for height in ("1", "0.2"))
        self.assertNotIn("#d55e00", clear)
        self.assertIn("#d55e00", overlapping)
        self.assertIn("overlap by 0.05 m", overlapping)
        # What the other commands refuse.
        self.assertEqual(run("check", self.folder / "scene.yaml").returncode, 3)

    def test_the_picture_is_to_scale(self):
        """A box twice as wide as high, wherever the picture puts it."""
        _, picture = self.show(BOXES.replace("HEIGHT", "1"))
        boxes = []
        for polygon in POLYGONS.findall(picture):
            points = [tuple(map(float, point.split(","))) for point in re.search(r'points="([^"]*)"', polygon)[1].split()]
            width, height = (max(p[k] for p in points) - min(p[k] for p in points) for k in (0, 1))
            boxes.append(width / height)
        self.assertTrue(any(abs(ratio - 2) < 0.02 for ratio in boxes), boxes)

    def test_what_joins_the_shapes_is_hidden_inside_them(self):
        """Lengths along the line from the hinge: the top of the ball is at 0.9, the box hides half its height."""
        ends = re.compile(r'<circle cx="([^"]*)" cy="([^"]*)" r="4"')
        metre = None
        for height in (0.01, 0.2, 0.6):
            _, picture = self.show(PENDULUM.replace("SIZE", str(height)))
            bones = [tuple(map(float, bone)) for bone in BONES.findall(picture)]
            hinge = float(ends.search(picture)[2])
            seen = sum(abs(y2 - y1) for _, y1, _, y2 in bones)
            reach = max(y2 for _, _, _, y2 in bones) - hinge
            metre = metre or reach / 0.9
            self.assertAlmostEqual(reach / metre, 0.9, delta=2 / 32)
            self.assertAlmostEqual(seen / metre, 0.9 - height, delta=3 / 32, msg=height)

    def test_what_is_nearest_has_its_unit(self):
        apart = PENDULUM.replace("box, at: [0, 0, -0.5], size: [0.02, 0.02, SIZE]", "sphere, at: [9, 0, 0], radius: 1")
        self.assertIn("ball on around, 7.96 m apart.", self.show(apart)[1])  # √(9² + 1²) − 1.1
        limited = apart.replace("axis: [0, 1, 0]", "axis: [0, 1, 0], limits: [-1, 2]")
        self.assertIn("ball at its lower limit, 1 rad from it.", self.show(limited)[1])

    def test_every_example_is_drawn(self):
        for scene in sorted(EXAMPLES.glob("*.yaml")):
            if "\nrouth:" not in "\n" + scene.read_text():
                continue
            picture = self.folder / "x.svg"
            done = run("show", scene, "--svg", picture, "-q")
            self.assertEqual(done.returncode, 0, (scene, done.stderr))
            text = picture.read_text(encoding="utf-8")
            self.assertNotIn("nan", text.lower().replace("nanosecond", ""), scene)
            self.assertGreater(text.count("<line") + text.count("<polygon") + text.count("<circle"), 5, scene)

    def test_the_page_holds_one_posture(self):
        template = self.write("page.html", '<title>x</title><script type="application/json" id="routh-document">\n'
                              "@ROUTH_DOCUMENT@\n</script>")
        scene = self.write("scene.yaml", BOXES.replace("HEIGHT", "0.2"))
        page = self.folder / "scene.html"
        done = run("show", scene, "--html", page, "--page", template, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = page.read_text(encoding="utf-8")
        document = json.loads(text[text.index("\n") + 1:text.rindex("\n</script>")])
        self.assertEqual((document["kind"], document["samples"]["count"], document["events"]), ("run", 1, []))
        self.assertEqual(len(document["still"]), 2)
        names = [shape["name"] for shape in document["shapes"]]
        self.assertEqual({names[k] for k in document["overlapping"]}, {"hull", "floor"})

    def test_refusals(self):
        self.assert_fails(run("show", EXAMPLES / "kane.json", "--svg", self.folder / "x.svg"), 3, "not a scene")
        scene = self.write("scene.yaml", BOXES.replace("HEIGHT", "1"))
        self.assert_fails(run("show", scene, "--svg", scene), 2, "scene.yaml")


if __name__ == "__main__":
    unittest.main()
