"""`routh papers` for Liu, Aghili and Peiret: numbers against closed forms, misprints, figures."""
import json
import math
import re
import shutil
import struct
import unittest
import xml.etree.ElementTree as xml

from support.pictures import pdf_size, pdf_text
from support.program import EXAMPLES, SOURCE, Case, run

MISPRINTS = {
    "aghili-2020": {"sigma_14", "sigma_22", "mu_cr", "W_loss_36a", "least_e_25"},
    "aghili-projection": {"trace_PMMcP", "flat42[0]", "flat42[3]", "push26[0]"},
    "liu-2007": {"mu_0_star", "mu_m", "P1_lambda_2", "P1_type", "P2_lambda_2", "B", "B_eq29", "theta_2_c5",
                 "c4e0_events", "c6_events", "pd4_K50"},
    "peiret-2017": set(),
}
FIGURES = {
    "aghili-2020": ["regions", "regions-every-velocity"],
    "elkaranshawy-2025": [],
    "liu-2007": sorted(f"fig-{k}" for k in range(2, 17)),
    "peiret-2017": ["body", "fig-1-left", "fig-1-right"],
}


def values(paper, *arguments):
    result = run("papers", paper, "--json", *arguments)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["papers"][0]["values"]


def by_name(entries, group=""):
    return {entry["quantity"]: entry["ours"] for entry in entries if group in entry["group"]}


class Numbers(Case):
    def doctored(self, paper, file, old, new):
        """A copy of the papers with one thing changed."""
        copy = self.folder / "papers"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(SOURCE / "papers", copy)
        path = copy / paper / file
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))
        return copy

    def test_each_misprint_is_documented_and_no_other(self):
        for paper, expected in MISPRINTS.items():
            entries = values(paper)
            self.assertEqual({e["quantity"] for e in entries if e["verdict"] == "misprint"}, expected, paper)
            self.assertEqual([e for e in entries if e["verdict"] == "mismatch"], [])
            for entry in entries:
                if entry["verdict"] == "misprint":
                    self.assertTrue(entry["misprint"] and entry["computed"], entry)
            self.assertTrue((SOURCE / "papers" / paper / "README.md").is_file())

    def test_altered_data_are_mismatches(self):
        for paper, file, old, new in [
                ("liu-2007", "expected.yaml", '"0.4807"', '"0.4817"'),
                ("liu-2007", "expected.yaml", 'computed: "0.6633"', 'computed: "0.6653"'),
                ("liu-2007", "expected.yaml", '"two"', '"three"'),
                ("liu-2007", "expected.yaml", '"M_s^4"', '"M_s^3"'),
                ("liu-2007", "arm.yaml", "mass: 1", "mass: 1.1"),
                ("liu-2007", "case-4.yaml", "rest: -0.2531770881801476", "rest: 0"),
                ("liu-2007", "case-4.yaml", "restitution: 0.7", "restitution: 0.6"),
                ("liu-2007", "case-5.yaml", "static: 0.8", "static: 0.7"),
                ("liu-2007", "case-6.yaml", "stiffness: 100", "stiffness: 101"),
                ("liu-2007", "expected.yaml", 'pd5_K100, printed: "stays"', 'pd5_K100, printed: "bounces"'),
                ("aghili-2020", "expected.yaml", 'computed: "0.51465"', 'computed: "0.48848"'),
                ("aghili-2020", "kane.yaml", "inertia: 1 ", "inertia: 1.1 "),
                ("aghili-projection", "table.yaml", "restitution: 0.7", "restitution: 0.6"),
                ("peiret-2017", "expected.yaml", '"dynamic wedging"', '"sound"'),
                ("peiret-2017", "wedging.yaml", "0.3333333333333333", "0.4")]:
            with self.subTest(paper=paper, old=old):
                result = run("papers", paper, "--data", self.doctored(paper, file, old, new))
                self.assertEqual(result.returncode, 5, result.stdout + result.stderr)
                self.assertIn("MISMATCH", result.stdout)

    def test_a_misprint_that_is_none_is_a_mismatch(self):
        data = self.doctored("liu-2007", "expected.yaml", 'printed: "0.633"', 'printed: "0.6633"')
        self.assertEqual(run("papers", "liu-2007", "--data", data).returncode, 5)

    def test_bad_entries(self):
        for paper, file, old, new, word in [
                ("liu-2007", "expected.yaml", "quantity: A,", "quantity: AA,", "AA"),
                ("liu-2007", "expected.yaml", "quantity: P2_type", "quantity: P3_type", "P3_type"),
                ("liu-2007", "expected.yaml", "quantity: c5_t2", "quantity: c5_t0", "c5_t0"),
                ("liu-2007", "expected.yaml", "quantity: pd5_K100,", "quantity: pd6_K100,", "pd6_K100"),
                ("liu-2007", "expected.yaml", "friction: 0.5", "friction: -0.5", "friction"),
                ("aghili-2020", "expected.yaml", 'formula: "(38)"', 'formula: "(38)", printed: "1"', "formula"),
                ("peiret-2017", "body.yaml", "mass: 6", "mas: 6", "mass")]:
            with self.subTest(new):
                data = self.doctored(paper, file, old, new)
                self.assert_fails(run("papers", paper, "--data", data), 3, file, word)

    def test_a_missing_scene_and_an_unknown_paper(self):
        data = self.doctored("liu-2007", "arm.yaml", "mass", "mass")
        (data / "liu-2007" / "arm.yaml").unlink()
        self.assert_fails(run("papers", "--data", data, "liu-2007"), 3, "arm.yaml")
        (data / "liu-2007").rename(data / "liu-2008")
        self.assert_fails(run("papers", "--data", data, "liu-2008"), 3, "liu-2007")
        self.assert_fails(run("papers", "liu-207"), 2, "liu-2007")

    def test_the_arm_against_closed_forms(self):
        ours = by_name(values("liu-2007"), "Postures")
        height = 5 / 3

        def critical(theta1):  # eq. 13, corrected
            theta2 = math.acos(height - math.cos(theta1))
            s1, s2 = math.sin(theta1), math.sin(theta2)
            bracket = 3 * math.cos(theta1 - theta2) * s1 * s2 - (s1 * s1 + 4 * s2 * s2)
            return abs(4 * bracket / (math.sin(2 * theta1) - 5 * math.sin(2 * theta2)))

        end = math.acos(height - 1)
        least = min(critical(end * k / 20000) for k in range(-19999, 20000))
        self.assertAlmostEqual(ours["mu_m_min"], least, delta=1e-8)
        self.assertAlmostEqual(ours["mu_m"], critical(0.7), delta=1e-12)
        self.assertAlmostEqual(ours["theta_1_max"], end, delta=1e-12)
        self.assertAlmostEqual(ours["theta_star"], math.acos(5 / 6), delta=1e-12)
        self.assertAlmostEqual(ours["mu_0_star"], math.tan(math.acos(5 / 6)), delta=1e-9)

    def test_a_table_on_four_feet_by_hand(self):
        """Least squares of four feet by the three motions that they have: the fourth pattern, + - + -, is left out."""
        ours = by_name(values("aghili-projection"), "A table")
        restitution, feet = (0.1, 0.3, 0.5, 0.7), ((1, 1), (1, -1), (-1, -1), (-1, 1))
        approach = [-1 + 0.3 * (0.2 * y + 0.3 * x) for x, y in feet]  # z rate + y roll - x pitch, pitch rate -0.3
        asked = [-e * v for e, v in zip(restitution, approach)]
        warp = sum(value * x * y for value, (x, y) in zip(asked, feet)) / 4
        for k, (value, (x, y)) in enumerate(zip(asked, feet)):
            self.assertAlmostEqual(ours[f"flat46[{k}]"], value - warp * x * y, delta=1e-9)

    def test_kanes_bounds_against_closed_forms(self):
        ours = by_name(values("aghili-2020"))
        a, c, b, n, t = 0.33652006, 0.50710289, 0.81344602, -0.26840403, -0.53434869  # [Elkaranshawy 2025], more digits
        det = a * b - c * c
        energy = (b * n * n - 2 * c * n * t + a * t * t) / det
        self.assertAlmostEqual(ours["mu_star"], a / c, delta=1e-6)
        self.assertAlmostEqual(ours["e_star_v"], math.sqrt(energy * det / (b * n * n)), delta=1e-5)
        self.assertAlmostEqual(ours["e_star"], math.sqrt(det / (a * b)), delta=1e-5)
        self.assertAlmostEqual(ours["mu_cr"], abs((a * t - 1.7 * c * n) / (1.7 * b * n - c * t)), delta=1e-5)

    def test_the_scenes_are_the_examples(self):
        def body(path):
            return [line.split("#")[0].split() for line in path.read_text().splitlines() if line.split("#")[0].strip()]

        for paper, example in [("liu-2007/case-4.yaml", "liu_arm.yaml"), ("aghili-2020/kane.yaml", "kane.yaml")]:
            self.assertEqual(body(SOURCE / "papers" / paper), body(EXAMPLES / example), paper)


class Figures(Case):
    def test_figures(self):
        self.assertEqual(run("papers", "--output", self.folder).returncode, 0)
        for paper, names in FIGURES.items():
            written = sorted(path.stem for path in (self.folder / paper).glob("*.svg"))
            self.assertEqual(written, names)
            for form in ("png", "pdf"):
                self.assertEqual(sorted(path.stem for path in (self.folder / paper).glob(f"*.{form}")), names)
            for name in names:
                self.check_svg(self.folder / paper / (name + ".svg"))
                self.check_png(self.folder / paper / (name + ".png"))
                self.check_pdf(self.folder / paper / (name + ".pdf"))
                kept = SOURCE / "papers" / paper / (name + ".svg")
                self.assertTrue(kept.is_file(), f"run: routh papers --output papers ({kept})")
                self.assertLess(kept.stat().st_size, 150_000)
                # The same words; lines may differ in the last digit from machine to machine.
                self.assertEqual(self.words(kept), self.words(self.folder / paper / (name + ".svg")))

    def words(self, path):
        return ["".join(text.itertext()) for text in xml.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")]

    def check_svg(self, path):
        text = path.read_text()
        self.assertEqual(xml.fromstring(text).tag, "{http://www.w3.org/2000/svg}svg")
        self.assertIsNone(re.search(r"\bnan\b|\binf\b", text))

    def check_png(self, path):
        data = path.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", data[16:24])
        self.assertGreater(min(width, height), 800)
        self.assertEqual(data[-8:-4], b"IEND")

    def check_pdf(self, path):
        self.assertGreater(min(pdf_size(path)), 300)
        title = xml.parse(path.with_suffix(".svg")).getroot()[0].text
        self.assertIn(title.encode("ascii", "ignore").decode().replace(" ", ""), pdf_text(path))

    def test_the_modes_are_where_they_should_be(self):
        run("papers", "liu-2007", "--output", self.folder)
        words = {k: self.words(self.folder / "liu-2007" / f"fig-{k}.svg") for k in (3, 4, 5, 6)}
        for k, expected in {3: ["unstable node", "saddle"], 5: ["saddle", "saddle"],
                            6: ["saddle", "unstable node", "saddle", "saddle"]}.items():
            self.assertEqual([w.split(" ", 1)[1] for w in words[k] if re.match(r"P\d ", w)], expected)
        self.assertIn("slides until B = 0, detaches", words[4])
        self.assertNotIn("slides into A = 0", words[4])
        # What the tip does in cases 4, 4 without restitution, and 5.
        for k, expected in {7: {"in the air", "jumps"}, 10: {"in the air", "slips", "sticks", "jumps"},
                            15: {"in the air", "slips", "sticks", "jumps"}}.items():
            found = set(self.words(self.folder / "liu-2007" / f"fig-{k}.svg"))
            self.assertEqual(found & {"in the air", "slips", "sticks", "jumps"}, expected, k)

    def test_no_figures_without_output(self):
        self.assertEqual(run("papers", "liu-2007", "--json").returncode, 0)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
