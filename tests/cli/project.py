"""`routh project` and `routh diagnose` on several contacts of bare matrices, from outside."""
import json
import unittest

from support.program import EXAMPLES, Case, run

BLOCK = {"mass_matrix": [[2, 0, 0], [0, 2, 0], [0, 0, 0.1]], "velocity": [0, 0, 0], "friction": 0.5, "restitution": 0,
         "contacts": [{"jacobian": [[0, 1, -0.2], [1, 0, 0.1]]}, {"jacobian": [[0, 1, 0.2], [1, 0, 0.1]]}]}


class Project(Case):
    def answer(self, command, path):
        done = run(command, path, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_text_is_narrow(self):
        for name in ("table.json", "four_bar.yaml", "quadruped.yaml", "kane.json"):
            for encoding in ("C.UTF-8", "C"):
                done = run("project", EXAMPLES / name, LC_ALL=encoding)
                self.assertEqual((done.returncode, done.stderr), (0, ""), name)
                self.assert_narrow(done.stdout)
                self.assertNotIn("nan", done.stdout)

    def test_the_table(self):
        got = self.answer("project", EXAMPLES / "table.json")
        self.assertEqual((got["rank"], got["rows"], got["multipliers_unique"]), (3, 4, False))
        S, n = got["S"], 3
        for i in range(n):  # all motions are taken: S = 1, R = −1
            for j in range(n):
                self.assertAlmostEqual(S[i][j], float(i == j), places=12)
                self.assertAlmostEqual(got["R"][i][j], -float(i == j), places=12)
        self.assertIsNone(got["nu_best"])
        self.assertEqual(got["restitution"]["status"], "ok")

    def test_nu(self):
        free = self.answer("project", EXAMPLES / "kane.json")
        low, high = free["nu_best"]
        self.assertTrue(low <= free["nu"] <= high)
        done = run("project", EXAMPLES / "kane.json", "--json", "--nu", 3 * high)
        self.assertAlmostEqual(json.loads(done.stdout)["condition"], 3 * free["best_condition"], places=6)
        self.assertEqual(run("project", EXAMPLES / "kane.json", "--nu", 0).returncode, 2)

    def test_numbers_out_of_range_are_refused(self):
        """Squares that overflow: velocities, rows (whose projection would vanish), forces, masses."""
        machine = {"mass_matrix": [[16, 6], [6, 4]], "jacobian": [[0.7, 1], [1.9, 1.7]], "velocity": [-0.1, -0.2],
                   "friction": 0.5, "restitution": 0.7}
        for change, words in (({"velocity": [-1e200, 0]}, "leave the range"),
                              ({"jacobian": [[1e160, 1], [1.9, 1.7]]}, "leave the range"),
                              ({"force": [1.7e308, -1.7e308]}, "leave the range"),
                              ({"mass_matrix": [[1, 2], [2, 1]]}, "not positive definite")):
            path = self.write("huge.json", json.dumps({**machine, **change}))
            for format in ((), ("--json",)):
                self.assert_fails(run("project", path, *format), 3, words, "huge.json:1:")

    def test_diagnose_of_several_contacts(self):
        got = self.answer("diagnose", EXAMPLES / "table.json")
        self.assertEqual([contact["kind"] for contact in got["contacts"]], ["approaching"] * 4)
        self.assertIsNone(got["together"])
        done = run("diagnose", EXAMPLES / "table.json")
        self.assertEqual(done.returncode, 0)
        self.assert_narrow(done.stdout)
        self.assertIn("Rank 3 of 4 rows", done.stdout)

    def test_a_block_pushed_at_rest(self):
        """2 kg on two feet 0.4 m apart, centre 0.1 m up, pushed by F through it: slips from F = μ m g, tips at 2 m g."""
        for push, friction, verdict in ((5, 0.5, "must hold"), (12, 0.5, "slides"), (30, 9, "must hold"),
                                        (45, 9, "tips")):
            text = json.dumps({**BLOCK, "friction": friction, "force": [push, -19.62, 0]})
            got = self.answer("diagnose", self.write("block.json", text))
            self.assertEqual([contact["kind"] for contact in got["contacts"]], ["resting"] * 2)
            self.assertEqual(got["together"]["verdict"], verdict, (push, friction))
        silent = run("diagnose", self.write("block.json", json.dumps(BLOCK))).stdout
        self.assertIn("`force` would say what presses", " ".join(silent.split()))

    def test_the_region_of_restitutions(self):
        """Two coupled coordinates, M = [[1, r], [r, 1]], rows e1, e2: T = [[e1, r (e1 - e2)/s], [0, e2]] in a basis."""
        r = 0.9
        text = json.dumps({"mass_matrix": [[1, r], [r, 1]], "velocity": [-1, -1], "friction": 0,
                           "contacts": [{"jacobian": [[1, 0], [0, 0]], "restitution": 0.5},
                                        {"jacobian": [[0, 1], [0, 0]], "restitution": 0.5}]})
        path = self.write("pair.json", text)
        done = run("map", path, "--x", "restitution.1=0:1", "--y", "restitution.2=0:1", "--points", 21, "--full",
                   "--csv", self.folder / "map.csv")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        kinds = set()
        for line in (self.folder / "map.csv").read_text().splitlines()[1:]:
            x, y, kind, _ = line.split(",")
            e, f = float(x), float(y)
            # ‖L^T E L^-T‖² by the trace and determinant of T^T T, T = L^T diag(e, f) L^-T, L^T = [[1, r], [0, s]].
            s = (1 - r * r) ** 0.5
            a, b, d = e, r * (f - e) / s, f
            trace, det = a * a + b * b + d * d, (a * d) ** 2
            norm2 = trace / 2 + (trace * trace / 4 - det) ** 0.5
            if abs(norm2 - 1) > 1e-6:
                self.assertEqual(kind, "some velocity gains" if norm2 > 1 else "no velocity gains", line)
            kinds.add(kind)
        self.assertEqual(kinds, {"no velocity gains", "some velocity gains"})
        wrong = run("map", path, "--x", "restitution.1=0:1", "--y", "restitution.3=0:1")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("restitution.2", wrong.stderr)

    def test_mistakes(self):
        bare = run("project", EXAMPLES / "spatial.json")
        self.assertEqual(bare.returncode, 3 if "delassus" in (EXAMPLES / "spatial.json").read_text() else 0)
        both = run("project", self.write("bare.json", json.dumps(
            {"delassus": [[1, 0], [0, 1]], "contact_velocity": [-1, 0], "friction": 0, "restitution": 0})))
        self.assertEqual((both.returncode, both.stdout), (3, ""))
        self.assertIn("needs the machine", both.stderr)
        uneven = json.loads(json.dumps(BLOCK))
        uneven["contacts"][1]["jacobian"].append([0, 0, 0])
        done = run("diagnose", self.write("uneven.json", json.dumps(uneven)))
        self.assertEqual(done.returncode, 3)


if __name__ == "__main__":
    unittest.main()
