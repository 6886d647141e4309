"""Studies from outside: pages and tables of few values, which say what --json says."""
import csv
import html.parser
import json
import unittest
from xml.etree import ElementTree

from support.pictures import pdf_size, read_png
from support.program import Case
from support.studies import ROUGH, sweep


class FewValues(Case):
    """What has no value is missing everywhere: in the table, JSON, CSV, HDF5 and the page."""
    def reduced(self, samples, value="before.contact_velocity.n"):
        head = (ROUGH % ("random", 1, "false"))
        study = self.write("study.yaml", head[:head.index("vary:")] + "vary: {friction: {from: 0.1, to: 1}}\n"
                           f"sampling: {{method: random, samples: {samples}, seed: 4}}\nmeasure:\n  x: {{value: {value}, "
                           "reduce: [fraction, mean, std, min, max, {quantiles: [0.1, 0.5]}, {histogram: {from: -1, to: 0, bins: 1}}]}\n")
        names = ["-o", self.folder / "out.h5", "--csv", self.folder / "out.csv", "--html", self.folder / "out.html"]
        table, answer = sweep(study), sweep(study, *names, "--json")
        self.assertEqual((table.returncode, answer.returncode), (0, 0), table.stderr + answer.stderr)
        for text in (table.stdout, answer.stdout, (self.folder / "out.csv").read_text(), (self.folder / "out.html").read_text()):
            self.assertNotIn("nan", text)
            self.assertNotIn("inf", text)
        rows = {line.split()[0]: line.split()[1] for line in table.stdout.splitlines() if len(line.split()) > 1}
        with open(self.folder / "out.csv", encoding="utf-8") as file:
            fields = {row["statistic"]: row["value"] for row in csv.DictReader(file) if row["measure"]}
        return rows, json.loads(answer.stdout)["measures"]["x"], fields

    def test_one_value(self):
        rows, x, fields = self.reduced(1)
        self.assertEqual((rows["std"], x["std"], fields["std"]), ("none", None, ""))
        self.assertEqual([x["mean"], x["min"], x["max"], x["fraction"]], [-0.5, -0.5, -0.5, 1])
        self.assertEqual(x["quantiles"], [[0.1, -0.5], [0.5, -0.5]])
        self.assertNotIn(b"std\0", (self.folder / "out.h5").read_bytes())  # an attribute that has no value is not there

    def test_no_value(self):
        rows, x, fields = self.reduced(3, "0 / 0")
        self.assertEqual((x["count"], x["missing"]), (0, 3))
        for name in ("fraction", "mean", "std", "min", "max"):
            self.assertIsNone(x[name])
            self.assertEqual(fields[name], "")
        self.assertEqual(x["quantiles"], [[0.1, None], [0.5, None]])
        self.assertNotIn("min_sample", x)
        self.assertEqual((rows["mean"], rows["std"]), ("none", "none"))

    def test_two_equal_values(self):
        self.assertEqual(self.reduced(2)[1]["std"], 0)


class Page(Case):
    """--html: a page that says what --json says."""

    class Reader(html.parser.HTMLParser):
        def __init__(self):
            super().__init__()
            self.tags, self.cells, self.texts, self.headings, self.open = [], [], [], [], []

        def handle_starttag(self, tag, attrs):
            self.tags.append((tag, dict(attrs)))
            if tag not in ("meta", "path", "rect"):
                self.open.append(tag)
            if tag == "tr":
                self.cells.append([])
            if tag in ("th", "td"):
                self.cells[-1].append("")

        def handle_endtag(self, tag):
            if self.open and self.open[-1] == tag:
                self.open.pop()

        def handle_data(self, data):
            self.texts.append(data)
            if self.open and self.open[-1] == "h2":
                self.headings.append(data)
            if self.open and self.open[-1] in ("th", "td"):
                self.cells[-1][-1] += data

    def page(self, text):
        study, out = self.write("study.yaml", text), self.folder / "out.html"
        result = sweep(study, "--html", out, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        reader = self.Reader()
        reader.feed(out.read_text(encoding="utf-8"))
        reader.close()
        self.assertEqual([tag for tag in reader.open if tag not in ("p", "li")], [])  # whatever was opened is closed
        return json.loads(result.stdout), reader

    def test_says_what_json_says(self):
        answer, page = self.page(ROUGH % ("random", 5000, "false"))
        self.assertEqual(page.headings[:4], list(answer["measures"]))
        rows = {cells[0]: cells[1] for cells in page.cells if len(cells) == 3 and cells[0] in ("std", "quantile 0.9")}
        lost = answer["measures"]["lost"]
        self.assertEqual(rows, {"std": f"{lost['std']:.6g}", "quantile 0.9": f"{lost['quantiles'][2][1]:.6g}"})
        self.assertIn(f"{answer['failed']} samples failed", page.texts)
        self.assertIn(["refused", str(answer["failed"]), ""], page.cells)
        bars = [float(attrs["height"]) for tag, attrs in page.tags if attrs.get("class") == "bar"]
        counts = [count for name, count in lost["bins"] if " " not in name]
        self.assertEqual(len(bars), len(counts) + len(answer["measures"]["mode"]["bins"]))
        for bar, count in zip(bars, counts):  # as tall as many
            self.assertAlmostEqual(bar / max(bars[:len(counts)]), count / max(counts), delta=1e-3)

    def test_one_parameter_is_a_curve_two_are_a_map_more_have_panels(self):
        head = "study: 1\nproblem: {delassus: [[2, 0], [0, 3]], contact_velocity: [-1, 0.2], friction: 0.3, restitution: 0.5}\n"
        after = "measure:\n  v: contact_velocity.n\n  fast: contact_velocity.n > 0.5\n  mode: mode\n"
        grid = head + "sampling: {method: grid}\nvary:\n  restitution: {from: 0, to: 1, count: 5}\n"
        answer, page = self.page(grid + after)
        texts = "".join(page.texts)
        for words in ("v over restitution", "fast over restitution", "mode over restitution", "one sample for each value"):
            self.assertIn(words, texts)
        # v_n after is e times the approach, 1 m/s, without coupling: the curve is a straight line in e.
        curve = next(attrs["points"] for tag, attrs in page.tags if tag == "polyline")
        points = [tuple(map(float, pair.split(","))) for pair in curve.split()]
        self.assertEqual(len(points), 5)
        slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(points, points[1:])]
        for slope in slopes:
            self.assertAlmostEqual(slope, slopes[0], delta=1e-2 * abs(slopes[0]))
        _, page = self.page(grid + "  friction: {from: 0, to: 1, count: 4}\n" + after)
        for words in ("mean v over restitution and friction", "share of fast over", "most frequent mode over"):
            self.assertIn(words, "".join(page.texts))
        _, page = self.page(grid + "  friction: {from: 0, to: 1, count: 4}\n  contact_velocity[1]: {from: 0, to: 1, count: 3}\n" + after)
        self.assertIn("v over each parameter", "".join(page.texts))
        self.assertIn("line: median; band: from 5 % to 95 % of the samples", "".join(page.texts))
        ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
        self.assertEqual(len(ids), len(set(ids)))

    def test_the_pictures_alone(self):
        study = self.write("study.yaml", "study: 1\nproblem: {delassus: [[2, 0], [0, 3]], contact_velocity: [-1, 0.2], friction: 0.3, "
                           "restitution: 0.5}\nvary:\n  restitution: {from: 0, to: 1, count: 5}\nsampling: {method: grid}\n"
                           "measure:\n  v: contact_velocity.n\n  push: impulse.n\n")
        out = {end: self.folder / f"out.{end}" for end in ("svg", "pdf", "png")}
        result = sweep(study, *(word for end, path in out.items() for word in (f"--{end}", path)))
        self.assertEqual(result.returncode, 0, result.stderr)

        def drawn():
            texts = [element.text for element in ElementTree.parse(out["svg"]).iter() if element.text and element.text.strip()]
            points = [polyline.get("points") for polyline in ElementTree.parse(out["svg"]).iter("{http://www.w3.org/2000/svg}polyline")]
            return texts, [[tuple(map(float, pair.split(","))) for pair in each.split()] for each in points]

        texts, curves = drawn()
        self.assertTrue({"v", "push"} <= set(texts), texts)
        self.assertEqual([len(curve) for curve in curves], [5, 5])
        width, height = pdf_size(out["pdf"])
        self.assertAlmostEqual(width / height, read_png(out["png"])[0] / read_png(out["png"])[1], delta=0.01)
        # One below the other: the second curve lies lower than all of the first. v_n⁺ = e is a straight line in e.
        self.assertGreater(min(y for _, y in curves[1]), max(y for _, y in curves[0]))
        slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(curves[0], curves[0][1:])]
        for slope in slopes:
            self.assertAlmostEqual(slope, slopes[0], delta=1e-2 * abs(slopes[0]))
        alone = sweep(study, "--svg", out["svg"], "--measure", "push")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        texts, moved = drawn()
        self.assertNotIn("v", texts)
        self.assertEqual(len(moved), 1)
        self.assertEqual([x for x, _ in moved[0]], [x for x, _ in curves[1]])
        self.assert_fails(sweep(study, "--measure", "push"), 2, "--svg")
        self.assert_fails(sweep(study, "--svg", out["svg"], "--measure", "slip"), 2, "v, push")
        self.assert_fails(sweep(study, "--svg", out["svg"], "-o", self.folder / "out.h5"), 2, "table: true")

    def test_extremes_say_what_the_sample_was(self):
        answer, page = self.page(ROUGH % ("random", 500, "false"))
        sample = answer["measures"]["lost"]["max_sample"]
        row = next(cells for cells in page.cells if cells[0] == "max")
        self.assertTrue(row[2].startswith(f"sample {sample}: friction = "), row)

    def test_needs_nothing_else_and_runs_nothing(self):
        hostile = "<script>alert(1)</script><img src=http://a.b/c onerror=x>&amp;"
        answer, page = self.page((ROUGH % ("random", 50, "false")).replace("a rough contact", f"'{hostile}'"))
        self.assertEqual(answer["name"], hostile)
        self.assertIn(hostile, "".join(page.texts))  # as text
        self.assertEqual({tag for tag, _ in page.tags} & {"script", "img", "link", "iframe", "object"}, set())
        for _, attrs in page.tags:
            self.assertEqual(set(attrs) & {"src", "href", "onload", "onerror"}, set())

    def test_place_is_known_before_anything_is_computed(self):
        study = self.write("study.yaml", ROUGH % ("random", 10**12, "false"))
        self.assert_fails(sweep(study, "--html", self.folder / "missing" / "out.html"), 1, "missing", "cannot write")
        self.assert_fails(sweep(study, "--csv", self.folder), 1, "cannot write")


if __name__ == "__main__":
    unittest.main()
