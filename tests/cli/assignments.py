"""`--set PATH=VALUE` in every command that reads a scene or problem, and the floor under a robot, from outside."""
import csv
import json
import math
import unittest

from support.program import EXAMPLES, SOURCE, Case, run

KANE = EXAMPLES / "kane.yaml"
TWIN = SOURCE / "tests" / "data" / "robots" / "arm.urdf"
BALL_ROBOT = """<robot name='ball'><link name='ball'><inertial><mass value='2'/>
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>
<collision><geometry><sphere radius='0.25'/></geometry></collision></link></robot>"""


def told(*arguments):
    result = run(*arguments)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


class Set(Case):
    def test_it_is_the_number_in_the_file(self):
        """Another number by --set is the same as the number edited in the file."""
        text = KANE.read_text()
        written = "friction: {static: 0.51, kinetic: 0.5}"
        self.assertIn(written, text)
        edited = self.write("kane.yaml", text.replace(written, "friction: 0.9"))
        for command in ("impact", "diagnose", "info", "project"):
            for path in ("friction", "surfaces.ground.friction"):
                by_option = run(command, KANE, "--set", f"{path}=0.9", "--json", "-q").stdout
                by_file = run(command, edited, "--json", "-q").stdout
                self.assertEqual(by_option, by_file, (command, path))
            self.assertTrue(by_option.startswith("{"))
        self.assertNotEqual(by_file, run("impact", KANE, "--json", "-q").stdout)

    def test_angles_in_degrees_and_the_state(self):
        info = told("info", KANE, "--set", "position.upper=30 deg", "--set", "state.velocity.lower=0.25", "--json", "-q")
        self.assertAlmostEqual(info["state"]["q"][0], math.radians(30), places=14)
        self.assertEqual(info["state"]["v"][1], 0.25)

    def test_the_file_may_follow(self):
        self.assertEqual(run("impact", "--set", "friction=0.9", KANE, "-q").returncode, 0)

    def test_a_run_keeps_it_and_goes_on_to_the_same_bits(self):
        whole, part, rest = (self.folder / name for name in ("whole.h5", "part.h5", "rest.h5"))
        common = ("-q", "--samples", "0.01")
        for out, until in ((whole, "0.8"), (part, "0.4")):
            done = run("simulate", KANE, "--set", "restitution=0.3", "--set", "position.upper=21 deg", "--until", until, "-o", out,
                       *common)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run("simulate", "--resume", part, "-o", rest, "--until", "0.8", *common).returncode, 0)
        same = run("compare", whole, rest, "--rtol", "0", "--atol", "0")
        self.assertEqual(same.returncode, 0, same.stdout)
        self.assert_fails(run("simulate", "--resume", part, "--set", "friction=1", "--until", "1"), 2, "keeps its scene")

    def test_problem_files_too(self):
        text = (EXAMPLES / "kane.json").read_text()
        self.assertIn('"restitution": 0.7', text)
        edited = self.write("kane.json", text.replace('"restitution": 0.7', '"restitution": 0.2'))
        for command in ("impact", "diagnose", "project"):
            self.assertEqual(run(command, EXAMPLES / "kane.json", "--set", "restitution=0.2", "--json", "-q").stdout,
                             run(command, edited, "--json", "-q").stdout, command)
        self.assert_fails(run("impact", EXAMPLES / "kane.json", "--set", "friction=-2"), 2, "friction=-2", "zero or positive")

    def test_convert_writes_it(self):
        done = run("convert", KANE, "--set", "bodies.upper.mass=4.5")
        self.assertIn("mass: 4.5", done.stdout)

    def test_drives_forces_and_springs(self):
        scene = self.write("driven.yaml", """
routh: 1
dimension: planar
bodies:
  arm: {mass: 1, inertia: 0.1, joint: {kind: revolute, drive: {velocity: 1, damping: 5}}}
forces: {push: {body: arm, force: [1, 0]}}
""")
        for path, key in (("joints.arm.drive.velocity", "velocity: 2.5"), ("joints.arm.drive.damping", "damping: 2.5"),
                          ("joints.arm.effort", "effort: 2.5"), ("forces.push.force[1]", "force: [1, 2.5]")):
            done = run("convert", scene, "--set", f"{path}=2.5")
            self.assertIn(key, done.stdout, done.stderr)
        self.assert_fails(run("info", KANE, "--set", "joints.upper.drive.velocity=1"), 2, "no drive")
        self.assert_fails(run("info", scene, "--set", "joints.arm.drive.speed=1"), 2, "position, velocity, stiffness")

    def test_of_maps_both_variables_and_paths(self):
        plane = ("--x", "friction=0:1", "--y", "position.upper=-0.5:0.5", "--points", "8", "--json", "-q")
        plain, heavy = (run("map", KANE, *plane, *more) for more in ((), ("--set", "gravity[1]=-20")))
        self.assertEqual((plain.returncode, heavy.returncode), (0, 0), heavy.stderr)
        self.assert_fails(run("map", KANE, *plane, "--set", "gravty[1]=-20"), 2, "did you mean 'gravity'?")

    def test_what_cannot_be(self):
        for setting, *words in (("friction", "PATH=VALUE"), ("friction=", "friction"), ("friction=much", "much"),
                                ("friction=-1", "zero or positive"), ("surfaces.grund.friction=1", "did you mean 'ground'?"),
                                ("frction=1", "did you mean 'friction'?"), ("position.uper=1", "did you mean 'upper'?"),
                                ("velocity.upper=3 deg", "degrees"), ("bodies.upper.mass=-1", "mass"),
                                ("position.upper=inf", "inf"), ("friction[=1", "bracket")):
            self.assert_fails(run("info", KANE, "--set", setting), 2, "--set", *words)
        self.assert_fails(run("impact", "-", "--set", "friction=1"), 2, "stream")
        study = self.write("study.yaml", f"study: 1\nscene: {KANE}\nvary: {{friction: [0, 1]}}\n"
                           "sampling: {method: grid}\nmeasure: {x: energy.change}\n")
        self.assertEqual(run("check", study).returncode, 0, run("check", study).stderr)
        self.assert_fails(run("check", study, "--set", "friction=1"), 2, "`set`")


class AtATimeOfARun(Case):
    def setUp(self):
        super().setUp()
        self.run = self.folder / "run.h5"
        done = run("simulate", KANE, "--until", "0.5", "--samples", "0.01", "-o", self.run, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_state_is_that_of_the_sample(self):
        """The exported table says what the sample is."""
        table = self.folder / "run.csv"
        self.assertEqual(run("export", self.run, "-o", table).returncode, 0)
        with open(table, encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
        columns = {name: k for k, name in enumerate(rows[0])}
        info = told("info", self.run, "--at", "0.25", "--json", "-q")
        row = [row for row in rows[1:] if float(row[0]) <= 0.25][-1]
        self.assertEqual(info["time"], float(row[0]))
        self.assertEqual(info["state"]["q"], [float(row[columns[f"q.{name}"]]) for name in ("upper", "lower")])
        self.assertEqual(told("info", self.run, "--json", "-q")["time"], 0.5)

    def test_what_stands_between_samples_is_told(self):
        between = run("info", self.run, "--at", "0.2549")
        self.assertEqual(between.returncode, 0)
        self.assertIn("the last sample up to 0.2549 s", between.stderr)

    def test_a_machine_at_rest_is_diagnosed_as_resting(self):
        scene = self.write("box.yaml", """
routh: 1
dimension: planar
surfaces: {s: {friction: 0.5, restitution: 0.2}}
bodies:
  box: {mass: 1, inertia: 0.1, joint: {kind: planar}, shapes: {hull: {kind: box, size: [1, 0.4], surface: s}}}
world: {shapes: {floor: {kind: half_space, surface: s}}}
state: {position: {box: [0, 0.25, 0]}, velocity: {box: [1, 0, 0]}}
""")
        whole = self.folder / "box.h5"
        self.assertEqual(run("simulate", scene, "--until", "2", "-o", whole, "-q").returncode, 0)
        kinds = [contact["kind"] for contact in told("show", whole, "--json", "-q", "--svg", self.folder / "b.svg")["contacts"]]
        self.assertEqual(kinds, ["resting", "resting"])
        self.assertIn("Rest", run("diagnose", whole).stdout)

    def test_refusals(self):
        self.assert_fails(run("info", self.run, "--at", "0.6"), 2, "--at 0.6", "0.5 s")
        self.assert_fails(run("info", self.run, "--at", "-1"), 2, "--at -1")
        self.assert_fails(run("info", KANE, "--at", "0.1"), 2, "run files")
        self.assert_fails(run("info", self.run, "--floor"), 2, "robot files")
        self.assert_fails(run("info", self.folder / "none.h5"), 1, "none.h5")


class Floor(Case):
    def setUp(self):
        super().setUp()
        self.robot = self.write("ball.urdf", BALL_ROBOT)

    def test_a_machine_that_falls_for_ever_is_told(self):
        for command in ("check", "info", "simulate"):
            more = ("--until", "0.1") if command == "simulate" else ()
            free = run(command, self.robot, "--base", "floating", *more)
            self.assertEqual(free.returncode, 0)
            self.assertIn("falls freely", free.stderr)
            self.assertIn("--floor", free.stderr)
            self.assertNotIn("falls freely", run(command, self.robot, "--base", "floating", "--floor", *more).stderr)
            self.assertNotIn("falls freely", run(command, self.robot, *more).stderr)
        held = run("check", EXAMPLES / "superball.yaml")
        self.assertEqual((held.returncode, held.stderr), (0, ""))

    def test_the_lowest_point_is_where_it_is_dropped_from(self):
        def contact(*options):
            return told("info", self.robot, "--base", "floating", "--json", "-q", *options)["contacts"][0]
        self.assertAlmostEqual(contact("--drop", "0.08")["gap"], 0.08, places=15)
        # The file has its middle at z = 0: it is lifted out of the floor.
        self.assertAlmostEqual(contact("--floor", "0.5")["gap"], 0, places=15)

    def test_the_fall_takes_as_long_as_galileo_says(self):
        done = told("simulate", self.robot, "--base", "floating", "--drop", "0.5", "--until", "1", "--json", "-q")
        strike = next(event for event in done["events"] if event["kind"] == "impact")
        self.assertAlmostEqual(strike["time"], math.sqrt(2 * 0.5 / 9.81), places=9)

    def test_refusals(self):
        self.assert_fails(run("check", self.robot, "--drop", "1"), 3, "ball.urdf:1:", "fixed", "--base floating")
        self.assert_fails(run("check", KANE, "--floor"), 2, "robot files")
        self.assert_fails(run("check", self.robot, "--drop", "-1"), 2, "--drop")
        grounded = self.write("grounded.xml", "<mujoco><worldbody><geom name='ground' type='plane' size='1 1 1'/><body "
                              "pos='0 0 1'><freejoint/><geom type='sphere' size='0.1'/></body></worldbody></mujoco>")
        self.assert_fails(run("check", grounded, "--floor"), 3, "a floor already", "ground")
        gap = told("info", grounded, "--drop", "0.02", "--json", "-q")["contacts"][0]["gap"]
        self.assertAlmostEqual(gap, 0.02, places=14)


if __name__ == "__main__":
    unittest.main()
