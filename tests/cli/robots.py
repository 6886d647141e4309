"""Robot files from outside: `routh convert`, and the other commands on them."""
import json
import subprocess
import unittest

from support.program import ROUTH, SOURCE, Case, environment, run

ARM = SOURCE / "tests" / "data" / "robots" / "arm.urdf"
DROP = """
routh: 1
surfaces: {{ground: {{friction: 0.6, restitution: 0.4}}}}
robot: {{file: "{file}", base: floating, surface: ground}}
world: {{shapes: {{floor: {{kind: half_space}}}}}}
state: {{position: {{base: [0, 0, 2, 1, 0, 0, 0]}}}}
"""


class Robots(Case):
    def test_info_of_a_robot_is_that_of_its_scene(self):
        scene = self.folder / "arm.yaml"
        self.assertEqual(run("convert", ARM, "-o", scene, "-q").returncode, 0)
        direct = json.loads(run("info", ARM, "--json", "-q").stdout)
        converted = json.loads(run("info", scene, "--json", "-q").stdout)
        self.assertEqual(direct, converted)
        self.assertEqual(direct["dofs"], ["shoulder", "elbow", "extend", "left", "right"])

    def test_what_is_ignored_is_said_once(self):
        told = run("convert", ARM, "-o", self.folder / "arm.yaml")
        self.assertEqual(told.returncode, 0)
        lines = told.stderr.splitlines()
        self.assertEqual(len([line for line in lines if "'effort' of <limit>" in line]), 1)
        self.assertIn(f"{ARM}:70:3: warning: <gazebo> in <robot> is ignored: it is for another simulator", lines)
        self.assertEqual(run("convert", ARM, "-q").stderr, "")

    def test_a_package_is_found_from_its_own_folder(self):
        """The file named without a folder, as a shell in that folder does."""
        package = self.folder / "arm_description"
        package.mkdir()
        (package / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        (package / "r.urdf").write_text(
            "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
            "<collision><geometry><mesh filename='package://arm_description/t.obj'/></geometry></collision></link></robot>")
        for name in ("r.urdf", "./r.urdf", "../arm_description/r.urdf"):
            told = subprocess.run([ROUTH, "check", name], capture_output=True, text=True, cwd=package, env=environment(),
                                  check=False)
            self.assertEqual((told.returncode, told.stderr), (0, ""))

    def test_the_base_is_chosen(self):
        floating = run("convert", ARM, "--base", "floating", "-q").stdout
        self.assertIn("joint: {kind: free}", floating)
        self.assertIn("joint: {kind: fixed}", run("convert", ARM, "-q").stdout)
        self.assert_fails(run("convert", ARM, "--base", "loose"), 2, "loose")
        # The other commands take it too: six degrees of freedom more than the joints have.
        free = {base: json.loads(run("info", ARM, "--base", base, "--json", "-q").stdout)["dofs"]
                for base in ("fixed", "floating")}
        self.assertEqual(len(free["floating"]), len(free["fixed"]) + 6)
        self.assert_fails(run("check", SOURCE / "examples" / "kane.yaml", "--base", "fixed"), 2, "robot")
        self.assert_fails(run("check", ARM, "--keyframe", "home", "-q"), 3, "URDF")

    def test_every_command_takes_a_robot(self):
        self.assertEqual(run("check", ARM, "-q").returncode, 0)
        self.assertEqual(run("impact", ARM, "-q").returncode, 0)
        self.assertEqual(run("diagnose", ARM, "-q").returncode, 0)
        self.assertEqual(run("simulate", ARM, "-q", "--until", "0.01").returncode, 0)

    def test_a_run_of_a_robot_needs_no_other_file(self):
        scene, half, whole = (self.folder / name for name in ("drop.yaml", "half.h5", "whole.h5"))
        robot = self.folder / "arm.urdf"
        robot.write_bytes(ARM.read_bytes())
        scene.write_text(DROP.format(file="arm.urdf"), encoding="utf-8")
        self.assertEqual(run("simulate", scene, "-q", "--until", "0.1", "-o", half).returncode, 0)
        robot.unlink()
        resumed = run("simulate", "--resume", half, "-q", "--until", "0.2", "-o", whole)
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assert_fails(run("check", scene), 3, "there is no file 'arm.urdf'")

    def test_convert_keeps_meshes(self):
        data = SOURCE / "tests" / "data" / "robots"
        for name in ("meshes.urdf", "mjcf_meshes.xml"):
            (self.folder / "deep").mkdir(exist_ok=True)
            scene = self.folder / "deep" / "scene.yaml"
            self.assertEqual(run("convert", data / name, "-o", scene, "-q").returncode, 0)
            text = scene.read_text(encoding="utf-8")
            self.assertIn("kind: mesh", text)
            self.assertIn("../", text)  # from the folder of the scene
            direct, converted = (run("info", file, "--json", "-q") for file in (data / name, scene))
            self.assertEqual(direct.returncode, 0, direct.stderr)
            self.assertEqual(json.loads(direct.stdout), json.loads(converted.stdout))
            # Once more, from the scene itself: nothing changes.
            again = self.folder / "deep" / "again.yaml"
            self.assertEqual(run("convert", scene, "-o", again, "-q").returncode, 0)
            once_more = json.loads(run("info", again, "--json", "-q").stdout)
            self.assertEqual(json.loads(converted.stdout), once_more)

    def test_messages_name_the_robots_own_lines(self):
        robot = self.folder / "ant.xml"
        robot.write_text("<mujoco>\n<worldbody>\n<body name='b'>\n<joint name='j' range='30 70'/>\n"
                         "<geom size='.1'/></body></worldbody></mujoco>\n", encoding="utf-8")
        told = run("check", robot)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn(f"{robot}:4:1: warning: joint 'j' cannot be at 0", told.stderr)

    def test_a_robot_a_little_inside_the_floor_stands_on_it(self):
        robot, scene = self.folder / "ball.xml", self.folder / "ball.yaml"
        robot.write_text("<mujoco><worldbody>\n<geom name='floor' type='plane' size='0 0 1'/>\n"
                         "<body name='ball' pos='0 0 .099'><freejoint/><geom name='g' size='.1'/></body>\n"
                         "</worldbody></mujoco>\n", encoding="utf-8")
        told = run("simulate", robot, "--until", "1", "--json")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertIn(f"{robot}:2:1: warning: the shapes 'g' and 'floor' overlap by 0.001 m", told.stderr)
        energy = json.loads(told.stdout)["energy"]
        self.assertAlmostEqual(energy["final"], energy["initial"], places=9)  # it has not fallen
        self.assertEqual(run("convert", robot, "-o", scene, "-q").returncode, 0)
        direct, converted = (run("info", file, "--json") for file in (robot, scene))
        self.assertEqual(converted.stderr, "")
        self.assertEqual(json.loads(direct.stdout), json.loads(converted.stdout))

    def test_other_xml_is_refused_with_a_remedy(self):
        for name, text, expected in (("a.sdf", "<sdf/>", "convert it to URDF or MJCF"),
                                     ("a.xacro", "<robot name='a'><xacro:if/></robot>", "expand the macros")):
            file = self.folder / name
            file.write_text(text, encoding="utf-8")
            self.assert_fails(run("check", file), 3, expected)

    def test_bad_files(self):
        for text, expected in (("<robot name='r'>", "is not closed"),
                               ("<!DOCTYPE r [<!ENTITY x 'y'>]><robot/>", "DOCTYPE"),
                               ("<sdf/>", "no robot that can be read"),
                               ("", "holds no element")):
            bad = self.folder / "bad.urdf"
            bad.write_text(text, encoding="utf-8")
            self.assert_fails(run("check", bad), 3, expected)
        self.assert_fails(run("convert", self.folder / "none.urdf"), 1, "cannot read")


if __name__ == "__main__":
    unittest.main()
