"""`routh papers`: every printed number, and what happens when one does not agree."""
import json
import shutil
import unittest

from support.program import EXAMPLES, SOURCE, Case, full_scale, run

PAPER = "elkaranshawy-2025"
PAPERS = ["aghili-2020", "aghili-projection", "elkaranshawy-2025", "liu-2007", "peiret-2017"]


class Papers(Case):
    def data(self):
        """A copy of the papers to doctor."""
        copy = self.folder / "papers"
        shutil.copytree(SOURCE / "papers", copy)
        return copy

    def test_every_printed_number_agrees(self):
        result = run("papers")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout.count("0 mismatches"), len(PAPERS))
        self.assert_narrow(result.stdout)
        self.assert_narrow(run("papers", LC_ALL="C").stdout)

    def test_json(self):
        document = json.loads(run("papers", PAPER, "--json").stdout)
        (paper,) = document["papers"]
        self.assertEqual(paper["name"], PAPER)
        verdicts = [value["verdict"] for value in paper["values"]]
        self.assertEqual(verdicts.count("mismatch"), 0)
        self.assertEqual(verdicts.count("misprint"), 1)
        self.assertGreaterEqual(verdicts.count("ok"), 78)
        for value in paper["values"]:
            if value["verdict"] == "ok" and isinstance(value["ours"], float):
                self.assertLessEqual(abs(value["ours"] - float(value["printed"])), value["tolerance"])

    def test_a_wrong_number_is_a_mismatch(self):
        data = self.data()
        expected = data / PAPER / "expected.yaml"
        expected.write_text(expected.read_text().replace('"5.4995"', '"5.4975"'))
        result = run("papers", PAPER, "--data", data)
        self.assertEqual(result.returncode, 5)
        self.assertIn("MISMATCH", result.stdout)
        self.assertIn("1 mismatch", result.stdout)

    def test_one_unit_of_the_last_digit_is_allowed(self):
        data = self.data()
        expected = data / PAPER / "expected.yaml"
        expected.write_text(expected.read_text().replace('"5.4995"', '"5.4996"'))
        self.assertEqual(run("papers", PAPER, "--data", data).returncode, 0)

    def test_a_wrong_word_is_a_mismatch(self):
        data = self.data()
        expected = data / PAPER / "expected.yaml"
        expected.write_text(expected.read_text().replace("reverse in restitution", "sliding"))
        self.assertEqual(run("papers", PAPER, "--data", data).returncode, 5)

    def test_a_misprint_must_agree_with_what_follows_instead(self):
        data = self.data()
        expected = data / PAPER / "expected.yaml"
        expected.write_text(expected.read_text().replace('computed: "-0.0702"', 'computed: "-0.0802"'))
        self.assertEqual(run("papers", PAPER, "--data", data).returncode, 5)

    def test_another_machine_does_not_agree(self):
        data = self.data()
        machine = data / PAPER / "pendulum.yaml"
        machine.write_text(machine.read_text().replace("[20, 30]", "[21, 30]"))
        self.assertEqual(run("papers", PAPER, "--data", data).returncode, 5)

    def test_bad_data(self):
        data = self.data()
        expected = data / PAPER / "expected.yaml"
        text = expected.read_text()
        for old, new, word in [('"5.4995"', "5.4995", "quotes"), ('"5.4995"', '"5.4q"', "decimal"),
                               ("quantity: I_ne", "quantity: I_nx", "I_nx"), ("law: newton", "law: newtn", "newtn"),
                               ("groups:", "group:", "group"), ("printed: \"16\"", "formula: \"(1)\"", "M_11")]:
            with self.subTest(new):
                expected.write_text(text.replace(old, new, 1))
                self.assert_fails(run("papers", PAPER, "--data", data), 3, "expected.yaml:", word)

    def test_no_data(self):
        self.assert_fails(run("papers", "--data", self.folder / "none"), 1, "cannot read")
        self.assert_fails(run("papers", "--data", self.folder), 1, "expected.yaml")

    @full_scale
    def test_the_table_in_the_repository_is_up_to_date(self):
        result = run("papers", "--output", self.folder)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(sorted(path.parent.name for path in self.folder.glob("*/table.md")), PAPERS)
        for table in self.folder.glob("*/table.md"):
            kept = SOURCE / "papers" / table.parent.name / "table.md"
            self.assertEqual(table.read_text(), kept.read_text(), f"run: routh papers --output papers ({kept})")

    def test_unwritable_output(self):
        self.assert_fails(run("papers", "--output", self.write("file", "") / "below"), 1, "cannot")

    def test_the_example_is_the_papers_machine(self):
        values = {value["quantity"]: value["ours"] for value in
                  json.loads(run("papers", PAPER, "--json").stdout)["papers"][0]["values"]}
        example = json.loads((EXAMPLES / "kane.json").read_text())
        for key, matrix in (("M_{}{}", "mass_matrix"), ("J_{}{}", "jacobian")):
            for i, row in enumerate(example[matrix]):
                for j, entry in enumerate(row):
                    name = key.format(i + 1 if matrix == "mass_matrix" else "nt"[i], j + 1)
                    self.assertAlmostEqual(values[name], entry, delta=1e-14)


if __name__ == "__main__":
    unittest.main()
