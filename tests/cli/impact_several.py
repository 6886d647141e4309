"""`routh impact` on several contacts at once: rules, bounds of energy, streams."""
import json
import unittest

from support.program import EXAMPLES, SOURCE, Case, run

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

    def test_relative_stiffness_of_a_scenes_contacts(self):
        box = self.write("box.yaml", json.dumps({
            "routh": 1, "surfaces": {"rubber": {"friction": 0.5, "restitution": 0.8}},
            "bodies": {"box": {"mass": 2, "inertia": [0.2, 0.2, 0.2], "joint": {"kind": "free"},
                               "shapes": {"box": {"kind": "box", "size": [1, 1, 1], "surface": "rubber"}}}},
            "world": {"shapes": {"floor": {"kind": "half_space"}}},
            "state": {"position": {"box": {"position": [0, 0, 0.5]}}, "velocity": {"box": [1, 0, -1, 0, 0, 0]}}}))

        def velocity(*arguments):
            result = run("impact", box, "--rule", "together", "--json", *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout)["simultaneous"]["together"]["velocity"]

        names = json.loads(run("impact", box, "--json").stdout)["simultaneous"]["names"]
        alike = velocity()
        same = velocity(*(word for name in names for word in ("--stiffness", f"{name}=3")))
        for a, b in zip(alike, same):
            self.assertAlmostEqual(a, b, places=12)
        stiff = velocity("--stiffness", f"{names[0]}=20")
        self.assertGreater(max(abs(a - b) for a, b in zip(alike, stiff)), 1e-3)
        for given, words in (("fot=2", "unknown contact"), (f"{names[0]}=0", "positive"), (names[0], "NAME=RATIO"),
                             (f"{names[0]}=x", "not a number")):
            self.assert_fails(run("impact", box, "--stiffness", given), 2, words)
        self.assert_fails(run("impact", EXAMPLES / "kane.yaml", "--stiffness", "tip on floor=2"), 2, "several contacts")
        self.assert_fails(run("impact", EXAMPLES / "table.json", "--stiffness", "1=2"), 2, "`stiffness`")

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
