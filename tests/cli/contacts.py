"""`routh contacts`: files in, tables, JSON and JSON Lines out; residuals recomputed from the formula."""
import gzip
import json
import math
import random
import unittest

from support.friction_contact import multiply, read_siconos, residual
from support.program import EXAMPLES, SCALE, SOURCE, Case, on_a_terminal, run

GOOD = SOURCE / "tests/data/contacts/good"
PLANAR = {"dimension": 2, "delassus": [[1.6, 1.2], [1.2, 3.4]], "contact_velocity": [-0.5, 2], "friction": [0.3]}
JAM = json.loads((EXAMPLES / "contacts/jam.json").read_text())


def random_problem(seed):
    """D = Σ of outer products, of less than full rank where contacts are many; μ from 0 to 2."""
    source = random.Random(seed)
    dimension, contacts = source.choice((2, 3)), source.randint(1, 6)
    rows, rank = dimension * contacts, source.randint(2, 12)
    factors = [[source.gauss(0, 1) for _ in range(rows)] for _ in range(rank)]
    weights = [source.gauss(0, 1) for _ in range(rank)]
    return {"dimension": dimension,
            "delassus": [[sum(f[i] * f[j] for f in factors) for j in range(rows)] for i in range(rows)],
            # In the range of D, as that of a machine is.
            "contact_velocity": [sum(f[i] * w for f, w in zip(factors, weights)) for i in range(rows)],
            "friction": [source.choice((0, 0.1, 0.5, 1, 2)) for _ in range(contacts)]}


class Answers(Case):
    def solve(self, problem, *options, name="problem.json"):
        path = self.write(name, json.dumps(problem)) if isinstance(problem, dict) else problem
        result = run("contacts", path, "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def check(self, answer, delassus, velocity, friction, dimension, tolerance=1e-10):
        """The residual by the formula, the velocity by D p, energy that is lost."""
        self.assertEqual(answer["status"], "solved")
        p = answer["impulse"]
        found = residual(delassus, velocity, friction, p, dimension)
        self.assertLess(found, tolerance)
        self.assertAlmostEqual(found, answer["residual"], delta=1e-3 * tolerance + 1e-13)
        change = multiply(delassus, p)
        scale = math.hypot(*velocity) + math.hypot(*change)
        for after, before, more in zip(answer["velocity"], velocity, change):
            self.assertAlmostEqual(after, before + more, delta=1e-13 * scale)
        gained = sum(a * (v + 0.5 * c) for a, v, c in zip(p, velocity, change))
        self.assertAlmostEqual(answer["energy"]["change"], gained, delta=1e-10 * scale * (1 + math.hypot(*p)))
        self.assertLessEqual(answer["energy"]["change"], 1e-9 * scale * (1 + math.hypot(*p)))

    def test_other_commands_name_the_one_that_solves_it(self):
        for command in ("impact", "diagnose", "project", "referee"):
            self.assert_fails(run(command, EXAMPLES / "contacts" / "jam.json"), 3, "jam.json:3:", "`routh contacts`")

    def test_a_sliding_contact_by_hand(self):
        answer = self.solve(PLANAR)
        normal = 0.5 / (1.6 - 0.3 * 1.2)  # it slides on: friction is −μ p_n
        self.assertAlmostEqual(answer["impulse"][0], normal)
        self.assertAlmostEqual(answer["impulse"][1], -0.3 * normal)
        self.assertAlmostEqual(answer["velocity"][1], 2 + normal * (1.2 - 0.3 * 3.4))
        self.assertEqual(answer["states"], ["slips"])
        self.assertEqual(answer["schema"], 1)
        self.assertEqual(answer["energy"]["supplied"], 0)
        self.assertTrue(answer["impulse_unique"])
        self.check(answer, PLANAR["delassus"], PLANAR["contact_velocity"], PLANAR["friction"], 2)

    def test_random_problems(self):
        for seed in range(int(60 * SCALE) or 5):
            problem = random_problem(seed)
            with self.subTest(seed=seed):
                self.check(self.solve(problem), problem["delassus"], problem["contact_velocity"], problem["friction"],
                           problem["dimension"])

    def test_files_of_siconos(self):
        for name in ("siconos_dense.dat", "siconos_blocks.dat"):
            text = (GOOD / name).read_text()
            dimension, matrix, q, mu = read_siconos(text)
            self.check(self.solve(GOOD / name), matrix, q, mu, dimension)
            packed = self.write(name + ".gz", gzip.compress(text.encode()))
            self.assertEqual(self.solve(packed), self.solve(GOOD / name))

    def test_a_machine(self):
        """q̇⁺ = q̇ + M⁻¹ Jᵀ p, and J q̇⁺ is the velocity; the legs share what only their sum decides."""
        answer = self.solve(EXAMPLES / "contacts/table.yaml")
        mass, before = [10, 10, 10, 1.5, 1.8, 2.4], [0.2, 0.05, -1, 0, 0, 0.1]
        legs = [(0.5, 0.4), (-0.5, 0.4), (-0.5, -0.4), (0.5, -0.4)]
        rows = []
        for x, y in legs:
            rows += [[0, 0, 1, y, -x, 0], [1, 0, 0, 0, -0.7, -y], [0, 1, 0, 0.7, 0, x]]
        delassus = [[sum(a * b / m for a, b, m in zip(r, s, mass)) for s in rows] for r in rows]
        self.check(answer, delassus, multiply(rows, before), [0.3, 0.3, 0.5, 0.5], 3)
        after = [v + sum(r[j] * p for r, p in zip(rows, answer["impulse"])) / mass[j] for j, v in enumerate(before)]
        for found, expected in zip(answer["machine_velocity"], after):
            self.assertAlmostEqual(found, expected, delta=1e-12)
        self.assertFalse(answer["impulse_unique"])
        least = self.solve(EXAMPLES / "contacts/table.yaml", "--least-norm")
        self.assertLessEqual(math.hypot(*least["impulse"]), math.hypot(*answer["impulse"]) * (1 + 1e-9))
        for a, b in zip(least["velocity"], answer["velocity"]):
            self.assertAlmostEqual(a, b, delta=1e-8)

    def test_infinite_friction_holds(self):
        answer = self.solve({**PLANAR, "friction": "inf"})
        self.assertEqual(answer["states"], ["sticks"])
        for value in answer["velocity"]:
            self.assertAlmostEqual(value, 0, delta=1e-9)

    def test_a_belt_supplies_energy(self):
        answer = self.solve({**PLANAR, "contact_velocity": [-1, 0], "surface_velocity": [0, 3]})
        self.assertAlmostEqual(answer["energy"]["supplied"], 3 * answer["impulse"][1])
        self.assertLess(answer["energy"]["change"] - answer["energy"]["supplied"], 0)

    def test_a_start_is_the_answer_of_before(self):
        first = self.write("first.json", run("contacts", GOOD / "siconos_blocks.dat", "--json").stdout)
        again = self.solve(GOOD / "siconos_blocks.dat", "--start", first)
        for a, b in zip(json.loads(first.read_text())["velocity"], again["velocity"]):
            self.assertAlmostEqual(a, b, delta=1e-9)
        short = self.write("short.json", "[1, 2]")
        self.assert_fails(run("contacts", GOOD / "siconos_blocks.dat", "--start", short), 3, "short.json", "9 are needed")

    def test_the_command_line_replaces_what_the_file_says(self):
        self.assertEqual(self.solve({**PLANAR, "tolerance": 1e-6})["tolerance"], 1e-6)
        self.assertEqual(self.solve({**PLANAR, "tolerance": 1e-6}, "--tolerance", "1e-9")["tolerance"], 1e-9)

    def test_two_solutions_are_told(self):
        """A rod that may let go or be pressed by its own friction: v̇_n = 4 − 0.6 λ [Painlevé]."""
        answer = self.solve({**JAM, "contact_velocity": [4, 0]})
        self.assertIs(answer["velocity_unique"], False)
        normals = sorted([answer["velocity"][0], (answer["other_velocity"] or answer["velocity"])[0]])
        self.assertAlmostEqual(normals[0], 0, delta=1e-8)
        self.assertAlmostEqual(normals[1], 4, delta=1e-8)
        text = run("contacts", self.write("two.json", json.dumps({**JAM, "contact_velocity": [4, 0]}))).stdout
        self.assertIn("The velocity is not unique", text)


class WithoutAnAnswer(Case):
    def test_infeasible(self):
        result = run("contacts", EXAMPLES / "contacts/jam.json", "--json")
        self.assertEqual(result.returncode, 4)
        answer = json.loads(result.stdout)
        self.assertEqual(answer["status"], "infeasible")
        y = answer["certificate"]
        self.assertLess(sum(a * b for a, b in zip(y, JAM["contact_velocity"])), 0)
        push = multiply(JAM["delassus"], [1, -0.8])
        self.assertLessEqual(sum(a * b for a, b in zip(y, push)), 1e-12)
        self.assertIsNone(answer["states"])
        self.assertIn("infeasible", result.stderr)
        self.assertIn("contact 1", run("contacts", EXAMPLES / "contacts/jam.json").stdout)

    def test_not_solved(self):
        """An accuracy that no arithmetic with doubles reaches."""
        path = self.write("problem.json", json.dumps(random_problem(3)))
        result = run("contacts", path, "--tolerance", "1e-300", "--iterations", "30", "--json")
        if result.returncode == 0:
            self.assertEqual(json.loads(result.stdout)["residual"], 0)
            return
        self.assertEqual(result.returncode, 4)
        answer = json.loads(result.stdout)
        self.assertEqual(answer["status"], "not_solved")
        self.assertTrue(answer["tried"])
        self.assertIn("not solved", result.stderr)
        self.assertLess(answer["residual"], 1e-6)
        text = run("contacts", path, "--tolerance", "1e-300", "--iterations", "30").stdout
        self.assertIn(answer["tried"].split()[0], text)


class Files(Case):
    def test_errors_have_a_place(self):
        bad = SOURCE / "tests/data/contacts/bad"
        self.assert_fails(run("contacts", bad / "friction_negative.json"), 3, "friction_negative.json:4:14: error:")
        self.assert_fails(run("contacts", bad / "siconos_nan.dat"), 3, "siconos_nan.dat:7:1: error:", "not finite")
        self.assert_fails(run("contacts", bad / "cut.dat.gz"), 3, "cut off")
        self.assert_fails(run("contacts", self.folder / "none.json"), 1, "cannot read")

    def test_check(self):
        result = run("check", GOOD / "siconos_older.dat.gz")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("sound contact problem: spatial, 3 contacts", result.stdout)
        self.assertIn("planar, 1 contact", run("check", EXAMPLES / "contacts/jam.json").stdout)
        self.assert_fails(run("check", SOURCE / "tests/data/contacts/bad/siconos_rows.dat"), 3, "siconos_rows.dat:4:1")

    def test_options(self):
        path = GOOD / "planar.yaml"
        for wrong in (("--tolerance", "0"), ("--tolerance", "x"), ("--iterations", "0"), ("--other-starts", "-1"),
                      ("--least-nrm",)):
            self.assert_fails(run("contacts", path, *wrong), 2)
        self.assert_fails(run("contacts", "-", "--start", path), 2, "--start")


class Table(Case):
    def test_every_good_file_is_narrow(self):
        for path in [*sorted(GOOD.iterdir()), *sorted((EXAMPLES / "contacts").iterdir())]:
            for encoding in ("C.UTF-8", "C"):
                result = run("contacts", path, LC_ALL=encoding)
                self.assertIn(result.returncode, (0, 4), result.stderr)
                self.assert_narrow(result.stdout)

    def test_words(self):
        text = run("contacts", EXAMPLES / "contacts/table.yaml").stdout
        for word in ("a table lands", "4 contacts, spatial", "solved: residual", "sticks", "q̇⁺", "ΔT", "not unique"):
            self.assertIn(word, text)
        self.assertNotIn("\x1b", text)
        self.assertIn(b"\x1b", on_a_terminal("contacts", EXAMPLES / "contacts/table.yaml")[0])


class JsonLines(Case):
    def test_one_answer_per_line(self):
        problems = [json.dumps({**random_problem(seed), "id": seed}) for seed in range(5)]
        result = run("contacts", "-", stdin="\n".join([*problems[:2], "", "{broken", *problems[2:]]))
        self.assertEqual(result.returncode, 3)
        self.assertIn("1 of 6 lines", result.stderr)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([answer.get("id") for answer in answers], [0, 1, None, 2, 3, 4])
        self.assertEqual(answers[2]["line"], 4)
        alone = json.loads(run("contacts", self.write("p.json", problems[0]), "--json").stdout)
        self.assertEqual(answers[0]["impulse"], alone["impulse"])

    def test_the_worst_line_decides(self):
        lines = f"{json.dumps(PLANAR)}\n{json.dumps(JAM)}\n"
        result = run("contacts", "-", "--tolerance", "1e-9", stdin=lines)
        self.assertEqual(result.returncode, 4)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([answer["status"] for answer in answers], ["solved", "infeasible"])
        self.assertEqual(answers[0]["tolerance"], 1e-9)


if __name__ == "__main__":
    unittest.main()
