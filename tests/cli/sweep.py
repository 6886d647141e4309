"""Studies from outside: `routh sweep`, its numbers against plain Python, and what kills and full disks leave behind."""
import csv
import hashlib
import json
import math
import os
import random
import resource
import signal
import statistics
import subprocess
import time
import unittest

from support.program import EXAMPLES, ROUTH, SCALE, Case, environment, run

STUDIES = EXAMPLES / "studies"

ROUGH = """
study: 1
name: a rough contact
problem: {delassus: [[1.6, 1.2], [1.2, 3.4]], contact_velocity: [-0.5, 2], friction: 0.3, restitution: 0.5}
vary:
  friction: {from: -0.1, to: 1}
  restitution: {from: 0, to: 1}
  contact_velocity[1]: {mean: 0, std: 1}
sampling: {method: %s, samples: %d, seed: 4}
measure:
  lost: {value: -energy.change, reduce: [mean, std, min, max, {quantiles: [0.05, 0.5, 0.9]},
    {histogram: {from: 0, to: 0.5, bins: 5}}]}
  sticks: mode == stick or mode == stick_in_compression
  mode: mode
  unified: {value: unified.contact_velocity.n, reduce: mean}
table: %s
"""


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


class Survival(Case):
    """Kills, interrupts and full disks."""

    def setUp(self):
        super().setUp()
        self.samples = int(100000 + 50000 * SCALE)
        self.study = self.write("study.yaml", ROUGH % ("random", self.samples, "true"))
        self.out = self.folder / "out.h5"

    def expected(self):
        whole = self.folder / "whole.h5"
        self.assertEqual(sweep(self.study, "-o", whole).returncode, 0)
        return digest(whole)

    def start(self, *arguments, **keywords):
        return subprocess.Popen([ROUTH, "sweep", str(self.study), "-o", str(self.out), "--checkpoint", "0.01", *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), **keywords)

    def test_killed_again_and_again(self):
        expected = self.expected()
        chance = random.Random(1)
        kills = 0
        for _ in range(200):
            process = self.start("--resume")
            try:
                process.communicate(timeout=chance.uniform(0.02, 0.3) * (1 + kills / 10))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
                continue
            self.assertEqual(process.returncode, 0)
            break
        self.assertGreater(kills, 0)
        self.assertEqual(digest(self.out), expected)
        # A kill while a file is written leaves its temporary one; what resuming needs is gone.
        self.assertEqual(list(self.folder.glob("*.checkpoint")) + list(self.folder.glob("*.rows")), [])

    def test_interrupted(self):
        expected = self.expected()
        process = self.start()
        checkpoint = self.folder / "out.h5.checkpoint"
        while not checkpoint.exists() and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if process.returncode != 0:  # unless it was quicker
            self.assertEqual(process.returncode, 130)
            self.assertIn(b"--resume", errors)
            self.assertFalse(self.out.exists())
            self.assert_fails(sweep(self.study, "-o", self.out), 1, "--resume", "--restart")
            self.assertEqual(sweep(self.study, "-o", self.out, "--resume").returncode, 0)
        self.assertEqual(digest(self.out), expected)

    def test_another_study_is_not_resumed(self):
        process = self.start()
        time.sleep(0.1)
        process.kill()
        process.communicate()
        if not (self.folder / "out.h5.checkpoint").exists():
            return
        self.study.write_text(self.study.read_text(encoding="utf-8").replace("seed: 4", "seed: 5"), encoding="utf-8")
        self.assert_fails(sweep(self.study, "-o", self.out, "--resume"), 3, "another study", "--restart")
        checkpoint = self.folder / "out.h5.checkpoint"
        data = bytearray(checkpoint.read_bytes())
        data[len(data) // 2] ^= 1
        checkpoint.write_bytes(data)
        self.assert_fails(sweep(self.study, "-o", self.out, "--resume"), 3, "damaged")
        self.assertEqual(sweep(self.study, "-o", self.out, "--restart").returncode, 0)

    def test_full_disk(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

        process = self.start(preexec_fn=limit)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(b"cannot write", errors)
        self.assertFalse(self.out.exists())
        self.assertEqual(sweep(self.study, "-o", self.out, "--resume").returncode, 0)
        self.assertEqual(digest(self.out), self.expected())

    def test_memory_is_flat(self):
        study = self.write("flat.yaml", ROUGH % ("latin_hypercube", int(1000000 * SCALE), "false"))
        process = subprocess.Popen([ROUTH, "sweep", str(study), "--json"], stdout=subprocess.DEVNULL, env=environment())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        self.assertEqual(status, 0)
        if "ASAN_OPTIONS" not in os.environ and SCALE == 1:
            self.assertLess(usage.ru_maxrss, 100000)  # kB


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
