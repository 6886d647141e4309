"""The same bytes whatever the processor: the C library is told that it has no FMA, AVX2 or AVX, the linear algebra of
others that it runs on an old one."""
import json
import random
import subprocess
import unittest

from support.program import EXAMPLES, ROUTH, SOURCE, Case, environment

PROCESSORS = {
    "without FMA and AVX2": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"},
    "without AVX and SSE4": {
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX,-SSE4_2",
        "OPENBLAS_CORETYPE": "Prescott"},
}
SECONDS = {"kane": "3", "rattleback": "1", "superball": "2", "woodpecker": "1", "compass_walker": "1",
           "slider_crank": "1", "four_bar": "1", "rocking_block": "2", "quadruped": "0.3", "liu_arm": "1"}
ARM = SOURCE / "papers" / "liu-2007" / "arm.yaml"
STUDY = """
study: 1
name: many functions of the samples
problem: %s
vary:
  friction: {from: 0.001, to: 2, scale: log}
  restitution: {mean: 0.5, std: 0.1}
sampling: {method: sobol, samples: 2000}
measure:
  wave: sin(sample.friction * 40) + cos(sample.restitution * 1e7) + tan(sample.friction)
  growth: exp(sample.friction) + log(sample.friction) + sample.friction ^ sample.restitution
  angle: atan2(contact_velocity.t1, contact_velocity.t2) + asin(sample.friction / 2) + acos(sample.friction / 3)
  energy: energy.change
table: true
"""


def answer(arguments, processor, stdin=None):
    result = subprocess.run([ROUTH, *map(str, arguments)], input=stdin, capture_output=True, timeout=300, check=False,
                            env=environment(**processor))
    return result.returncode, result.stdout


def impacts(count=200, seed=22):
    """Lines of random impacts in the plane and in space, as many of each."""
    rng = random.Random(seed)
    lines = []
    for k in range(count):
        size = 2 + k % 2
        root = [[rng.gauss(0, 1) for _ in range(size)] for _ in range(size)]
        delassus = [[sum(a * b for a, b in zip(p, q)) + (0.1 if i == j else 0) for j, q in enumerate(root)]
                    for i, p in enumerate(root)]
        velocity = [-rng.uniform(0.1, 3)] + [rng.gauss(0, 1) for _ in range(size - 1)]
        lines.append(json.dumps({"delassus": delassus, "contact_velocity": velocity,
                                 "friction": rng.uniform(0, 1.5), "restitution": rng.uniform(0, 1)}))
    return ("\n".join(lines) + "\n").encode()


class SameBits(Case):
    def expect_same(self, arguments, stdin=None, output=None):
        """What is printed and, where it has a name, written."""
        def told(processor):
            code, text = answer(arguments, processor, stdin)
            self.assertEqual(code, 0, text[-500:])
            self.assertTrue(text or output)
            return text, output.read_bytes() if output else b""

        usual = told({})
        for name, processor in PROCESSORS.items():
            with self.subTest(name, arguments=arguments):
                self.assertTrue(told(processor) == usual, f"{arguments[:2]} differs {name}")

    def test_runs_through_impacts(self):
        for scene, seconds in SECONDS.items():
            self.expect_same(["simulate", EXAMPLES / f"{scene}.yaml", "--until", seconds, "--json"])

    def test_sweeps(self):
        table = self.folder / "table.csv"
        study = self.write("study.yaml", STUDY % json.dumps(str(EXAMPLES / "spatial.json")))
        self.expect_same(["sweep", study, "--csv", table, "--restart", "--quiet"],
                         output=self.folder / "table.samples.csv")

    def test_impacts(self):
        for law in ("energetic", "poisson", "newton"):
            self.expect_same(["impact", "-", "--law", law], stdin=impacts())

    def test_verdicts(self):
        for scene in ("painleve_rod", "liu_arm", "quadruped_stand", "newton_cradle"):
            self.expect_same(["diagnose", EXAMPLES / f"{scene}.yaml", "--json"])

    def test_derivatives_of_runs(self):
        self.expect_same(["gradient", EXAMPLES / "slider_crank.yaml", "--of", "final.velocity.crank", "--until", "0.05",
                          "--wrt", "gravity[1]", "state.velocity.crank", "--json"])

    def test_identification(self):
        throws = EXAMPLES / "throws"
        self.expect_same(["identify", throws, "--scene", throws / "disc.yaml", "--set", "surfaces.floor.friction=0:0.6",
                          "--set", "surfaces.floor.restitution=0.2:1", "--law", "energetic", "--json"])
        self.expect_same(["fit", EXAMPLES / "rod_impacts.csv", "--problem", EXAMPLES / "rod.json", "--json"])

    def test_contacts_efforts_and_springs(self):
        self.expect_same(["contacts", EXAMPLES / "contacts" / "table.yaml", "--json"])
        self.expect_same(["hold", EXAMPLES / "hold" / "gripper.yaml", "--json"])
        self.expect_same(["project", EXAMPLES / "quadruped.yaml", "--json"])
        self.expect_same(["referee", EXAMPLES / "rod.json", "--json"])

    def test_fixed_steps(self):
        self.expect_same(["simulate", EXAMPLES / "quadruped.yaml", "--engine", "stepping", "--until", "0.2", "--json"])

    def test_starts_of_pages_that_compute(self):
        for scene in ("kane", "rattleback"):
            self.expect_same(["play", EXAMPLES / f"{scene}.yaml", "--json"])

    def test_a_map(self):
        table = self.folder / "map.csv"
        self.expect_same(["map", ARM, "--x", "position.upper=-0.84:0.84", "--y", "velocity.upper=-4:4", "--adjust", "lower",
                          "--show", "A", "--points", "60", "--csv", table, "--quiet"], output=table)


if __name__ == "__main__":
    unittest.main()
