"""`routh impact FILE`: the table, JSON, the picture, and files that cannot be used."""
import json
import math
import unittest
import xml.etree.ElementTree as ElementTree

from support.pictures import pdf_size, pdf_text, read_png
from support.program import EXAMPLES, SOURCE, Case, on_a_terminal, run

KANE = EXAMPLES / "kane.json"
LAWS = ["energetic", "poisson", "newton", "unified", "classical"]
GOOD = {"delassus": [[1.6, 0.3], [0.3, 3.4]], "contact_velocity": [-0.5, 2.0], "friction": 0.3, "restitution": 0.5}


def problem(**changes):
    return json.dumps({**GOOD, **changes})


class Table(Case):
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
                                                         "contacts": [CONTACT] * 2}))
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
        for length in range(len(text)):
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


SEVERAL = SOURCE / "tests" / "data" / "problems" / "several"
PUSHED = {"mass_matrix": [[2, 0], [0, 1]], "velocity": [-1, 0.3], "external_impulse": [-1, 0]}
CONTACT = {"jacobian": [[1, 0], [0, 1]], "friction": 0, "restitution": 0.5}


class SeveralContacts(Case):
    def test_an_external_impulse_means_the_same_for_one_contact_and_for_two(self):
        for velocity, expected in ((-1, 0.5), (0, 0)):
            machine = {**PUSHED, "velocity": [velocity, 0.3]}
            one = run("impact", self.write("one.json", json.dumps({**machine, **CONTACT})), "--json")
            self.assertEqual(one.returncode, 0, one.stderr)
            for law in json.loads(one.stdout)["results"]:
                self.assertAlmostEqual(law["velocity"][0], expected, places=14, msg=law["law"])
                energy = law["energy"]
                works = energy["normal_work"] + energy["tangential_work"] + energy["supplied"]
                self.assertAlmostEqual(works, energy["change"], places=13)
            two = run("impact", self.write("two.json", json.dumps({**machine, "contacts": [CONTACT] * 2})), "--json")
            self.assertEqual(two.returncode, 0, two.stderr)
            for answer in ("smooth", "sticking"):
                self.assertAlmostEqual(json.loads(two.stdout)[answer]["velocity"][0], expected, places=14)

    def test_a_strike_beside_a_separating_contact_does_not_gain(self):
        result = run("impact", SEVERAL / "strikes_one_side_of_a_wedge.json", "--json", "--strict")
        self.assertEqual(result.returncode, 0, result.stderr)
        smooth = json.loads(result.stdout)["smooth"]
        self.assertLessEqual(smooth["energy"]["ratio"], 1 + 1e-12)
        self.assertEqual(smooth["warnings"], [])
        self.assertTrue(all(contact["departure"] > -1e-12 for contact in smooth["contacts"]))

    def test_a_gain_is_told_with_its_amount(self):
        # One row, so redundant that its two restitutions cannot both be had, beside one that separates.
        found = 0
        for tilt in (0.2, 0.5, 0.8):
            contacts = [{"jacobian": [[1, tilt], [0, 1]], "friction": 9, "restitution": 1}] * 2
            file = self.write("gain.json", json.dumps({"mass_matrix": [[1, 0.9], [0.9, 1]], "velocity": [-1, 0.4],
                                                       "contacts": contacts}))
            result = run("impact", file, "--json")
            for label, answer in json.loads(result.stdout).items():
                if label in ("schema", "rule", "frictional") or answer["energy"]["consistent"]:
                    continue
                found += 1
                self.assertEqual([w["code"] for w in answer["warnings"]], ["energy_gain"])
                self.assertGreater(answer["energy"]["gain"], 0)
                self.assertIn(f"warning: {label}: these restitutions gain", result.stderr)
        self.assertGreater(found, 0)

    def test_the_rule_is_asked_for_in_the_file_on_the_command_line_or_in_a_stream(self):
        # Two feet of one sliding body, friction at one of them: the other stays behind.
        machine = {"mass_matrix": [[2, 0, 0], [0, 2, 0], [0, 0, 0.3]], "velocity": [-1, 1.5, 0], "restitution": 0.4,
                   "contacts": [{"jacobian": [[1, 0, 0.5], [0, 1, 0.4]], "friction": 0.5},
                                {"jacobian": [[1, 0, -0.5], [0, 1, 0.4]], "friction": 0}]}
        plain = self.write("feet.json", json.dumps(machine))
        own = self.write("own.json", json.dumps({**machine, "rule": "together"}))
        usual = json.loads(run("impact", plain, "--json").stdout)
        self.assertEqual((usual["rule"], sorted(usual)),
                         ("run", ["energetic", "frictional", "poisson", "rule", "run", "schema", "smooth", "sticking"]))
        asked = run("impact", plain, "--rule", "together", "--json")
        self.assertEqual(asked.returncode, 0, asked.stderr)
        answer = json.loads(asked.stdout)
        self.assertEqual((answer["rule"], sorted(answer)), ("together", ["rule", "schema", "together"]))
        self.assertEqual(json.loads(run("impact", own, "--json").stdout), answer)
        self.assertEqual(json.loads(run("impact", own, "--json", "--rule", "run").stdout), usual)
        projected = json.loads(run("impact", own, "--json", "--rule", "simultaneous").stdout)
        self.assertEqual((projected["rule"], sorted(projected)),
                         ("simultaneous", ["frictional", "rule", "schema", "smooth", "sticking"]))
        for label in ("smooth", "sticking", "frictional"):
            self.assertEqual(projected[label], usual[label])
        # One foot cannot stick: a run marches, under the energetic law where none is named.
        self.assertEqual((usual["run"]["rule"], usual["run"]["rules"]), ("together", ["together"] * 2))
        self.assertEqual(usual["energetic"], answer["together"])
        self.assertEqual({**usual["run"], "rule": 0, "rules": 0}, {**answer["together"], "rule": 0, "rules": 0})
        self.assertEqual(json.loads(run("impact", "-", "--rule", "together", stdin=plain.read_text()).stdout), answer)
        self.assertEqual(json.loads(run("impact", "-", stdin=own.read_text()).stdout), answer)
        rough, smooth = answer["together"]["contacts"]
        self.assertAlmostEqual(rough["tangential_impulse"][0], -0.5 * rough["normal_impulse"], places=12)
        self.assertEqual(smooth["tangential_impulse"][0], 0)
        energy = answer["together"]["energy"]
        self.assertAlmostEqual(energy["normal_work"] + energy["tangential_work"], energy["change"], places=12)
        self.assertLess(energy["change"], 0)
        self.assertIn("advanced together", run("impact", own).stdout)
        self.assertIn("by projection", run("impact", plain, "--rule", "simultaneous").stdout)
        self.assertIn("A run advances them together", run("impact", plain).stdout)
        poisson = json.loads(run("impact", own, "--json", "--law", "poisson").stdout)
        self.assertEqual(poisson["together"]["status"], "ok")

    def test_the_first_answer_is_that_of_a_run(self):
        # A box that lands flat: turning on ice it is projected, sliding on rubber it marches; and two boxes apart.
        def scene(name, friction, velocities):
            boxes = {f"box{k}": {"mass": 2, "inertia": [0.2, 0.2, 0.2], "joint": {"kind": "free"},
                                 "shapes": {f"shape{k}": {"kind": "box", "size": [1, 1, 1], "surface": f"s{k}"}}}
                     for k in range(len(velocities))}
            return self.write(name, json.dumps({
                "routh": 1, "name": "boxes", "bodies": boxes, "world": {"shapes": {"floor": {"kind": "half_space"}}},
                "surfaces": {f"s{k}": {"friction": mu, "restitution": 0.3} for k, mu in enumerate(friction)},
                "state": {"position": {f"box{k}": {"position": [3 * k, 0, 0.5]} for k in range(len(velocities))},
                          "velocity": {f"box{k}": v for k, v in enumerate(velocities)}}}))

        for name, friction, velocities, expected in (
                ("ice.yaml", [0], [[0.4, 0, -1, 0, 0, 0.3]], {"simultaneous"}),
                ("rubber.yaml", [0.5], [[1, 0, -1, 0, 0, 0]], {"together"}),
                ("both.yaml", [0, 0.5], [[0, 0, -1, 0, 0, 0], [1, 0, -1, 0, 0, 0]], {"simultaneous", "together"})):
            with self.subTest(name):
                file = scene(name, friction, velocities)
                answer = run("impact", file, "--json")
                self.assertEqual(answer.returncode, 0, answer.stderr)
                everything = json.loads(answer.stdout)["simultaneous"]
                ours = everything["run"]
                self.assertEqual(set(ours["rules"]), expected)
                self.assertEqual(ours["rule"], max(expected))
                # The engine builds D and velocities by another way.
                moved = self.folder / "run.h5"
                made = run("simulate", file, "--until", "1e-6", "--engine", "events", "-o", moved)
                self.assertEqual(made.returncode, 0, made.stderr)
                export = self.folder / "run.json"
                self.assertEqual(run("export", moved, "-o", export).returncode, 0)
                events = json.loads(export.read_text())["events"]
                struck = [e for e in events if e["kind"] == "impact"]
                self.assertEqual({e["rule"] for e in struck}, expected)
                ours = dict(zip(everything["names"], everything["run"]["contacts"]))
                compared = 0
                for event in struck:
                    for contact, after in zip(event["contact"], event["velocity_after"]):
                        for got, want in zip([ours[contact]["departure"], *ours[contact]["slip"]], after):
                            self.assertAlmostEqual(got, want, places=9)
                            compared += 1
                self.assertEqual(compared, 12 * len(velocities))

    def test_a_quadruped_fits_a_screen(self):
        def lines(*arguments):
            result = run("impact", *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80)
            return result.stdout.splitlines()

        quadruped = EXAMPLES / "quadruped.yaml"
        brief, everything = lines(quadruped), lines(quadruped, "--all")
        self.assertLess(len(brief), 40)
        self.assertIn("--all shows 42 more rows", "\n".join(brief))
        self.assertIn("hr_shank", "\n".join(everything))
        self.assertLessEqual(len(lines(EXAMPLES / "table.json")), 30)

    def test_rules_that_cannot_be_meant(self):
        machine = {"mass_matrix": [[2, 0], [0, 1]], "velocity": [-1, 0.3], "contacts": [CONTACT] * 2}
        two = self.write("two.json", json.dumps(machine))
        self.assert_fails(run("impact", two, "--rule", "togther"), 2, "together")
        self.assert_fails(run("impact", two, "--rule", "together", "--law", "newton"), 2, "energetic and poisson")
        self.assert_fails(run("impact", two, "--law", "poisson", "--rule", "simultaneous"), 2, "Newton's rule")
        self.assert_fails(run("impact", two, "--law", "unified"), 2, "energetic and poisson")
        self.assert_fails(run("impact", EXAMPLES / "kane.json", "--rule", "together"), 2, "this file has one")
        one = self.write("one.json", json.dumps({**PUSHED, **CONTACT, "rule": "together"}))
        self.assert_fails(run("impact", one), 3, "rule", "several `contacts`")
        pushed = self.write("pushed.json", json.dumps({**PUSHED, "contacts": [CONTACT] * 2, "rule": "together"}))
        self.assert_fails(run("impact", pushed), 3, "external_impulse", "simultaneous")
        named = self.write("named.json", json.dumps({**machine, "law": "newton", "rule": "together"}))
        self.assert_fails(run("impact", named), 3, "newton", "energetic")

    def test_friction_without_rebound_is_the_contact_problem(self):
        # A plate comes down flat and slides: all of it slips, by μ of what stops it; the ends share by least norm.
        machine = {"mass_matrix": [[2, 0, 0], [0, 2, 0], [0, 0, 0.5]], "velocity": [1.5, -1, 0]}
        rows = [[[0, 1, 0.5], [1, 0, 0]], [[0, 1, -0.5], [1, 0, 0]]]
        file = self.write("plate.json", json.dumps(
            {**machine, "friction": 0.4, "restitution": 0, "contacts": [{"jacobian": J} for J in rows]}))
        result = run("impact", file, "--json", "--strict")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)["frictional"]
        self.assertEqual((answer["status"], answer["states"]), ("solved", ["slips", "slips"]))
        self.assertLessEqual(answer["residual"], 1e-10)
        self.assertIn("Coulomb", answer["rule"])
        for got, expected in zip(answer["machine_velocity"], [1.5 - 0.4, 0, 0]):
            self.assertAlmostEqual(got, expected, places=9)
        for got, expected in zip(answer["impulse"], [1, -0.4, 1, -0.4]):
            self.assertAlmostEqual(got, expected, places=9)
        self.assertAlmostEqual(answer["energy"]["change"], 0.5 * 2 * (1.1**2 - 1.5**2 - 1), places=9)
        table = run("impact", file, "--all")
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertIn("with friction, e = 0", table.stdout)
        self.assertIn("residual", table.stdout)
        bare = self.write("bare.json", json.dumps({**machine, "dimension": 2, "friction": 0.4, "least_norm": True,
                                                   "jacobian": rows[0] + rows[1]}))
        same = json.loads(run("contacts", bare, "--json").stdout)
        self.assertEqual(same["impulse"], answer["impulse"])
        # The other rule has answers of its own; here the same one.
        march = json.loads(run("impact", file, "--json", "--rule", "together").stdout)
        self.assertEqual(sorted(march), ["rule", "schema", "together"])
        for got, expected in zip(march["together"]["velocity"], answer["machine_velocity"]):
            self.assertAlmostEqual(got, expected, places=9)
        # A rebound, and there is none.
        bouncing = {**machine, "friction": 0.4, "restitution": 0.5, "contacts": [{"jacobian": J} for J in rows]}
        result = run("impact", self.write("bouncing.json", json.dumps(bouncing)), "--json")
        self.assertIsNone(json.loads(result.stdout)["frictional"])

    def test_no_answer_is_exit_code_4(self):
        path = SEVERAL / "sticks_only_while_it_pulls.json"
        result = run("impact", path, "--rule", "simultaneous", "--json")
        self.assertEqual(result.returncode, 4)
        self.assertIn("error: sticking: no set of sticking contacts", result.stderr)
        # A run has an answer to that, and the other is news.
        usual = run("impact", path)
        self.assertEqual(usual.returncode, 0, usual.stderr)
        self.assertIn("warning: sticking: no set of sticking contacts", usual.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual((answer["smooth"]["status"], answer["sticking"]["status"]), ("ok", "not_converged"))
        self.assertIn("pulls", answer["sticking"]["explanation"])
        line = " ".join(path.read_text().split()) + "\n"
        stream = run("impact", "-", "--rule", "simultaneous", stdin=line)
        self.assertEqual(stream.returncode, 4)
        self.assertEqual(json.loads(stream.stdout), answer)


if __name__ == "__main__":
    unittest.main()
