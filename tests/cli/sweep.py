"""Studies from outside: `routh sweep`, its numbers against plain Python."""
import csv
import fcntl
import hashlib
import html.parser
import json
import math
import statistics
import unittest

from support.program import EXAMPLES, SCALE, Case, run
from support.studies import ROUGH

STUDIES = EXAMPLES / "studies"

def sweep(*arguments, **changes):
    return run("sweep", *arguments, **changes)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def quantile(values, p):
    values = sorted(values)
    rank = p * (len(values) - 1)
    low = int(rank)
    return values[low] + (rank - low) * (values[min(low + 1, len(values) - 1)] - values[low])


class Numbers(Case):
    def study(self, method="random", samples=5000, table="true"):
        return self.write("study.yaml", ROUGH % (method, samples, table))

    def test_reductions_are_those_of_the_table(self):
        out = self.folder / "out.csv"
        result = sweep(self.study(), "--csv", out, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        with open(self.folder / "out.samples.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 5000)
        good = [row for row in rows if not row["fault"]]
        bad = [row for row in rows if row["fault"]]
        self.assertEqual(answer["failed"], len(bad))
        self.assertTrue(all(float(row["friction"]) < 0 for row in bad))
        self.assertTrue(all(float(row["friction"]) >= 0 for row in good))
        self.assertEqual(answer["faults"], {"refused": len(bad)})
        self.assertEqual([f["sample"] for f in answer["failures"]], [int(row["sample"]) for row in bad][:100])
        lost = answer["measures"]["lost"]
        values = [float(row["lost"]) for row in good]
        self.assertAlmostEqual(lost["mean"], statistics.fmean(values), delta=1e-13)
        self.assertAlmostEqual(lost["std"], statistics.stdev(values), delta=1e-13)
        self.assertEqual((lost["min"], lost["max"]), (min(values), max(values)))
        self.assertEqual(float(rows[lost["max_sample"]]["lost"]), lost["max"])
        for share, value in lost["quantiles"]:
            self.assertAlmostEqual(value, quantile(values, share), delta=1e-15)
        bins = dict(map(tuple, lost["bins"]))
        self.assertEqual(sum(bins.values()), len(good))
        self.assertEqual(bins["above 0.5"], sum(value > 0.5 for value in values))
        names = dict(map(tuple, answer["measures"]["mode"]["bins"]))
        self.assertEqual(names["stick"], sum(row["mode"] == "stick" for row in good))
        share = sum(row["mode"] in ("stick", "stick_in_compression") for row in good) / len(good)
        self.assertAlmostEqual(answer["measures"]["sticks"]["fraction"], share, delta=1e-15)
        # A law without an answer is missing, not failed.
        unified = [float(row["unified"]) for row in good if row["unified"]]
        self.assertEqual(answer["measures"]["unified"]["count"], len(unified))
        self.assertAlmostEqual(answer["measures"]["unified"]["mean"], statistics.fmean(unified), delta=1e-13)

    def test_a_row_of_the_table_is_what_impact_says(self):
        out = self.folder / "out.csv"
        self.assertEqual(sweep(self.study(samples=50), "--csv", out).returncode, 0)
        with open(self.folder / "out.samples.csv", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                problem = {"delassus": [[1.6, 1.2], [1.2, 3.4]], "law": "energetic", "friction": float(row["friction"]),
                           "contact_velocity": [-0.5, float(row["contact_velocity[1]"])],
                           "restitution": float(row["restitution"])}
                answer = json.loads(run("impact", "-", stdin=json.dumps(problem)).stdout)
                if row["fault"]:
                    self.assertIn("error", answer)
                else:
                    self.assertEqual(float(row["lost"]), 0 - answer["energy"]["change"])
                    self.assertEqual(row["mode"], answer["mode"])

    def test_the_same_bytes_for_any_number_of_threads(self):
        for method in ("random", "latin_hypercube", "sobol"):
            study = self.study(method, int(66000 + 10000 * SCALE))
            found = set()
            for threads in (1, 2, 4):
                out = self.folder / f"out{threads}.h5"
                result = sweep(study, "-o", out, "--csv", self.folder / "out.csv", "--json", "--threads", threads)
                self.assertEqual(result.returncode, 0, result.stderr)
                found.add((digest(out), digest(self.folder / "out.csv"), digest(self.folder / "out.samples.csv"),
                           result.stdout))
            self.assertEqual(len(found), 1, method)

    def test_csv_lists(self):
        self.write("points.csv", "e,friction\n0.25,0\n0.5,0\n1,0\n")
        text = ROUGH % ("sobol", 1, "false")
        head = text[:text.index("vary:")]
        study = self.write("study.yaml", head + "vary: {restitution: e}\nsampling: {method: csv, file: points.csv}\n"
                           "set: {friction: 0}\nmeasure: {up: contact_velocity.n}\n")
        answer = json.loads(sweep(study, "--json").stdout)
        self.assertAlmostEqual(answer["measures"]["up"]["mean"], 0.5 * (1.75 / 3), delta=1e-15)
        self.write("points.csv", "e,friction\n0.25,0\n0.5,x\n")
        self.assert_fails(sweep(study), 3, "points.csv:3:5", "'x'")

    def test_table_for_a_terminal(self):
        result = sweep(self.study(table="false"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_narrow(result.stdout)
        self.assertIn("samples failed", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_examples(self):
        for study in sorted(STUDIES.glob("*.yaml")):
            result = sweep(study, "--json")
            self.assertEqual(result.returncode, 0, f"{study}: {result.stderr}")
            self.assertEqual(json.loads(result.stdout)["failed"], 0)
        answer = json.loads(sweep(STUDIES / "kane_energy.yaml", "--json").stdout)["measures"]
        # Only laws that do not keep the books gain energy.
        self.assertEqual(answer["energetic"]["fraction"], 0)
        self.assertGreater(answer["newton"]["fraction"], 0)
        # Both velocities are even in [-1, 1]: the contact approaches half of the time.
        self.assertAlmostEqual(answer["strikes"]["fraction"], 0.5, delta=0.01)


class Refusals(Case):
    def test_contradictions(self):
        text = ROUGH % ("random", 100, "false")
        for more in ("set: {friction: 0.3}\n", "set: {friction.static: 0.3}\n", "set: {restitution: 0.3}\n"):
            study = self.write("study.yaml", text + more)
            self.assert_fails(sweep(study), 3, "study.yaml:", "is the same as", "keep one")

    def test_all_fail(self):
        study = self.write("study.yaml", (ROUGH % ("random", 100, "false")).replace("to: 1}\n  rest", "to: -0.05}\n  rest"))
        result = sweep(study)
        self.assertEqual(result.returncode, 4)
        self.assertIn("every sample failed", result.stderr)

    def test_usage(self):
        study = self.write("study.yaml", ROUGH % ("random", 100, "true"))
        self.assert_fails(sweep(study), 2, "table", "-o")
        self.assert_fails(sweep(study, "--resume"), 2, "--resume")
        self.assert_fails(sweep(study, "-o", "x.h5", "--resume", "--restart"), 2, "exclude")
        self.assert_fails(sweep(self.folder / "none.yaml"), 1, "none.yaml")
        self.assert_fails(sweep(study, "-o", self.folder / "missing" / "out.h5"), 1, "missing")

    def test_malformed(self):
        text = ROUGH % ("random", 100, "false")
        for old, new, place, word in (("friction: {from", "friktion: {from", ":6:3", "friction"),
                                      ("samples: 100", "samples: -3", ":9:", "samples"),
                                      ("mode == stick or", "mode == stikc or", ":13:19", "stick"),
                                      ("lost: {value", "lost: {valeu", ":11:10", "value"),
                                      ("study: 1", "study: 9", ":2:8", "version")):
            self.assertIn(old, text)
            study = self.write("study.yaml", text.replace(old, new, 1))
            self.assert_fails(sweep(study), 3, f"study.yaml{place}", word)


class Files(Case):
    """No output replaces what is read, or another output."""
    def refused(self, study, *arguments, words):
        before = study.read_bytes()
        self.assert_fails(sweep(study, *arguments), 2, *words)
        self.assertEqual(study.read_bytes(), before)

    def test_inputs_and_outputs_are_kept_apart(self):
        study = self.write("study.yaml", ROUGH % ("random", 100, "true"))
        table = self.folder / "x.csv"
        for options in (["-o"], ["--csv"], ["--csv", table, "--html"]):
            self.refused(study, *options, study, words=("the study", "study.yaml"))
        self.refused(study, "-o", self.folder / "." / "study.yaml", words=("the study",))
        self.refused(study, "-o", table, "--csv", table, words=("same file", "--csv"))
        self.refused(study, "-o", self.folder / "x.samples.csv", "--csv", table, words=("same file", "table"))
        listed = self.write("points.csv", "friction\n0.1\n0.2\n")
        text = ROUGH % ("random", 100, "false")
        study = self.write("list.yaml", text[:text.index("vary:")] +
                           "sampling: {method: csv, file: points.csv}\nmeasure: {up: contact_velocity.n}\n")
        self.refused(study, "--csv", listed, words=("points.csv", "names"))
        self.assertTrue(listed.read_text().startswith("friction"))

    def test_special_files(self):
        study = self.write("study.yaml", ROUGH % ("random", 10**12, "false"))
        self.assert_fails(sweep(study, "-o", "/dev/full"), 1, "/dev/full", "device")
        study = self.write("study.yaml", ROUGH % ("random", 10**12, "true"))
        self.assert_fails(sweep(study, "--csv", "/dev/stdout"), 1, "device", "table")

    def test_bins_hold_what_their_edges_say(self):
        text = ROUGH % ("grid", 1, "false")
        study = self.write("study.yaml", text[:text.index("vary:")] + "vary: {friction: {from: 0, to: 1, count: 101}}\n"
                           "sampling: {method: grid}\nmeasure: {mu: {value: sample.friction, "
                           "reduce: [{histogram: {from: 0, to: 1, bins: 100}}]}}\n")
        bins = json.loads(sweep(study, "--json").stdout)["measures"]["mu"]["bins"]
        counts = [count for name, count in bins if ".." in name]
        edges = [float(name.split("..")[0]) for name, _ in bins if ".." in name] + [1.0]
        values = [k / 100 for k in range(101)]
        expected = [sum(a <= v < b or v == b == 1 for v in values) for a, b in zip(edges, edges[1:])]
        self.assertEqual(sum(counts), 101)
        self.assertEqual(counts, expected)

    def test_the_hash_covers_meshes(self):
        self.write("scene.yaml", "routh: 1\nsurfaces: {s: {friction: 0.3, restitution: 0.5}}\nbodies:\n"
                   "  die: {mass: 1, inertia: [0.01, 0.01, 0.01], joint: {kind: free},\n"
                   "        shapes: {hull: {kind: mesh, file: die.obj, surface: s}}}\n")
        study = self.write("study.yaml", "study: 1\nscene: scene.yaml\nrun: {until: 0.01}\nsampling: {method: sobol, "
                           "samples: 2}\nvary: {surfaces.s.friction: {from: 0, to: 1}}\nmeasure: {t: time}\n")
        hashes = []
        for half in (0.1, 0.2, 0.1):
            corners = [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (-half, half)]
            self.write("die.obj", "".join("v %g %g %g\n" % corner for corner in corners) +
                       "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
            result = sweep(study, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            hashes.append(json.loads(result.stdout)["hash"])
        self.assertEqual(hashes[0], hashes[2])
        self.assertNotEqual(hashes[0], hashes[1])

    def test_a_table_in_use_is_refused(self):
        study, out = self.write("study.yaml", ROUGH % ("random", 100, "true")), self.folder / "out.h5"
        with open(self.folder / "out.h5.rows", "wb") as rows:
            fcntl.flock(rows, fcntl.LOCK_EX)
            self.assert_fails(sweep(study, "-o", out), 1, "out.h5.rows", "in use")
        self.assertEqual(sweep(study, "-o", out).returncode, 0)

    def test_characters_are_named_whole(self):
        text = ROUGH % ("random", 10, "false")
        study = self.write("study.yaml", text[:text.index("measure:")] + 'measure: {a: "1 + é"}\n')
        self.assert_fails(sweep(study), 3, "'é'")


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
        bars = [float(attrs["height"]) for tag, attrs in page.tags if tag == "rect"]
        counts = [count for name, count in lost["bins"] if " " not in name]
        self.assertEqual(len(bars), len(counts) + len(answer["measures"]["mode"]["bins"]))
        for bar, count in zip(bars, counts):  # as tall as many
            self.assertAlmostEqual(bar / max(bars[:len(counts)]), count / max(counts), delta=1e-3)

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


class Help(Case):
    def test_example_of_the_page(self):
        result = sweep(STUDIES / "jam_fraction.yaml", "--json")
        answer = json.loads(result.stdout)["measures"]
        # Jams when friction exceeds 1.75/|c| with the slip on the side of c: c even in [-2.2, 2.2], friction in [0, 3].
        # Slip is along +t1, so friction pushes against it: it jams for c > 0 where 1.75 < mu c.
        steps = 200000
        share = sum(max(0, 3 - 1.75 / (2.2 * (k + 0.5) / steps)) for k in range(steps)) / steps / 3 / 2
        self.assertAlmostEqual(answer["jams"]["fraction"], share, delta=2e-3)
        self.assertTrue(math.isfinite(answer["lost"]["mean"]))


if __name__ == "__main__":
    unittest.main()
