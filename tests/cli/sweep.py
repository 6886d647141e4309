"""Studies from outside: `routh sweep`, its numbers against plain Python."""
import csv
import hashlib
import json
import math
import statistics
import unittest

from support.program import EXAMPLES, SCALE, Case, run
from support.studies import ROUGH, sweep

STUDIES = EXAMPLES / "studies"


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


class SeveralContacts(Case):
    BOX = """
routh: 1
surfaces: {rubber: {friction: 0.5, restitution: 0.8}}
bodies:
  box: {mass: 2, inertia: [0.2, 0.2, 0.2], joint: {kind: free},
        shapes: {box: {kind: box, size: [1, 1, 1], surface: rubber}}}
world: {shapes: {floor: {kind: half_space}}}
state:
  position: {box: {position: [0, 0, 0.5]}}
  velocity: {box: [1, 0, -1, 0, 0, 0]}
"""

    def study(self, rule, measure, rest=""):
        self.write("box.yaml", self.BOX)
        return self.write("study.yaml", f"""
study: 1
scene: box.yaml
{rule}
vary: {{surfaces.rubber.friction: [0.2, 0.5]}}
sampling: {{method: grid}}
measure: {{{measure}}}
table: true
{rest}""")

    def samples(self, study):
        result = sweep(study, "--csv", self.folder / "out.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.folder / "out.samples.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_a_rule_is_that_of_impact(self):
        measure = "lost: -energy.change, spin: 'velocity[4]', pushed: impulse.n, rubbed: impulse.t1"
        rows = self.samples(self.study("rule: together", measure))
        self.assertEqual(len(rows), 2)
        for row in rows:
            text = self.BOX.replace("friction: 0.5", "friction: " + row["surfaces.rubber.friction"])
            answer = json.loads(run("impact", self.write("one.yaml", text), "--json", "--rule", "together", "-q").stdout)
            march = answer["simultaneous"]["together"]
            self.assertEqual(float(row["lost"]), -march["energy"]["change"])
            self.assertEqual(float(row["spin"]), march["velocity"][4])
            self.assertEqual(float(row["pushed"]), march["contacts"][0]["normal_impulse"])
            self.assertEqual(float(row["rubbed"]), march["contacts"][0]["tangential_impulse"][0])

    def test_the_other_rule_does_not_slip_where_there_is_friction(self):
        for row in self.samples(self.study("rule: simultaneous", "slip: relative_velocity.t1, rises: contact_velocity.n")):
            self.assertAlmostEqual(float(row["slip"]), 0, places=12)
            self.assertAlmostEqual(float(row["rises"]), 0.8, places=12)

    def test_what_a_rule_does_not_know(self):
        for rule, measure, words in (("rule: together", "m: mode", "one contact alone"),
                                     ("rule: together", "m: newton.energy.change", "energetic and poisson"),
                                     ("rule: simultaneous\nlaw: poisson", "m: energy.change", "Newton's rule"),
                                     ("rule: never", "m: energy.change", "together"),
                                     ("rule: together\nrun: {until: 1}", "m: energy.final", "chooses its rule")):
            self.assert_fails(sweep(self.study(rule, measure)), 3, words)
        problem = self.write("p.yaml", ROUGH % ("random", 5, "false") + "rule: together\n")
        self.assert_fails(sweep(problem), 3, "belongs to a `scene`")


class Refusals(Case):
    def test_contradictions(self):
        text = ROUGH % ("random", 100, "false")
        for more in ("set: {friction: 0.3}\n", "set: {friction.static: 0.3}\n", "set: {restitution: 0.3}\n"):
            study = self.write("study.yaml", text + more)
            self.assert_fails(sweep(study), 3, "study.yaml:", "is the same as", "keep one")

    def test_all_fail(self):
        study = self.write("study.yaml", f"study: 1\nscene: {EXAMPLES}/kane.yaml\nset: {{state.position.upper: 1}}\n"
                           "vary: {state.velocity.upper: {from: -1, to: 0}}\nmeasure: {x: energy.change}\n"
                           "sampling: {method: random, samples: 10, seed: 1}\n")
        result = sweep(study)
        self.assertEqual(result.returncode, 4)
        self.assertIn("every sample failed", result.stderr)
        self.assertIn("10 no_strike", result.stdout)

    def test_fixed_values_out_of_range(self):
        text = ROUGH % ("random", 100, "false")
        head = text[:text.index("vary:")] + "vary: {'contact_velocity[1]': {mean: 0, std: 1}}\n"
        tail = "\nsampling: {method: random, samples: 100, seed: 4}\nmeasure: {up: contact_velocity.n}\n"
        for setting, column, *words in (
                ("restitution: 3", 20, "restitution.normal = 3", "[0, 1]", "leave it out"),
                ("friction: -1", 17, "friction.static = -1", "zero or positive"),
                ("restitution.tangential: -2", 31, "= -2", "[-1, 1]"),
                ("'delassus[0][0]': -1", 25, "delassus", "-1"),
                ("restitution: .nan", 20, "not finite"),
                ("friction.static: 0.1", 24, "friction.static = 0.1", "must not exceed"),
                ("friction.kinetic: 0.1, friction.static: 0.05", 25, "kinetic = 0.1", "static")):
            study = self.write("study.yaml", head + "set: {" + setting + "}" + tail)
            self.assert_fails(sweep(study), 3, f"study.yaml:6:{column}: error: ", *words)
        # Each alone would not do, both together, or one with what varies.
        for setting, vary in (("friction.static: 0.1, friction.kinetic: 0.05", "'contact_velocity[1]': [0, 1]"),
                              ("friction.static: 0.2", "friction.kinetic: {from: 0, to: 0.4}")):
            study = self.write("study.yaml", text[:text.index("vary:")] + "vary: {" + vary + "}\nset: {" + setting + "}" + tail)
            self.assertEqual(sweep(study).returncode, 0, setting)

    def test_fixed_values_of_a_scene_out_of_range(self):
        for setting, *words in (("bodies.upper.mass: -1", "'upper'", "mass = -1", "zero or positive"),
                                ("surfaces.ground.restitution: 1.5", "'ground'", "1.5", "[0, 1]"),
                                ("joints.upper.damping: -3", "'upper'", "damping = -3")):
            study = self.write("study.yaml", f"study: 1\nscene: {EXAMPLES}/kane.yaml\n"
                               f"set:\n  {setting}\nvary: {{state.velocity.upper: {{from: -1, to: 0}}}}\n"
                               "sampling: {method: random, samples: 10, seed: 1}\nmeasure: {x: energy.change}\n")
            place = f"study.yaml:4:{setting.index(':') + 5}: error: "
            self.assert_fails(sweep(study), 3, place, *words)

    def test_ranges_of_which_nothing_is_allowed(self):
        text = ROUGH % ("random", 100, "false")
        for way, code in (("{from: -2, to: -1}", 3), ("{from: -2, to: 1}", 0),
                          ("[-1, -2]", 3), ("[-1, 0.5]", 0), ("{mean: -9, std: 0.5}", 3), ("{mean: -1, std: 0.5}", 0)):
            study = self.write("study.yaml", text.replace("friction: {from: -0.1, to: 1}", "friction: " + way))
            result = sweep(study)
            self.assertEqual(result.returncode, code, way + result.stderr)
            if code:
                self.assert_fails(result, 3, "study.yaml:6:13: error: ", "'friction'", "nothing that is allowed",
                                  "zero or positive")
        # Ranges that touch what is allowed, or reach far beyond both of its ends, are no mistake for certain.
        study = self.write("study.yaml", text.replace("friction: {from: -0.1, to: 1}", "friction: {from: -2, to: 0}"))
        self.assertEqual(sweep(study).returncode, 4)
        study = self.write("study.yaml", text.replace("restitution: {from: 0, to: 1}", "restitution: {from: -3000, to: 1000}"))
        self.assertIn(sweep(study).returncode, (0, 4))
        head, tail = text[:text.index("vary:")], "measure: {up: contact_velocity.n}\n"
        for way, code in (("{from: 2, to: 3, count: 7}", 3), ("{from: -4, to: 0, count: 5}", 0),
                          ("{from: 1, to: 3, count: 1}", 0)):
            study = self.write("study.yaml", head + f"vary: {{restitution: {way}}}\nsampling: {{method: grid}}\n" + tail)
            self.assertEqual(sweep(study).returncode, code, way)
        study = self.write("study.yaml", head + "sampling: {method: csv, file: points.csv}\n" + tail)
        self.write("points.csv", "# measured\n contact_velocity[1], restitution\n1,2\n0,3\n")
        self.assert_fails(sweep(study), 3, "points.csv:2:23: error: ", "'restitution'", "[0, 1]")
        self.write("points.csv", "contact_velocity[1],restitution\n1,2\n0,1\n")
        self.assertEqual(sweep(study).returncode, 0)

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


class Slips(Case):
    """What new users get wrong is told so that they can mend it."""
    def refused(self, text, *words, options=(), code=3):
        study = self.write("study.yaml", text)
        self.assert_fails(sweep(study, *options), code, *words)

    def test_of_sections(self):
        tail = "sampling: {method: random, samples: 10, seed: 1}\nmeasure: {x: energy.change}\n"
        problem, scene = f"study: 1\nproblem: {EXAMPLES}/kane.json\n", f"study: 1\nscene: {EXAMPLES}/kane.yaml\n"
        self.refused(problem + tail, "study.yaml:1:1", "`vary` is missing", "{from: 0, to: 1}")
        self.refused(problem + "vary: {friction: [0, 1]}\nmeasure: {x: mode}\n", "`sampling` is missing", "latin_hypercube")
        self.refused(problem + "vary: {velocity[0]: {from: 0, to: 1}}\n" + tail, "study.yaml:3:", "in quotes", "'velocity[0]'")
        self.refused(f"study: 1\nproblem: {EXAMPLES}/kane.yaml\nvary: {{friction: [0, 1]}}\n" + tail, "study.yaml:2:10",
                     "is a scene", "`scene`")
        self.refused(scene + "vary: {friktion: [0, 1]}\n" + tail, "study.yaml:3:8", "did you mean 'friction'?")
        self.refused(problem + "vary: {friction: {from: 0, to: 1, scale: log}}\n" + tail, "must be positive", "logarithm")

        self.refused(problem + "vary: [friction]\n" + tail, "study.yaml:3:7", "vary: found a list", "map")
        self.write("points.csv", "mu\n0.1\n")
        self.refused(problem + "vary: {friction: {from: 0, to: 1}}\nsampling: {method: csv, file: points.csv}\n"
                     "measure: {x: mode}\n", "study.yaml:3:18", "vary.friction", "name the column")

    def test_of_names(self):
        text = ROUGH % ("random", 10, "false")
        for option, name, right in (("-o", "out.csv", "--csv"), ("-o", "out.html", "--html"), ("--csv", "out.h5", "-o"),
                                    ("--html", "out.csv", "--csv")):
            self.refused(text, option, name, f"use {right}", options=(option, self.folder / name), code=2)
            self.assertFalse((self.folder / name).exists())

    def test_of_times(self):
        text = f"study: 1\nscene: {EXAMPLES}/kane.yaml\nrun: {{until: 1}}\nmeasure: {{t: time}}\n%s\n%s\nsampling: {{method: grid}}\n"
        friction = "vary: {surfaces.ground.friction: [0.1, 0.2]}"
        self.refused(text % ("set: {state.time: 20}", friction), "study.yaml:3:6", "end at 1 s and begin at 20 s")
        self.refused(text % ("", "vary: {state.time: [2, 3]}"), "study.yaml:6:20", "end at 1 s and begin at 2 s", "until")
        study = self.write("study.yaml", text % ("", "vary: {state.time: [0.5, 3]}"))
        answer = json.loads(sweep(study, "--json").stdout)
        self.assertEqual((answer["faults"], answer["measures"]["t"]["max"]), ({"refused": 1}, 1))
        study = self.write("study.yaml", text % ("set: {state.time: 0.9}", friction))
        self.assertEqual(json.loads(sweep(study, "--json").stdout)["measures"]["t"]["mean"], 1)


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
