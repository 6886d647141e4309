"""Scenes from outside: `routh impact scene.yaml`, `--first-strike`, `check`, `info`."""
import json
import math
import unittest

from support.program import EXAMPLES, Case, run

SCENES = sorted(EXAMPLES.glob("*.yaml"))
BALL = """
routh: 1
name: ball
surfaces: {rubber: {friction: 0.5, restitution: 0.8}}
bodies:
  ball:
    mass: 2
    inertia: [0.2, 0.2, 0.2]
    joint: {kind: free}
    shapes: {ball: {kind: sphere, radius: 0.5, surface: rubber}}
world:
  shapes: {floor: {kind: half_space}}
state:
  position: {ball: {position: [0, 0, HEIGHT]}}
  velocity: {ball: [1, 0, SPEED, 0, 0, 0]}
"""


def ball(height, speed):
    return BALL.replace("HEIGHT", str(height)).replace("SPEED", str(speed))


class Impact(Case):
    def test_kane_from_its_scene_and_from_its_matrices(self):
        scene = json.loads(run("impact", EXAMPLES / "kane.yaml", "--json").stdout)
        matrices = json.loads(run("impact", EXAMPLES / "kane.json", "--json").stdout)
        self.assertEqual(scene["dofs"], ["upper", "lower"])
        self.assertEqual(len(scene["strikes"]), 1)
        results = scene["strikes"][0]["results"]
        self.assertEqual([r["law"] for r in results], [r["law"] for r in matrices["results"]])
        for ours, theirs in zip(results, matrices["results"]):
            self.assertEqual(ours["mode"], theirs["mode"])
            # The matrices are printed with four decimals.
            for key in ("contact_velocity", "impulse"):
                for a, b in zip(ours[key], theirs[key]):
                    self.assertAlmostEqual(a, b, delta=3e-3 * max(1, abs(b)), msg=(ours["law"], key))
            # Theirs are rates of absolute angles, ours of joints.
            self.assertAlmostEqual(ours["velocity"][0], theirs["velocity"][0], delta=3e-3)
            self.assertAlmostEqual(sum(ours["velocity"]), theirs["velocity"][1], delta=3e-3)
            self.assertEqual([j["joint"] for j in ours["joint_impulses"]], ["upper", "lower"])

    def test_kane_exactly(self):
        """The same matrices with all digits give the same numbers with all digits."""
        s20, c20, s30, c30 = math.sin(math.radians(20)), math.cos(math.radians(20)), 0.5, math.cos(math.radians(30))
        problem = {"mass_matrix": [[16, 6 * math.cos(math.radians(10))], [6 * math.cos(math.radians(10)), 4]],
                   "jacobian": [[2 * s20, 2 * s30], [2 * c20, 2 * c30]], "velocity": [-0.1, -0.2],
                   "friction": {"static": 0.51, "kinetic": 0.5}, "restitution": 0.7}
        matrices = json.loads(run("impact", self.write("kane.json", json.dumps(problem)), "--json").stdout)
        scene = json.loads(run("impact", EXAMPLES / "kane.yaml", "--json").stdout)
        for ours, theirs in zip(scene["strikes"][0]["results"], matrices["results"]):
            for a, b in zip(ours["impulse"] + ours["contact_velocity"], theirs["impulse"] + theirs["contact_velocity"]):
                self.assertAlmostEqual(a, b, delta=1e-11 * max(1, abs(b)), msg=ours["law"])
            self.assertAlmostEqual(ours["energy"]["change"], theirs["energy"]["change"], delta=1e-12)

    def test_every_scene_is_checked_shown_and_narrow(self):
        self.assertGreaterEqual(len(SCENES), 6)
        for scene in SCENES:
            for encoding in ("C.UTF-8", "C"):
                for command in ("check", "info", "impact"):
                    result = run(command, scene, LC_ALL=encoding)
                    self.assertEqual(result.returncode, 0, (scene, command, result.stderr))
                    if command != "check":
                        self.assert_narrow(result.stdout)
            self.assertIn("sound scene", run("check", scene).stdout)

    def test_nothing_strikes(self):
        path = self.write("ball.yaml", ball(2, 0))
        result = run("impact", path)
        self.assertEqual(result.returncode, 0)
        self.assertIn("nothing strikes", result.stdout)
        self.assertIn("ball on floor", result.stdout)
        self.assertEqual(json.loads(run("impact", path, "--json").stdout)["strikes"], [])
        self.assert_fails(run("impact", path, "--svg", self.folder / "x.svg"), 4, "nothing strikes")

    def test_first_strike_of_a_falling_ball(self):
        path = self.write("ball.yaml", ball(2, 0))
        answer = json.loads(run("impact", path, "--first-strike", "--json", "--law", "energetic").stdout)
        self.assertAlmostEqual(answer["time"], math.sqrt(2 * 1.5 / 9.81), delta=1e-11)
        result = answer["strikes"][0]["results"][0]
        speed = math.sqrt(2 * 9.81 * 1.5)
        self.assertAlmostEqual(result["contact_velocity"][0], 0.8 * speed, delta=1e-9)
        self.assertAlmostEqual(result["impulse"][0], 2 * 1.8 * speed, delta=1e-8)

    def test_first_strike_is_integrated_as_the_scene_says(self):
        scene = (EXAMPLES / "slider_crank.yaml").read_text(encoding="utf-8")

        def time(tolerance):
            path = self.write("crank.yaml", scene.replace("{until: 1}", f"{{until: 1, tolerance: {tolerance}}}"))
            return json.loads(run("impact", path, "--first-strike", "--json").stdout)["time"]

        rough, fine, finer = time("1e-2"), time("1e-12"), time("1e-13")
        self.assertAlmostEqual(fine, finer, delta=1e-9 * finer)
        self.assertGreater(abs(rough - finer), 1e-7 * finer)

    def test_first_strike_that_does_not_come(self):
        path = self.write("ball.yaml", ball(2, 0))
        self.assert_fails(run("impact", path, "--first-strike", "--duration", "0.1"), 4, "no first strike")
        self.assert_fails(run("impact", self.write("rest.yaml", ball(0.5, 0)), "--first-strike"), 4, "ball on floor")
        self.assert_fails(run("impact", EXAMPLES / "kane.json", "--first-strike"), 2, "needs a scene")
        self.assert_fails(run("impact", path, "--first-strike", "--duration", "-1"), 2, "--duration")

    def test_several_strikes(self):
        text = ball(0.5, -1).replace("kind: sphere, radius: 0.5", "kind: box, size: [1, 1, 1]")
        path = self.write("box.yaml", text)
        result = run("impact", path)
        self.assertEqual(result.returncode, 0)
        self.assertIn("4 contacts at once, as in a run", result.stdout)
        self.assertNotIn("before:", result.stdout)
        everything = run("impact", path, "--all").stdout
        self.assertTrue(everything.startswith(result.stdout), everything)
        self.assertEqual(everything.count("before:"), 4)
        self.assertEqual(everything.count("as if alone"), 4)

    def test_the_rule_of_a_run_can_be_asked_for(self):
        # A box that lands flat while it slides: the projection would leave the cone, and a run advances all together.
        text = ball(0.5, -1).replace("kind: sphere, radius: 0.5", "kind: box, size: [1, 1, 1]")
        path = self.write("box.yaml", text)
        answer = json.loads(run("impact", path, "--json", "--rule", "together").stdout)
        self.assertEqual(answer["simultaneous"]["rule"], "together")
        march = answer["simultaneous"]["together"]
        self.assertEqual(len(march["contacts"]), 4)
        event = json.loads(run("simulate", path, "--until", "1e-3", "--json").stdout)["events"][0]
        self.assertEqual((event["kind"], event["rule"]), ("impact", "together"))
        self.assertAlmostEqual(march["energy"]["change"], event["energy"]["change"], places=12)
        for impulse, own in zip(event["impulse"], march["contacts"]):
            self.assertAlmostEqual(impulse[0], own["normal_impulse"], places=12)
            for ours, theirs in zip(own["tangential_impulse"], impulse[1:]):
                self.assertAlmostEqual(ours, theirs, places=12)
        self.assertIn("advanced together", run("impact", path, "--rule", "together").stdout)
        self.assert_fails(run("impact", path, "--rule", "together", "--law", "newton"), 2, "energetic and poisson")

    def test_friction_without_rebound_is_the_contact_problem(self):
        text = ball(0.5, -1).replace("kind: sphere, radius: 0.5", "kind: box, size: [1, 1, 1]")
        bounces = json.loads(run("impact", self.write("bounces.yaml", text), "--json").stdout)["simultaneous"]
        self.assertEqual((bounces["rule"], bounces["frictional"]), ("run", None))
        path = self.write("dead.yaml", text.replace("restitution: 0.8", "restitution: 0"))
        dead = json.loads(run("impact", path, "--json").stdout)["simultaneous"]
        self.assertEqual((dead["rule"], dead["frictional"]["status"]), ("run", "solved"))
        self.assertEqual(len(dead["frictional"]["states"]), 4)
        self.assertIn("with friction, e = 0", run("impact", path, "--all").stdout)
        march = json.loads(run("impact", path, "--json", "--rule", "together").stdout)["simultaneous"]
        self.assertEqual(sorted(march), ["names", "rule", "together"])

    def test_overlap_is_refused(self):
        path = self.write("ball.yaml", ball(0.4, 0))
        for command in ("impact", "check"):
            self.assert_fails(run(command, path), 3, "ball on floor", "overlap by 0.1 m", "move 'ball' by [0, 0, 0.1] in the state")
            place = next(number for number, line in enumerate(path.read_text().splitlines(), 1) if "sphere" in line)
            self.assertIn(f"{path}:{place}:", run(command, path).stderr)

    def test_law_of_the_surface(self):
        text = ball(0.5, -1).replace("restitution: 0.8", "restitution: 0.8, law: poisson")
        path = self.write("ball.yaml", text)
        results = json.loads(run("impact", path, "--json").stdout)["strikes"][0]["results"]
        self.assertEqual([r["law"] for r in results], ["poisson"])
        results = json.loads(run("impact", path, "--json", "--law", "newton").stdout)["strikes"][0]["results"]
        self.assertEqual([r["law"] for r in results], ["newton"])

    def test_strict_refuses_a_gain(self):
        self.assert_fails_with_output(run("impact", EXAMPLES / "kane.yaml", "--strict", "--law", "classical"), 4, "gains")

    def assert_fails_with_output(self, result, code, word):
        self.assertEqual(result.returncode, code)
        self.assertIn(word, result.stderr)

    def test_picture(self):
        path = self.folder / "kane.svg"
        self.assertEqual(run("impact", EXAMPLES / "kane.yaml", "--svg", path).returncode, 0)
        self.assertIn("<svg", path.read_text(encoding="utf-8"))


class Still(Case):
    """A scene in which nothing can move."""

    def test_every_command(self):
        path = self.write("still.yaml", """
routh: 1
bodies:
  post: {mass: 1, inertia: [1, 1, 1], joint: {kind: fixed}, shapes: {post: {kind: sphere, radius: 1}}}
world: {shapes: {floor: {kind: half_space}}}
""")
        for arguments in (["check"], ["info"], ["info", "--json"], ["impact"], ["impact", "--json"]):
            result = run(arguments[0], path, *arguments[1:])
            self.assertEqual(result.returncode, 0, (arguments, result.stderr))
        self.assert_fails(run("impact", path, "--first-strike"), 4, "nothing is struck")


class Mistakes(Case):
    def test_a_typo_has_its_place_and_a_suggestion(self):
        path = self.write("typo.yaml", ball(2, 0).replace("mass: 2", "mas: 2"))
        for command in ("check", "info", "impact"):
            self.assert_fails(run(command, path), 3, f"{path}:7:5: error:", "'mas'", "did you mean 'mass'?")

    def test_all_errors_are_told_at_once(self):
        path = self.write("wrong.yaml", """routh: 1
dimension: planar
colour: red
surfaces:
  wood: {friction: -0.5, restitution: 2}
bodies:
  door:
    mas: 20
    inertia: 3
    joint: {kind: prismatik, axis: [1, 0]}
    shapes:
      edge: {kind: disc, radius: 1, surface: wood}
forces:
  push: {body: door, force: [30, 0, 1]}
simulation: {engine: fast}
""")
        places = ["3:1", "5:20", "5:39", "8:5", "10:19", "12:20", "14:29", "15:22"]
        for command in ("check", "simulate", "info", "diagnose", "show"):
            result = run(command, path)
            self.assertEqual(result.returncode, 3)
            lines = result.stderr.splitlines()
            self.assertEqual([line.split(": error: ")[0] for line in lines], [f"{path}:{place}" for place in places])
        self.assertIn("write `kind: sphere`", result.stderr)

    def test_what_a_scene_names_is_looked_up_everywhere_at_once(self):
        text = (EXAMPLES / "four_bar.yaml").read_text(encoding="utf-8")
        path = self.write("names.yaml", text + """springs:
  a: {bodies: [nobody, world], stiffness: 1, rest_length: 0}
forces:
  b: {body: nobody, force: [1, 0]}
""")
        lines = run("check", path).stderr.splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertTrue("spring 'a'" in lines[0] and "force 'b'" in lines[1])
        keys = "".join(f"k{i}: 1\n" for i in range(40))
        lines = run("check", self.write("many.yaml", "routh: 1\n" + keys)).stderr.splitlines()
        self.assertEqual(len(lines), 21)
        self.assertIn("20 errors", lines[-1])

    def test_a_study_is_told_from_a_scene(self):
        for command in ("simulate", "impact", "diagnose", "info", "hold", "show"):
            self.assert_fails(run(command, EXAMPLES / "studies" / "kane_energy.yaml"), 3, "routh sweep")

    def test_info_of_a_robot_fits_a_screen(self):
        path = self.write("cloud.yaml", "routh: 1\nbodies:\n" + "".join(
            f"  b{i}: {{mass: 1, inertia: [1, 1, 1], joint: {{kind: free}}, shapes: {{s{i}: {{kind: sphere, radius: 0.01}}}}}}\n"
            for i in range(20)) + "state:\n  position:\n" + "".join(
                f"    b{i}: [{0.031 * i}, 0, 0, 1, 0, 0, 0]\n" for i in range(20)))
        def gaps(*options):
            lines = run("info", path, *options).stdout.splitlines()
            return [float(line.split()[3]) for line in lines if line.startswith("s") and " on s" in line]
        brief, full = gaps(), gaps("--all")
        self.assertEqual((len(brief), brief), (10, sorted(full)[:10]))
        self.assertEqual(len(full), 19 + 18 + 17)  # gaps of 0.011, 0.042 and 0.073 m
        self.assertIn("44 more within 0.1 m", run("info", path).stdout)

    def test_missing_file(self):
        for command in ("check", "info", "impact"):
            self.assert_fails(run(command, self.folder / "none.yaml"), 1, "none.yaml")

    def test_info_needs_a_scene(self):
        self.assert_fails(run("info", EXAMPLES / "kane.json"), 3, "not a scene", "routh: 1")

    def test_info_shows_what_hulls_leave_outside(self):
        # A ball of 900 points, in turns of the golden angle, and a cube.
        turns = [(1 - 2 * (i + 0.5) / 900, 2.399963229728653 * i) for i in range(900)]
        points = [(math.sqrt(1 - z * z) * math.cos(a), math.sqrt(1 - z * z) * math.sin(a), z) for z, a in turns]
        self.write("ball.obj", "".join("v %.9f %.9f %.9f\n" % point for point in points) + "f 1 2 3\n")
        shapes = ("shapes: {ball: {kind: mesh, file: ball.obj}, "
                  "cube: {kind: mesh, vertices: [%s]}}" % ", ".join(
                      f"[{x}, {y}, {z}]" for x in (0, 1) for y in (0, 1) for z in (0, 1)))
        path = self.write("hulls.yaml", ball(9, 0).replace("shapes: {ball: {kind: sphere, radius: 0.5, surface: rubber}}",
                                                           shapes))
        result = run("info", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("its hull of 900 corners is reduced to 128", result.stderr)
        self.assert_narrow(result.stdout)
        rows = {line.split()[0]: line.split() for line in result.stdout.splitlines() if line[:5] in ("ball ", "cube ")}
        self.assertEqual(rows["ball"][1], "128")
        self.assertEqual(rows["ball"][3], "900")
        # Of a ball of radius 1 between 1 - cos of the angle that 128 points leave open at least, and a tenth.
        outside = float(rows["ball"][4])
        self.assertTrue(0.005 < outside < 0.1, rows)
        self.assertAlmostEqual(float(rows["ball"][6]), 100 * outside / 2, delta=5 * outside)
        self.assertEqual(rows["cube"][1:5], ["8", "6", "-", "-"])

    def test_info_folds_what_is_fixed(self):
        """Tool, camera and lens share a row; the mount carries a finger and has its own."""
        def body(name, mass, joint):
            return f"  {name}: {{mass: {mass}, inertia: [1, 1, 1], joint: {joint}}}\n"

        path = self.write("fixed.yaml", "routh: 1\nbodies:\n" + body(
            "arm", 1, "{kind: revolute, axis: [0, 1, 0], limits: [-0.05, 1]}") + body(
                "tool", 0.1, "{kind: fixed, parent: arm}") + body("camera", 0.2, "{kind: fixed, parent: tool}") + body(
                    "mount", 0.4, "{kind: fixed, parent: arm}") + body(
                        "finger", 0.5, "{kind: prismatic, axis: [1, 0, 0], parent: mount, limits: [-0.02, 1]}") + body(
                            "lens", 0.3, "{kind: fixed, parent: arm}"))
        result = run("info", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_narrow(result.stdout)
        rows = [line.split() for line in result.stdout.splitlines()]
        tree = [row for row in rows if row and row[0].strip("·…") in ("arm", "tool", "camera", "mount", "finger", "lens")]
        self.assertEqual(tree[:4], [["arm", "revolute", "1", "arm"], ["·tool…", "3", "fixed", "0.6"],
                                    ["·mount", "fixed", "0.4"], ["··finger", "prismatic", "0.5", "finger"]])
        gaps = {row[0]: row[-4:] for row in rows if "limit" in row}
        self.assertEqual(gaps, {"arm": ["0.05", "rad", "0", "rad/s"], "finger": ["0.02", "m", "0", "m/s"]})
        self.assertEqual(len(json.loads(run("info", path, "--json").stdout)["bodies"]), 6)

    def test_info_shows_the_scales(self):
        # Links of 2 m with their centres in the middle, 3 kg each, under gravity.
        scales = json.loads(run("info", EXAMPLES / "kane.yaml", "--json").stdout)["scales"]
        expected = {"length": 1, "mass": 6, "time": math.sqrt(1 / 9.81), "speed": math.sqrt(9.81), "force": 6 * 9.81}
        self.assertEqual(scales.pop("time_source"), "load")
        self.assertEqual(set(scales), set(expected))
        for name, value in expected.items():
            self.assertAlmostEqual(scales[name], value, delta=1e-12 * value, msg=name)
        self.assertIn("scales: 1 m, 6 kg, 0.3193 s (load), 3.132 m/s, 58.86 N", run("info", EXAMPLES / "kane.yaml").stdout)

    def test_posture_of_wrong_length(self):
        self.assert_fails(run("info", EXAMPLES / "kane.yaml", "--q", "1"), 2, "2 coordinates")
        self.assert_fails(run("info", EXAMPLES / "kane.yaml", "--q", "1", "nan"), 2)
        self.assert_fails(run("info", EXAMPLES / "kane.yaml", "--q", "1", "x"), 2)


class Check(Case):
    def test_problem_files_are_checked_too(self):
        result = run("check", EXAMPLES / "kane.json")
        self.assertEqual(result.returncode, 0)
        self.assertIn("sound problem", result.stdout)
        self.assert_fails(run("check", self.write("bad.json", '{"delassus": [[1]]}')), 3, "error:")


class Info(Case):
    def test_json_of_kane(self):
        info = json.loads(run("info", EXAMPLES / "kane.yaml", "--json").stdout)
        self.assertEqual(info["schema"], 1)
        self.assertEqual(info["mass"], 6)
        # In relative angles: M = Tᵀ M_absolute T with T = [[1, 0], [1, 1]].
        m12 = 6 * math.cos(math.radians(10))
        expected = [[16 + 2 * m12 + 4, m12 + 4], [m12 + 4, 4]]
        for row, want in zip(info["mass_matrix"], expected):
            for a, b in zip(row, want):
                self.assertAlmostEqual(a, b, delta=1e-13)
        lower = next(b for b in info["bodies"] if b["name"] == "lower")
        self.assertEqual(lower["parent"], "upper")
        self.assertAlmostEqual(lower["frame"]["position"][0], 2 * math.sin(math.radians(20)), delta=1e-15)
        # Holding it against gravity: 3 kg at 1 m and 2 m, and so on.
        s20, s30 = math.sin(math.radians(20)), math.sin(math.radians(30))
        self.assertAlmostEqual(info["gravity_force"][1], 3 * 9.81 * s30, delta=1e-12)
        self.assertAlmostEqual(info["gravity_force"][0], 3 * 9.81 * (s20 + 2 * s20 + s30), delta=1e-12)
        self.assertEqual(info["contacts"][0]["contact"], "tip on floor")

    def test_another_posture(self):
        info = json.loads(run("info", EXAMPLES / "kane.yaml", "--json", "--q", "0", "0").stdout)
        self.assertEqual(info["state"]["q"], [0, 0])
        self.assertAlmostEqual(info["mass_matrix"][0][0], 16 + 12 + 4, delta=1e-13)
        info = json.loads(run("info", EXAMPLES / "kane.yaml", "--json", "--q", "-0.5", "-1e-3").stdout)
        self.assertEqual(info["state"]["q"], [-0.5, -1e-3])

    def test_tree_shows_who_hangs_from_whom(self):
        text = run("info", EXAMPLES / "quadruped.yaml").stdout
        self.assertIn("18 degrees of freedom", text)
        self.assertIn("·fl_hip", text)


if __name__ == "__main__":
    unittest.main()
