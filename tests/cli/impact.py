"""`routh impact FILE`: the table, JSON, the picture, and files that cannot be used."""
import json
import math
import unittest
import xml.etree.ElementTree as ElementTree

from support.pictures import pdf_size, pdf_text, read_png
from support.program import EXAMPLES, SCALE, Case, on_a_terminal, run

KANE = EXAMPLES / "kane.json"
LAWS = ["energetic", "poisson", "newton", "unified", "classical"]
GOOD = {"delassus": [[1.6, 0.3], [0.3, 3.4]], "contact_velocity": [-0.5, 2.0], "friction": 0.3, "restitution": 0.5}


def problem(**changes):
    return json.dumps({**GOOD, **changes})


class Table(Case):
    def test_increment_of_a_scene(self):
        """Kane's scene has the numbers of Kane's matrices."""
        scene = json.loads(run("impact", EXAMPLES / "kane.yaml", "--json").stdout)["strikes"][0]["results"]
        matrices = {r["law"]: r for r in json.loads(run("impact", EXAMPLES / "kane.json", "--json").stdout)["results"]}
        for result in scene:
            own, other = result.get("increment"), matrices[result["law"]].get("increment")
            self.assertEqual(own is None, other is None)
            for key in ("I_nh", "I_np", "I_nf", "I_nc", "W_nc", "W_nR") if own else ():
                self.assertAlmostEqual(own[key], other[key], delta=1e-4 * abs(other[key]), msg=key)
            for stretch in ("first", "last") if own else ():
                self.assertEqual(len(own[stretch]["L"]), 2)
                self.assertAlmostEqual(own[stretch]["zeta"], other[stretch]["zeta"], delta=1e-3 * other[stretch]["zeta"])

    def test_all_laws_side_by_side(self):
        result = run("impact", KANE)
        self.assertEqual(result.returncode, 0, result.stderr)
        for word in [*LAWS, "v_n⁺", "W_t [J]", "μ_c", "μ_cr", "μ*", "e*", "q̇_1⁺", "GAINS", "0.489 J", "slip halts"]:
            self.assertIn(word, " ".join(result.stdout.split()))
        self.assert_narrow(result.stdout)

    def test_every_example_is_narrow(self):
        for example in sorted(EXAMPLES.glob("*.json")):
            for encoding in ("C.UTF-8", "C"):
                result = run("impact", example, LC_ALL=encoding)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assert_narrow(result.stdout)

    def test_the_verdict_on_energy_stands_in_its_column(self):
        for encoding in ("C.UTF-8", "C"):
            lines = run("impact", KANE, LC_ALL=encoding).stdout.splitlines()
            verdict = next(i for i, line in enumerate(lines) if line.startswith("energy"))
            self.assertEqual(lines[verdict].split(), ["energy", *["loses"] * 4, "GAINS"])
            self.assertTrue(lines[verdict + 1].endswith("0.489 J"))

    def test_extreme_numbers_are_narrow(self):
        for scale in (1e-150, 1e150):
            path = self.write("scaled.json", problem(contact_velocity=[-0.512345678 * scale, 2.123456789 * scale]))
            self.assert_narrow(run("impact", path).stdout)

    def test_one_law(self):
        result = run("impact", KANE, "--law", "newton")
        self.assertEqual(result.returncode, 0)
        self.assertIn("newton", result.stdout)
        self.assertNotIn("poisson", result.stdout)

    def test_the_law_in_the_file(self):
        result = run("impact", self.write("one.json", problem(law="poisson")))
        self.assertEqual(result.returncode, 0)
        self.assertIn("poisson", result.stdout)
        self.assertNotIn("newton", result.stdout)

    def test_ascii_where_the_locale_is_not_utf8(self):
        result = run("impact", KANE, LC_ALL="C")
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stdout.isascii())
        self.assertIn("mu_c", result.stdout)

    def test_no_impact(self):
        result = run("impact", self.write("apart.json", problem(contact_velocity=[0.5, 2.0])))
        self.assertEqual(result.returncode, 0)
        self.assertIn("no impact", result.stdout)

    def test_tangential_impacts(self):
        """Pressed, without approach: at the edge of a jam, and with e of the speed that the jam reaches."""
        pressed = {"delassus": [[1, 1], [1, 2]], "contact_velocity": [0, 1], "friction": 1, "restitution": 0.5,
                   "pressed": True}
        def solve(law, **changes):
            done = run("impact", self.write("p.json", json.dumps(pressed | changes)), "--law", law, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)
        poisson = solve("poisson")
        self.assertEqual(poisson["status"], "ok")
        self.assertAlmostEqual(poisson["impulse"][0], 1.5, delta=1e-12)
        self.assertAlmostEqual(poisson["contact_velocity"][0], 0.25, delta=1e-12)
        self.assertAlmostEqual(solve("energetic")["impulse"][0], 1, delta=1e-12)
        # Slip halts after 1/1.4 at v_n = -0.2/1.4.
        for law in ("poisson", "energetic"):
            answer = solve(law, friction=1.2, restitution={"alpha": 3})
            self.assertAlmostEqual(answer["restitution"], 1 - 3 * 0.2 / 1.4, delta=1e-12)
            self.assertEqual(answer["warnings"], [])
        beyond = solve("energetic", friction=1.2, restitution={"alpha": 8})
        self.assertEqual((beyond["restitution"], beyond["warnings"][0]["code"]), (0, "restitution_out_of_range"))


class Streams(Case):
    def test_warnings_go_to_stderr_and_quiet_silences_them(self):
        loud = run("impact", KANE)
        quiet = run("impact", KANE, "--quiet")
        self.assertIn("warning", loud.stderr)
        self.assertIn("classical", loud.stderr)
        self.assertEqual(quiet.stderr, "")
        self.assertEqual(quiet.stdout, loud.stdout)

    def test_a_law_without_an_answer(self):
        jam = {"delassus": [[1.6, 1.2], [1.2, 3.4]], "contact_velocity": [0, 2], "friction": 6, "pressed": True}
        path = self.write("jam.json", problem(**jam))
        one = run("impact", path, "--law", "newton", "--quiet")
        self.assertEqual(one.returncode, 4)
        self.assertEqual(one.stderr.count("newton"), 1)
        self.assertEqual(json.loads(run("impact", path, "--law", "newton", "--json").stdout)["status"], "undefined")
        every = run("impact", path)
        self.assertEqual(every.returncode, 0)
        self.assertIn("undefined", every.stdout)
        self.assertIn("warning: newton", every.stderr)

    def test_strict_refuses_an_answer_that_gains_energy(self):
        self.assertEqual(run("impact", KANE, "--law", "classical", "--strict").returncode, 4)
        self.assertEqual(run("impact", KANE, "--law", "classical").returncode, 0)
        self.assertEqual(run("impact", KANE, "--law", "energetic", "--strict").returncode, 0)

    def on_a_terminal(self, *arguments, **changes):
        text, code = on_a_terminal(*arguments, **changes)
        self.assertEqual(code, 0)
        return text

    def test_colour_only_on_a_terminal_that_wants_it(self):
        self.assertIn(b"\x1b[", self.on_a_terminal("impact", KANE))
        self.assertNotIn(b"\x1b[", self.on_a_terminal("impact", KANE, NO_COLOR="1"))
        self.assertIn(b"\x1b[", self.on_a_terminal("impact", KANE, NO_COLOR=""))
        self.assertNotIn(b"\x1b[", self.on_a_terminal("impact", KANE, "--no-color"))
        self.assertNotIn(b"\x1b[", self.on_a_terminal("impact", KANE, TERM="dumb"))
        self.assertNotIn("\x1b[", run("impact", KANE).stdout)


class Json(Case):
    def test_all_laws(self):
        result = run("impact", KANE, "--json", "--quiet")
        self.assertEqual(result.returncode, 0)
        document = json.loads(result.stdout, parse_constant=self.fail)
        self.assertEqual([entry["law"] for entry in document["results"]], LAWS)
        self.assertIn("schema", document)
        energetic = document["results"][0]
        self.assertTrue(math.isclose(energetic["contact_velocity"][0], 0.10005176433034545, rel_tol=1e-12))
        self.assertTrue(math.isclose(energetic["velocity"][1], 0.24281118529967488, rel_tol=1e-12))

    def test_one_law(self):
        document = json.loads(run("impact", KANE, "--json", "--law", "classical").stdout)
        self.assertEqual(document["law"], "classical")
        self.assertTrue(math.isclose(document["energy"]["change"], 0.488926854641345, rel_tol=1e-11))
        self.assertFalse(document["energy"]["consistent"])


class Derivatives(Case):
    def answers(self, text, *more):
        result = run("impact", self.write("problem.json", text), "--json", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {answer["law"]: answer for answer in json.loads(result.stdout)["results"]}

    def test_by_differences(self):
        """Restitution and the approach of every law, against two runs beside the first."""
        h = 1e-6
        exact = self.answers(problem(), "--derivatives")
        for name, low, high in (
                ("restitution", {"restitution": 0.5 - h}, {"restitution": 0.5 + h}),
                ("v_n", {"contact_velocity": [-0.5 - h, 2.0]}, {"contact_velocity": [-0.5 + h, 2.0]}),
                ("c1", {"delassus": [[1.6, 0.3 - h], [0.3 - h, 3.4]]}, {"delassus": [[1.6, 0.3 + h], [0.3 + h, 3.4]]})):
            below, above = self.answers(problem(**low)), self.answers(problem(**high))
            for law in LAWS:
                d = exact[law]["derivatives"]
                self.assertEqual((d["status"], d["border"]), ("exact", "none"))
                self.assertNotIn("derivatives", below[law])
                for k, output in enumerate(("impulse_n", "impulse_t1")):
                    expected = (above[law]["impulse"][k] - below[law]["impulse"][k]) / (2 * h)
                    self.assertAlmostEqual(d["of"][output][name], expected, delta=1e-6, msg=(law, output, name))

    def test_only_what_the_plane_has(self):
        d = self.answers(problem(), "--derivatives")["energetic"]["derivatives"]
        self.assertEqual(list(d["of"]), ["velocity_n", "velocity_t1", "impulse_n", "impulse_t1", "normal_work",
                                         "tangential_work", "supplied", "change"])
        for row in d["of"].values():
            self.assertEqual(len(row), 12)
            self.assertFalse({"c2", "b12", "b22", "v_t2", "surface_t2", "push_t2"} & set(row))
        self.assertNotIn("velocity_by_velocity", d)
        D = [[2, 0, 0.1], [0, 2, 0], [0.1, 0, 2]]
        d = self.answers(problem(delassus=D, contact_velocity=[-1, 1, 0.2]), "--derivatives")["energetic"]["derivatives"]
        self.assertEqual((len(d["of"]), len(d["of"]["impulse_t2"])), (10, 18))

    def test_of_a_machine(self):
        """A point of 2 kg that slips: q̇ is (n, t), J = 1 and n⁺ = −e n, t⁺ = t + μ (1 + e) n."""
        text = json.dumps({"mass_matrix": [[2, 0], [0, 2]], "jacobian": [[1, 0], [0, 1]], "velocity": [-1, 9],
                           "friction": 0.25, "restitution": 0.5})
        for law, answer in self.answers(text, "--derivatives").items():
            by_velocity = answer["derivatives"]["velocity_by_velocity"]
            for got, expected in zip(sum(by_velocity, []), [-0.5, 0, 0.375, 1]):
                self.assertAlmostEqual(got, expected, places=13, msg=law)

    def test_where_there_are_none(self):
        d = self.answers(problem(contact_velocity=[0, 1]), "--derivatives")["energetic"]["derivatives"]
        self.assertEqual((d["status"], d["border"], d["validity"]), ("one_sided", "grazing", 0))
        self.assertIn("one side only", d["explanation"])

    def test_what_has_no_such_derivatives(self):
        file = self.write("good.json", problem())
        self.assert_fails(run("impact", file, "--derivatives"), 2, "--derivatives needs --json")
        self.assert_fails(run("impact", "-", "--json", "--derivatives", stdin=problem()), 2, "not a stream")
        self.assert_fails(run("impact", EXAMPLES / "quadruped.yaml", "--json", "--derivatives"), 2, "not a scene")
        several = self.write("several.json", json.dumps({"mass_matrix": [[2, 0], [0, 1]], "velocity": [-1, 0.3],
                                                         "contacts": [{"jacobian": [[1, 0], [0, 1]], "friction": 0, "restitution": 0.5}] * 2}))
        self.assert_fails(run("impact", several, "--json", "--derivatives"), 2, "this file has several")


class BadFiles(Case):
    def test_missing_file(self):
        self.assert_fails(run("impact", self.folder / "none.json"), 1, "cannot read", "none.json")

    def test_a_folder_is_not_a_file(self):
        self.assert_fails(run("impact", self.folder), 1, "cannot read")

    def test_texts_that_are_not_problems(self):
        texts = {
            "empty": b"",
            "mark": b"\xef\xbb\xbf",
            "utf16": problem().encode("utf-16"),
            "nul": b"{\"delassus\": \0}",
            "broken": problem()[:-5],
            "duplicate": problem()[:-1] + ', "friction": 0.2}',
            "unknown": problem(frction=0.2),
            "nan": problem().replace("-0.5", "NaN"),
            "restitution": problem(restitution=1.2),
            "friction": problem(friction=-0.1),
            "order": problem(friction={"static": 0.1, "kinetic": 0.2}),
            "shape": problem(delassus=[[1.6, 0.3]]),
            "text": problem(restitution="high"),
            "deep": b"[" * 100000,
        }
        for name, text in texts.items():
            with self.subTest(name):
                self.assert_fails(run("impact", self.write(f"{name}.json", text)), 3, f"{name}.json", "error:")

    def test_the_place_of_an_error_is_named(self):
        path = self.write("place.yaml", "delassus: [[1.6, 0.3], [0.3, 3.4]]\ncontact_velocity: [-0.5, 2]\n"
                          "friction: 0.3\nrestitution: 1.2\n")
        self.assert_fails(run("impact", path), 3, "place.yaml:4:", "1.2")

    def test_a_file_cut_at_every_byte_is_refused_or_solved_never_a_crash(self):
        text = problem()
        for length in range(0, len(text), 1 if SCALE == 1 else 8):
            self.assertEqual(run("impact", self.write("cut.json", text[:length])).returncode, 3, text[:length])


class Picture(Case):
    def test_svg_is_well_formed_and_reproducible(self):
        first, second = self.folder / "a.svg", self.folder / "b.svg"
        for example in sorted(EXAMPLES.glob("*.json")):
            if example.name == "table.json":
                continue  # several contacts have no one path
            for out in (first, second):
                self.assertEqual(run("impact", example, "--svg", out, "--quiet").returncode, 0)
            self.assertEqual(first.read_bytes(), second.read_bytes())
            root = ElementTree.parse(first).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.svg", "b.svg"])

    def test_png_and_pdf_are_reproducible(self):
        files = {}
        for name in ("a", "b"):
            files[name] = [self.folder / f"{name}.{form}" for form in ("png", "pdf")]
            result = run("impact", KANE, "--png", files[name][0], "--pdf", files[name][1], "--quiet")
            self.assertEqual(result.returncode, 0, result.stderr)
        for first, second in zip(*files.values()):
            self.assertEqual(first.read_bytes(), second.read_bytes())
        width, height, _ = read_png(files["a"][0])
        self.assertEqual((width, height), (1960, 1080))
        self.assertEqual(pdf_size(files["a"][1]), (735, 405))
        for word in ("energetic", "slip halts", "kane.json"):
            self.assertIn(word.replace(" ", ""), pdf_text(files["a"][1]))

    def test_one_law_in_the_picture(self):
        out = self.folder / "one.svg"
        self.assertEqual(run("impact", KANE, "--law", "poisson", "--svg", out).returncode, 0)
        self.assertIn(">poisson<", out.read_text())
        self.assertNotIn(">newton<", out.read_text())

    def test_a_hostile_file_name_stays_text(self):
        path = self.write("<b>&_{x}.json", problem())
        self.assertEqual(run("impact", path, "--svg", self.folder / "out.svg").returncode, 0)
        ElementTree.parse(self.folder / "out.svg")

    def test_unwritable(self):
        for option in ("--svg", "--png", "--pdf"):
            for path in (self.folder / "no" / "such" / "folder.svg", self.folder, "/dev/full"):
                self.assert_fails(run("impact", KANE, option, path), 1, "cannot write")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_failure_leaves_the_old_picture(self):
        old = self.write("old.svg", "old")
        self.assertEqual(run("impact", self.write("bad.json", "{"), "--svg", old).returncode, 3)
        self.assertEqual(old.read_text(), "old")

    def test_not_with_a_stream(self):
        for option in ("--svg", "--png", "--pdf"):
            self.assert_fails(run("impact", "-", option, self.folder / "x"), 2, option)


if __name__ == "__main__":
    unittest.main()
