"""Pages for a browser: `routh report` and `--html`. Where the program has no page the tests bring a small one."""
import base64
import json
import os
import re
import struct
import time
import unittest

from support.body import body
from support.program import EXAMPLES, SOURCE, Case, run

BALL = SOURCE / "tests/data/scenes/good/bouncing_ball.yaml"
ARM = EXAMPLES / "liu_arm.yaml"
KANE = EXAMPLES / "kane.yaml"
PROBLEM = EXAMPLES / "kane.json"
PAGE = """<!doctype html>
<title>a page</title>
<script type="application/json" id="routh-document">
@ROUTH_DOCUMENT@
</script>
<script>document.title = "@ROUTH_DOCUMENT@";</script>
"""
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>& \u2028"
HAS_PAGE = "built without the page" not in run("impact", PROBLEM, "--html", os.devnull).stderr


def document(text):
    """The document of a page."""
    found = re.findall(r'<script type="application/json" id="routh-document">\n(.*)\n *</script>', text)
    assert len(found) == 1, len(found)
    return json.loads(found[0])


def unpack(packed):
    letter = {"f32": "f", "f64": "d", "i32": "i", "u8": "B"}[packed["type"]]
    data = base64.b64decode(packed["base64"], validate=True)
    return struct.unpack(f"<{len(data) // struct.calcsize('<' + letter)}{letter}", data)


class PageCase(Case):
    def setUp(self):
        super().setUp()
        self.page = self.write("page.html", PAGE)

    def simulate(self, scene=BALL, *more):
        path = self.folder / "run.h5"
        result = run("simulate", scene, "-o", path, "--quiet", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return path

    def read(self, name):
        return document((self.folder / name).read_text(encoding="utf-8"))


class Report(PageCase):
    def test_a_run_becomes_a_page_beside_it(self):
        path = self.simulate()
        result = run("report", path, "--page", self.page)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("run.html", result.stdout)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["page.html", "run.h5", "run.html"])
        answer = self.read("run.html")
        self.assertEqual((answer["routh"], answer["kind"], answer["dimension"]), (1, "run", "planar"))
        exported = self.folder / "run.json"
        self.assertEqual(run("export", path, "-o", exported).returncode, 0)
        full = json.loads(exported.read_text(encoding="utf-8"))
        samples = answer["samples"]
        self.assertEqual(samples["count"], len(full["samples"]["time"]))
        self.assertEqual(list(unpack(samples["time"])), full["samples"]["time"])
        for key in ("kinetic", "potential", "dissipated", "supplied"):
            self.assertEqual(list(unpack(samples["energy"][key])), full["samples"][key], key)
        self.assertEqual(len(answer["events"]), len(full["events"]))
        for ours, theirs in zip(answer["events"], full["events"]):
            self.assertEqual((ours["time"], ours["kind"], ours["rule"] or "none"),
                             (theirs["time"], theirs["kind"], theirs["rule"]))
            self.assertEqual(ours["energy"]["change"], theirs["energy"]["change"])
        paths = [event["contacts"][0]["path"] for event in answer["events"] if event["rule"] == "single"]
        self.assertTrue(paths)
        for event, path in zip([e for e in answer["events"] if e["rule"] == "single"], paths):
            self.assertIsNotNone(path)
            self.assertAlmostEqual(path["velocity"][-1][0], event["contacts"][0]["velocity_after"][0], delta=1e-6)
        self.assertEqual(answer["outcome"]["status"], "ready")
        self.assertEqual(answer["outcome"]["energy"]["balance"], full["energy"]["balance"])

    def test_output_and_standard_output(self):
        path = self.simulate()
        other = self.folder / "other.html"
        result = run("report", path, "-o", other, "--page", self.page, "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        result = run("report", path, "-o", "-", "--page", self.page)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, other.read_text(encoding="utf-8"))
        self.assertFalse((self.folder / "run.html").exists())

    def test_simulate_reports_too(self):
        page, record = self.folder / "out.html", self.folder / "run.h5"
        result = run("simulate", BALL, "-o", record, "--report", page, "--page", self.page)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.read("out.html")["kind"], "run")
        whole = page.read_text(encoding="utf-8")
        alone = self.folder / "alone.html"
        scratch = self.folder / "scratch"
        scratch.mkdir()
        result = run("simulate", BALL, "--report", alone, "--page", self.page, TMPDIR=str(scratch))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("run file", result.stdout)
        self.assertEqual(list(scratch.iterdir()), [])
        # The same page but for the time at which it was made.
        made = re.compile(r'"created":"[^"]*"')
        self.assertEqual(made.sub("", alone.read_text(encoding="utf-8")), made.sub("", whole))

    def test_the_page_is_opened_by_the_desktop(self):
        """A stand-in for xdg-open writes down what it is given."""
        opener, told = self.folder / "xdg-open", self.folder / "told"
        opener.write_text(f'#!/bin/sh\necho "$1" > "{told}.part" && mv "{told}.part" "{told}"\n')
        opener.chmod(0o755)
        page = self.folder / "out.html"
        result = run("simulate", BALL, "--report", page, "--page", self.page, "--open", PATH=f"{self.folder}:/usr/bin:/bin")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for _ in range(1000):
            if told.exists():
                break
            time.sleep(0.01)
        self.assertEqual(told.read_text().strip(), str(page))
        empty = self.folder / "empty"
        empty.mkdir()
        result = run("simulate", BALL, "--report", page, "--page", self.page, "--open", PATH=str(empty))
        self.assertEqual(result.returncode, 0)
        self.assertIn("xdg-open", result.stderr)
        self.assertIn(str(page), result.stderr)

    def test_a_long_run_is_decimated_and_says_so(self):
        path = self.simulate(BALL, "--samples", "0.0002")
        self.assertEqual(run("report", path, "--page", self.page).returncode, 0)
        answer = self.read("run.html")
        self.assertLessEqual(answer["samples"]["count"], 4000)
        count = 25001 + 2 * sum(event["kind"] == "impact" for event in answer["events"])
        self.assertEqual(answer["samples"]["of"], count)
        self.assertIn(f"of {count} samples", answer["warnings"][0])
        time = unpack(answer["samples"]["time"])
        for event in answer["events"]:
            self.assertLessEqual(event["time"], time[event["sample"]])
            self.assertLess(time[event["sample"]] - event["time"], 0.000201)

    def test_hostile_names_stay_texts(self):
        # The title is the one text of a scene that may hold anything; names of files may, too.
        scene = self.write("<b>&amp;'\".yaml", body(HOSTILE))
        path = self.simulate(scene, "--until", "0.5")
        self.assertEqual(run("report", path, "--page", self.page).returncode, 0)
        for command in (("impact", scene), ("diagnose", scene),
                        ("map", scene, "--x", "friction=0:1", "--y", "restitution=0:1", "--points", "8")):
            result = run(*command, "--html", self.folder / f"{command[0]}.html", "--page", self.page)
            self.assertEqual(result.returncode, 0, result.stderr)
        plain = PAGE.count("<")
        for name in ("run", "impact", "diagnose", "map"):
            text = (self.folder / f"{name}.html").read_text(encoding="utf-8")
            self.assertEqual(text.count("<"), plain, name)
            self.assertNotIn("\u2028", text)
            self.assertIn(HOSTILE, document(text)["title"])
        self.assertEqual(self.read("run.html")["info"]["scene_path"], str(scene))


class Refused(PageCase):
    def test_what_is_no_run(self):
        self.assert_fails(run("report", self.folder / "no.h5", "--page", self.page), 1, "no.h5")
        self.assert_fails(run("report", BALL, "--page", self.page), 3, "bouncing_ball.yaml")
        self.assert_fails(run("report", self.write("empty.h5", ""), "--page", self.page), 3, "empty.h5")
        self.assertEqual(run("report").returncode, 2)

    def test_a_damaged_run(self):
        path = self.simulate()
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 0xFF
        damaged = self.write("damaged.h5", bytes(content))
        self.assert_fails(run("report", damaged, "--page", self.page), 3, "damaged")
        truncated = self.write("truncated.h5", path.read_bytes()[:-100])
        self.assert_fails(run("report", truncated, "--page", self.page), 3, "truncated")
        self.assertFalse((self.folder / "damaged.html").exists())

    def test_where_nothing_can_be_written(self):
        path = self.simulate()
        self.assert_fails(run("report", path, "-o", self.folder, "--page", self.page), 1, "it is a folder")
        self.assert_fails(run("report", path, "-o", self.folder / "no" / "such.html", "--page", self.page), 1, "such.html")
        self.assert_fails(run("report", path, "-o", "/dev/full", "--page", self.page), 1, "/dev/full")
        self.assert_fails(run("impact", PROBLEM, "--html", self.folder, "--page", self.page), 1, "it is a folder")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["page.html", "run.h5"])

    def test_the_run_is_not_replaced_by_its_report(self):
        path = self.simulate()
        before = path.read_bytes()
        link = self.folder / "link.html"
        link.symlink_to(path)
        for output in (path, link):
            self.assert_fails(run("report", path, "-o", output, "--page", self.page), 2, "replace the run")
        self.assertEqual(path.read_bytes(), before)

    def test_a_page_that_is_none(self):
        path = self.simulate()
        for content in ("", "<html></html>", "@ROUTH_DOCUMENT@\n@ROUTH_DOCUMENT@\n"):
            other = self.write("other.html", content)
            self.assert_fails(run("report", path, "--page", other), 1, "page")
        self.assert_fails(run("report", path, "--page", self.folder / "none.html"), 1, "none.html")
        self.assertFalse((self.folder / "run.html").exists())

    @unittest.skipIf(HAS_PAGE, "this program has the page")
    def test_a_program_without_the_page_says_how_to_get_it(self):
        path = self.simulate()
        commands = [("report", path), ("impact", PROBLEM, "--html", self.folder / "x.html"),
                    ("diagnose", ARM, "--html", self.folder / "x.html"),
                    ("map", PROBLEM, "--x", "friction=0:1", "--y", "restitution=0:1", "--html", self.folder / "x.html"),
                    ("papers", "--html", self.folder / "x.html")]
        for command in commands:
            self.assert_fails(run(*command), 1, "built without the page", "npm")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["page.html", "run.h5"])

    def test_streams_have_no_page(self):
        self.assert_fails(run("impact", "-", "--html", self.folder / "x.html", "--page", self.page), 2, "stream")


@unittest.skipUnless(HAS_PAGE, "this program was built without the page")
class OwnPage(PageCase):
    def test_the_page_is_whole_and_needs_no_network(self):
        path = self.simulate()
        self.assertEqual(run("report", path).returncode, 0)
        text = (self.folder / "run.html").read_text(encoding="utf-8")
        self.assertEqual(document(text)["kind"], "run")
        self.assertLess(len(text), 4e6)
        self.assertNotRegex(text, r"""<(script|link|img)[^>]*\s(src|href)=["']?(https?:)?//""")


class OtherPages(PageCase):
    def html(self, *arguments):
        result = run(*arguments, "--html", self.folder / "out.html", "--page", self.page)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.read("out.html"), result.stdout

    def test_impact(self):
        for file in (PROBLEM, KANE):
            answer, text = self.html("impact", file, "--json")
            self.assertEqual(answer["kind"], "impact")
            self.assertEqual(answer["data"], json.loads(text))
            self.assertEqual([path["law"] for path in answer["paths"]],
                             ["energetic", "poisson", "newton", "unified", "classical"])
            for path in answer["paths"]:
                self.assertEqual(path["contact"], 0)
                self.assertEqual(len(path["velocity"]), len(path["impulse"]))
            results = (answer["data"]["strikes"][0] if file == KANE else answer["data"])["results"]
            for path, result in zip(answer["paths"], results):
                self.assertAlmostEqual(path["impulse"][-1], result["impulse"][0], delta=1e-6)

    def test_several_contacts_have_no_paths(self):
        answer, text = self.html("impact", EXAMPLES / "quadruped.yaml", "--json", "--first-strike")
        self.assertEqual(answer["data"], json.loads(text))
        contacts = len(answer["data"]["strikes"])
        self.assertEqual({path["contact"] for path in answer["paths"]}, set(range(contacts)))

    def test_diagnosis(self):
        answer, text = self.html("diagnose", ARM, "--json")
        self.assertEqual((answer["kind"], answer["data"]), ("diagnosis", json.loads(text)))
        self.assertIn("Jams", answer["verdicts"][0]["sentences"][0])
        cone = answer["cones"][0]
        for force, velocity in zip(cone["force_rays"], cone["velocity_rays"]):
            for row, value in zip(cone["delassus"], velocity):
                self.assertAlmostEqual(sum(d * f for d, f in zip(row, force)), value, delta=1e-9)
        answer, text = self.html("diagnose", PROBLEM, "--json")
        self.assertEqual(answer["data"], json.loads(text))
        self.assertEqual(len(answer["verdicts"]), len(answer["data"]["contacts"]))

    def test_map(self):
        answer, text = self.html("map", PROBLEM, "--x", "restitution=0:1", "--y", "friction=0:1.5", "--points", "20", "--json")
        data = json.loads(text)
        self.assertEqual(answer["kind"], "map")
        self.assertEqual(answer["data"]["points"], data["points"])
        self.assertEqual(data["files"], [str(self.folder / "out.html")])
        self.assertIn("<svg", answer["figure"])

    def test_papers(self):
        answer, text = self.html("papers", "peiret-2017", "--json")
        paper = answer["papers"][0]
        values = json.loads(text)["papers"][0]["values"]
        self.assertEqual(len(paper["values"]), len(values))
        for ours, theirs in zip(paper["values"], values):
            self.assertEqual((ours["group"], ours["name"], ours["unit"]),
                             (theirs["group"], theirs["quantity"], theirs["unit"]))
            self.assertEqual(ours["ours"], theirs["ours"])
        self.assertEqual([figure["name"] for figure in paper["figures"]], ["fig-1-left", "fig-1-right", "body"])
        self.assertIn("wedging", paper["figures"][0]["caption"])
        self.assertIn("Peiret", paper["reference"])
        self.assertEqual(sum(answer["summary"].values()), len(values))
        self.assertEqual(answer["summary"]["mismatches"], 0)


if __name__ == "__main__":
    unittest.main()
