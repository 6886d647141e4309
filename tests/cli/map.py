"""`routh map`: axes, quantities, files, and what is said about a mistyped question."""
import csv
import json
import math
import os
import pty
import signal
import subprocess
import time
import unittest
from xml.etree import ElementTree

from support.body import body
from support.pictures import pdf_size, pdf_text, read_png
from support.program import EXAMPLES, ROUTH, SCALE, SOURCE, Case, await_handler, environment, full_scale, run

ARM = SOURCE / "papers" / "liu-2007" / "arm.yaml"
KANE = EXAMPLES / "kane.json"
PLANE = ("--x", "position.upper=-0.84:0.84", "--y", "velocity.upper=-4:4", "--adjust", "lower")
LONG = ("--points", str(int(350 * math.sqrt(SCALE))), "--full", "--threads", "1")  # long enough to show progress
SURFACE = ("--x", "restitution=0:1", "--y", "friction=0:1.5")


def points(answer):
    """x, y, name of the kind, number, of every point of a JSON answer."""
    names = {kind["kind"]: kind["name"] for kind in answer["kinds"]}

    def at(axis, k):
        return axis["low"] + (axis["high"] - axis["low"]) * k / (axis["points"] - 1)

    for row, (kinds, numbers) in enumerate(zip(answer["points"]["kinds"], answer["points"]["numbers"])):
        for column, (kind, number) in enumerate(zip(kinds, numbers)):
            yield at(answer["x"], column), at(answer["y"], row), names[kind], number


def arm(theta1, rate1, friction):
    """A, B and the slip of Liu's arm from its equations of motion, in absolute angles."""
    theta2 = math.acos(5 / 3 - math.cos(theta1))
    rate2 = -math.sin(theta1) * rate1 / math.sin(theta2)
    m11, m12, m22 = 4 / 3, math.cos(theta1 - theta2) / 2, 1 / 3
    det = m11 * m22 - m12 * m12
    inverse = ((m22 / det, -m12 / det), (-m12 / det, m11 / det))
    normal, tangent = (math.sin(theta1), math.sin(theta2)), (math.cos(theta1), math.cos(theta2))

    def product(u, v):
        return sum(u[i] * inverse[i][k] * v[k] for i in range(2) for k in range(2))

    turn = math.sin(theta1 - theta2) / 2
    forces = (-turn * rate2 ** 2 - 1.5 * 9.8 * math.sin(theta1), turn * rate1 ** 2 - 0.5 * 9.8 * math.sin(theta2))
    slip = tangent[0] * rate1 + tangent[1] * rate2
    A = product(normal, normal) - friction * math.copysign(1, slip) * product(normal, tangent)
    B = product(normal, forces) + math.cos(theta1) * rate1 ** 2 + math.cos(theta2) * rate2 ** 2
    return A, B, slip


def arm_mode(A, B):
    if A > 0:
        return "M2 slides" if B < 0 else "M1 detaches"
    return "M4 inconsistent" if B < 0 else "M3 indeterminate"


class Answers(Case):
    def ask(self, *arguments):
        result = run("map", *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return json.loads(result.stdout)

    def test_the_least_friction_that_jams(self):
        """A uniform rod jams from 4/3 on, at tan = 2, whatever it does along its plane [Painleve]."""
        answer = json.loads(run("map", EXAMPLES / "painleve_rod.yaml", "--x", "position.rod.angle=0.3:1.5", "--y",
                                "velocity.rod.x=-1:1", "--adjust", "rod.y", "--show", "jamming-friction", "--points",
                                "9", "--json").stdout)
        self.assertAlmostEqual(answer["least"]["number"], 4 / 3, places=9)
        self.assertAlmostEqual(answer["least"]["x"], math.atan(2), delta=1e-5)
        self.assertNotIn("least", json.loads(run("map", KANE, *SURFACE, "--points", "5", "--json").stdout))

    def test_modes_of_the_arm(self):
        for friction in (0.5, 0.8, 1.2):
            answer = self.ask(ARM, *PLANE, "--show", "mode", "--points", "60x50", "--set", f"friction={friction}")
            met = set()
            for theta, rate, kind, number in points(answer):
                A, B, _ = arm(theta, rate, friction)
                if min(abs(A), abs(B)) < 1e-9:
                    continue
                self.assertEqual(kind, arm_mode(A, B), (friction, theta, rate))
                met.add(kind)
            self.assertEqual(len(met), 4, friction)

    def test_pictures_say_what_is_asked_for(self):
        svg, pdf = self.folder / "own.svg", self.folder / "own.pdf"
        result = run("map", KANE, *SURFACE, "--points", "40", "--show", "energy-ratio", "--levels", "-0.3,-0.2,-0.05", "--json",
                     "--title", "Kane & Levinson", "--x-label", "e_{n}", "--y-label", "mu", "--size", "300x200", "--svg", svg,
                     "--pdf", pdf)
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual(answer["levels"], [-0.3, -0.2, -0.05])
        for _, _, kind, number in points(answer):
            if number is not None:
                band = sum(number >= level for level in answer["levels"])
                self.assertEqual(kind, ["< -0.3", "-0.3 to -0.2", "-0.2 to -0.05", ">= -0.05"][band])
        root = ElementTree.parse(svg).getroot()
        texts = ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]
        for words in ("Kane & Levinson", "en", "mu"):
            self.assertIn(words, texts)
        usual = self.folder / "usual.svg"
        run("map", KANE, *SURFACE, "--points", "40", "--show", "energy-ratio", "--levels", "-0.3,-0.2,-0.05", "--title", "",
            "--svg", usual)
        wide = ElementTree.parse(usual).getroot()
        self.assertAlmostEqual(float(wide.get("width")) - float(root.get("width")), 320, delta=1)
        self.assertNotIn("energy-ratio", "".join(wide.itertext()).split("Kane")[0])
        for wrong, words in ((("--levels", "0.2,0.1"), "rise"), (("--levels", "0.1,x"), "--levels"), (("--size", "10x20"), "--size"),
                             (("--show", "energy", "--levels", "0.1"), "numbers")):
            show = () if "--show" in wrong else ("--show", "energy-ratio")
            self.assert_fails(run("map", KANE, *SURFACE, *show, *wrong), 2, words)

    def test_a_contact_at_rest_has_no_mode_of_slip(self):
        # An odd number of rows: the middle one has no rate. The rate of the lower rod is adjusted to zero.
        answer = self.ask(ARM, *PLANE, "--show", "mode", "--points", "40x41")
        for _, rate, kind, _ in points(answer):
            self.assertEqual(kind == "undefined", rate == 0)
        answer = self.ask(ARM, *PLANE, "--show", "verdict", "--points", "40x41")
        at_rest = {kind for _, rate, kind, _ in points(answer) if rate == 0}
        self.assertLessEqual(at_rest, {"sticks", "starts slipping"})

    def test_numbers_of_the_arm(self):
        friction = ("--set", "friction=0.8", "--points", "30x20", "--full")
        for quantity, which in (("A", 0), ("B", 1)):
            answer = self.ask(ARM, *PLANE, "--show", quantity, *friction)
            for theta, rate, _, number in points(answer):
                expected = arm(theta, rate, 0.8)[which]
                self.assertAlmostEqual(number, expected, delta=1e-9 * (1 + abs(expected)))

    def test_a_rate_that_is_set(self):
        answer = self.ask(ARM, "--x", "position.upper=-0.8:0.8", "--y", "friction=0:1.5", "--adjust", "lower",
                          "--set", "velocity.upper=-2", "--show", "A", "--points", "30", "--full")
        for theta, friction, _, number in points(answer):
            self.assertAlmostEqual(number, arm(theta, -2, friction)[0], delta=1e-9)

    def test_degrees(self):
        answer = self.ask(ARM, "--x", "position.upper=-40 deg:40deg", "--y", "velocity.upper=-4:4", "--points", "10")
        self.assertAlmostEqual(answer["x"]["high"], math.radians(40), delta=1e-15)
        self.assertEqual(answer["quantity"], "mode")
        # People see degrees as they asked for them; numbers of files stay in rad.
        picture = self.folder / "map.svg"
        text = run("map", ARM, "--x", "position.upper=-40 deg:40deg", "--y", "velocity.upper=-4:4", "--points", "10",
                   "--svg", picture).stdout
        self.assertIn("across position.upper [deg], up velocity.upper [rad/s]", text)
        self.assertTrue(any(line.split() == ["-40", "40"] for line in text.splitlines()), text)
        self.assertIn("[deg]", picture.read_text(encoding="utf-8"))
        self.assertIn(">20<", picture.read_text(encoding="utf-8").replace("−", "-"))

    def test_bands_hold_their_numbers(self):
        answer = self.ask(ARM, *PLANE, "--show", "jamming-friction", "--points", "50", "--full")
        levels = answer["levels"]
        self.assertGreaterEqual(len(levels), 2)
        for level in levels:
            digits = f"{level:e}".split("e")[0].rstrip("0").rstrip(".")
            self.assertIn(len(digits.lstrip("-").replace(".", "")), (1, 2))
        for kinds, numbers in zip(answer["points"]["kinds"], answer["points"]["numbers"]):
            for kind, number in zip(kinds, numbers):
                if number is None:
                    self.assertIn(kind, (-1, len(levels) + 1, len(levels) + 2))
                    continue
                self.assertEqual(kind, sum(level <= number for level in levels))

    def test_infinite_numbers_have_a_band_of_their_own(self):
        # Without coupling no friction jams.
        file = self.write("p.json", '{"delassus": [[1, 0], [0, 2]], "contact_velocity": [-1, 1], "friction": 0.5,'
                                    ' "restitution": 0}')
        path = self.folder / "p.csv"
        answer = self.ask(file, *SURFACE, "--show", "jamming-friction", "--points", "5", "--csv", path)
        self.assertEqual({name for _, _, name, _ in points(answer)}, {"infinite"})
        self.assertIn("0,0,infinite,inf\n", path.read_text())

    def test_regions_of_kane(self):
        # D, G and the sticking impulse by hand; e*(v) and mu_cr(e) in closed form.
        problem = json.loads(KANE.read_text())
        (m11, m12), (_, m22) = problem["mass_matrix"]
        det = m11 * m22 - m12 * m12
        rows, rate = problem["jacobian"], problem["velocity"]

        def product(u, v):
            return (u[0] * (m22 * v[0] - m12 * v[1]) + u[1] * (m11 * v[1] - m12 * v[0])) / det

        a, c, b = product(rows[0], rows[0]), product(rows[0], rows[1]), product(rows[1], rows[1])
        v_n, v_t = (row[0] * rate[0] + row[1] * rate[1] for row in rows)
        d = a * b - c * c
        bound = math.sqrt((b * v_n ** 2 - 2 * c * v_n * v_t + a * v_t ** 2) / (b * v_n ** 2))
        answer = self.ask(KANE, *SURFACE, "--points", "60")
        self.assertEqual(answer["quantity"], "admissible")
        met = set()
        for e, friction, kind, _ in points(answer):
            i_n = -(b * (1 + e) * v_n - c * v_t) / d
            i_t = -(-c * (1 + e) * v_n + a * v_t) / d
            self.assertGreater(abs(abs(i_t) - friction * i_n) + abs(e - bound), 1e-9)
            if i_n > 0 and abs(i_t) <= friction * i_n:
                expected = "sticks" if e <= bound else "stick gains"
            else:
                expected = "slips" if friction < a / abs(c) else "slip jams"
            self.assertEqual(kind, expected, (e, friction))
            met.add(kind)
        self.assertEqual(len(met), 4)

    def test_boundaries_lie_where_the_mode_changes(self):
        answer = self.ask(ARM, *PLANE, "--show", "mode", "--points", "60x50")
        names = {kind["kind"]: kind["name"] for kind in answer["kinds"]}
        self.assertTrue(answer["curves"])
        for curve in answer["curves"]:
            self.assertLess(curve["kinds"][0], curve["kinds"][1])
            for theta, rate in zip(curve["x"], curve["y"]):
                A, B, slip = arm(theta, rate, 0.5)
                self.assertLess(min(abs(A), abs(B) / 50, abs(slip)), 1e-4, (names[curve["kinds"][0]], theta, rate))

    def test_full_is_the_same_map(self):
        adaptive = self.ask(ARM, *PLANE, "--points", "100")
        full = self.ask(ARM, *PLANE, "--points", "100", "--full")
        self.assertEqual(adaptive["points"]["kinds"], full["points"]["kinds"])
        self.assertLess(adaptive["evaluations"], full["evaluations"])
        self.assertEqual((adaptive["refinement"], full["refinement"]), ("adaptive", "full"))

    def test_csv_is_the_same_as_json(self):
        path = self.folder / "map.csv"
        answer = self.ask(ARM, "--x", "position.upper=-0.9:0.9", "--y", "velocity.upper=-4:4", "--points", "20x12",
                          "--csv", path)
        self.assertEqual(answer["files"], [str(path)])
        with path.open(newline="") as file:
            lines = list(csv.reader(file))
        self.assertEqual(lines[0], ["position.upper", "velocity.upper", "kind", "number"])
        expected = list(points(answer))
        self.assertEqual(len(lines) - 1, len(expected))
        self.assertIn("undefined", {kind for _, _, kind, _ in expected})
        for line, (x, y, kind, number) in zip(lines[1:], expected):
            self.assertAlmostEqual(float(line[0]), x, delta=1e-15)
            self.assertAlmostEqual(float(line[1]), y, delta=1e-14)
            self.assertEqual(line[2], kind)
            self.assertEqual(float(line[3]) if line[3] else None, number)

    def test_shares_count_the_points(self):
        answer = self.ask(ARM, *PLANE, "--points", "30")
        kinds = [kind for row in answer["points"]["kinds"] for kind in row]
        for kind in answer["kinds"]:
            self.assertAlmostEqual(kind["share"], kinds.count(kind["kind"]) / 900, delta=1e-12)

    def test_the_state_is_marked_where_it_lies_in_the_plane(self):
        self.assertEqual(self.ask(ARM, *PLANE, "--points", "9")["state"], {"x": 0.7, "y": -1})
        self.assertIsNone(self.ask(ARM, *PLANE, "--points", "9", "--set", "friction=0.8")["state"])
        self.assertIsNone(self.ask(ARM, "--x", "position.upper=0:0.5", "--y", "friction=0:1", "--points", "9")["state"])

    def test_what_is_shown_by_itself(self):
        self.assertEqual(self.ask(ARM, *PLANE, "--points", "5")["quantity"], "mode")
        answer = self.ask(ARM, "--x", "position.upper=0:0.5", "--y", "friction=0:1", "--points", "5")
        self.assertEqual(answer["quantity"], "verdict")
        self.assertEqual(self.ask(EXAMPLES / "kane.yaml", *SURFACE, "--points", "5")["quantity"], "admissible")

    def test_free_acceleration_as_an_axis(self):
        # a = 1, no coupling, sliding: it detaches where f_n > 0.
        file = self.write("p.json", '{"delassus": [[1, 0], [0, 1]], "contact_velocity": [0, 1], "friction": 0.5,'
                                    ' "restitution": 0}')
        answer = self.ask(file, "--x", "free-acceleration.n=-1:1", "--y", "friction=0:1", "--points", "10")
        for f, _, kind, _ in points(answer):
            self.assertEqual(kind, "detaches" if f > 0 else "slides")

    def test_a_named_contact_is_made_to_touch(self):
        file = self.write("b.yaml", body(height=0.5))
        answer = self.ask(file, "--x", "velocity.ball.x=-1:1", "--y", "friction=0:1", "--points", "10",
                          "--contact", "ball on floor", "--show", "mode")
        self.assertEqual({kind for _, _, kind, _ in points(answer)}, {"M2 slides"})
        self.assertIsNone(answer["state"])

    @full_scale
    def test_the_same_bytes_whatever_the_threads(self):
        for form in ("--json", "--quiet"):
            outputs = []
            for threads in ("1", "2"):
                files = [self.folder / f"{threads}.{end}" for end in ("svg", "png", "pdf", "csv")]
                result = run("map", ARM, *PLANE, "--points", "80", "--threads", threads, form, "--svg", files[0],
                             "--png", files[1], "--pdf", files[2], "--csv", files[3])
                self.assertEqual(result.returncode, 0, result.stderr)
                text = result.stdout.replace(str(self.folder / threads), "N")
                outputs.append([text, *(file.read_bytes() for file in files)])
            self.assertEqual(outputs[0], outputs[1])

    def test_every_quantity(self):
        file = self.write("p.json", '{"delassus": [[1.6, 1.2], [1.2, 3.4]], "contact_velocity": [-0.5, 2],'
                                    ' "friction": 0.3, "restitution": 0.5, "free_acceleration": [-9, 0]}')
        help_text = run("map", "--help").stdout
        words = help_text.split("Quantities:")[1].split("Example")[0].replace(".", "").replace("\n", " ").split(",")
        self.assertEqual(len(words), 16)
        for word in words:
            result = run("map", file, *SURFACE, "--show", word.strip(), "--points", "8")
            if word.strip() == "restitution-set":  # tests/cli/project.py
                self.assert_fails(result, 4, "several contacts")
                continue
            self.assertEqual(result.returncode, 0, (word, result.stderr))
            self.assertIn(word.strip(), result.stdout)


class Text(Case):
    def test_letters_and_table(self):
        result = run("map", ARM, *PLANE, "--points", "64x20")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assert_narrow(result.stdout)
        self.assertIn("Liu's arm, section 4: tip on belt", result.stdout)
        rows = [line.split("│")[1] for line in result.stdout.splitlines() if line.count("│") == 2]
        self.assertEqual([len(row) for row in rows], [64] * 20)
        # As many letters as points: each stands for its own.
        for down, row in enumerate(rows):
            for across, letter in enumerate(row):
                A, B, _ = arm(-0.84 + 1.68 * across / 63, 4 - 8 * down / 19, 0.5)
                if letter != "*" and min(abs(A), abs(B)) > 1e-9:
                    self.assertEqual(letter, arm_mode(A, B)[1])
        self.assertEqual("".join(rows).count("*"), 1)
        for word in ("M1 detaches", "M4 inconsistent", "share", "64 × 20 points", "state of the file"):
            self.assertIn(word, result.stdout)

    def test_ascii(self):
        result = run("map", ARM, *PLANE, "--points", "20", LC_ALL="C")
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stdout.isascii())
        self.assert_narrow(result.stdout)

    def test_no_progress_without_a_terminal(self):
        result = run("map", ARM, *PLANE, *LONG)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_progress_on_a_terminal(self):
        for quiet in ((), ("--quiet",)):
            leader, follower = pty.openpty()
            arguments = [str(ARM), *PLANE, *LONG, *quiet]
            with subprocess.Popen([ROUTH, "map", *arguments],
                                  stdout=subprocess.DEVNULL, stderr=follower, env=environment()) as process:
                os.close(follower)
                seen = b""
                try:
                    while chunk := os.read(leader, 4096):
                        seen += chunk
                except OSError:
                    pass
                process.wait(timeout=300)
            os.close(leader)
            self.assertEqual(process.returncode, 0)
            if quiet:
                self.assertEqual(seen, b"")
            elif seen:  # a machine fast enough shows nothing
                self.assertIn(b"%", seen)
                self.assertTrue(seen.endswith(b" \r"), seen[-30:])


class Files(Case):
    def test_pictures(self):
        svg, pdf = self.folder / "a.svg", self.folder / "a.pdf"
        result = run("map", ARM, *PLANE, "--points", "50", "--svg", svg, "--pdf", pdf)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = svg.read_text()
        root = ElementTree.fromstring(text)
        for points, pixels in zip(pdf_size(pdf), (root.get("width"), root.get("height"))):
            self.assertAlmostEqual(points, 0.75 * float(pixels), delta=0.01)
        for word in ("section4:tiponbelt", "upper[rad]", "rateofupper[rad/s]", "M2slides", "state"):
            self.assertIn(word, pdf_text(pdf))
        for word in ("section 4: tip on belt", "upper [rad]", "rate of upper [rad/s]", "M2 slides", "state"):
            self.assertIn(word, text)
        self.assertIn(f"wrote {svg}"[:60], result.stdout)

    def test_pixels_have_the_colour_of_their_kind(self):
        svg, png = self.folder / "a.svg", self.folder / "a.png"
        answer = json.loads(run("map", ARM, *PLANE, "--points", "80x60", "--json", "--svg", svg, "--png", png).stdout)
        width, height, rows = read_png(png)
        elements = list(ElementTree.parse(svg).getroot().iter())
        frame = next(element for element in elements if element.tag.endswith("clipPath"))[0]
        left, top, across, down = (2 * float(frame.get(key)) for key in ("x", "y", "width", "height"))
        self.assertGreater(width, left + across)
        self.assertGreater(height, top + down)
        key = {text.text: sample.get("fill") for sample, text in zip(elements, elements[1:])
               if sample.tag.endswith("rect") and text.tag.endswith("text")}
        seen = {}
        for x, y, kind, _ in points(answer):
            # A little inside the frame; boundaries and the mark of the state cover some points.
            column = int(left + across * min(max((x + 0.84) / 1.68, 0.005), 0.995))
            row = int(top + down * min(max((4 - y) / 8, 0.005), 0.995))
            colour = "#" + rows[row][3 * column:3 * column + 3].hex()
            seen.setdefault(kind, []).append(colour == key[kind])
        self.assertEqual(len(seen), 4)
        self.assertEqual(len({key[kind] for kind in seen}), 4)
        for kind, right in seen.items():
            self.assertGreater(sum(right) / len(right), 0.7, kind)
        everywhere = sum(seen.values(), [])
        self.assertGreater(sum(everywhere) / len(everywhere), 0.95)

    def test_hostile_names(self):
        name = '<script>&"\u202e _{x} ]]>'
        file = self.write("b.yaml", body(name))
        svg = self.folder / "a.svg"
        arguments = ("map", file, "--x", "velocity.ball.x=-1:1", "--y", "friction=0:1", "--points", "5", "--svg", svg)
        result = run(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("\x1b", result.stdout)
        self.assertNotIn("<script>", svg.read_text())
        self.assertEqual(json.loads(run(*arguments, "--json").stdout)["name"], name)
        odd = self.folder / "\x1b[31m.yaml"
        odd.write_text(body(""))
        output = self.folder / "\x1b]0;x.svg"
        result = run("map", odd, *arguments[2:-2], "--svg", output)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("\x1b", result.stdout + output.read_text())

    def test_unwritable_files_leave_nothing_behind(self):
        for option in ("--svg", "--png", "--pdf", "--csv"):
            missing = self.folder / "none" / "out"
            self.assert_fails(run("map", ARM, *PLANE, "--points", "5", option, missing), 1, "cannot write")
            self.assert_fails(run("map", ARM, *PLANE, "--points", "5", option, self.folder), 1, "cannot write")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_full_disk(self):
        result = subprocess.run(["bash", "-c", f'"{ROUTH}" map "{ARM}" {" ".join(PLANE)} --points 5 > /dev/full'],
                                capture_output=True, text=True, timeout=60, check=False, env=environment())
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write", result.stderr)

    def test_an_interrupt_leaves_nothing_behind(self):
        files = [f"--{end}={self.folder / ('a.' + end)}" for end in ("svg", "png", "pdf", "csv")]
        with subprocess.Popen([ROUTH, "map", str(ARM), *PLANE, "--points", "5000", "--full", "--json", *files],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
            await_handler(process, signal.SIGINT)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, out, err), (130, b"", b""))
        self.assertEqual(list(self.folder.iterdir()), [])


class Mistakes(Case):
    def refuse(self, *arguments, words=(), file=ARM, code=2):
        self.assert_fails(run("map", file, *arguments), code, *words)

    def test_names(self):
        y = ("--y", "friction=0:1")
        self.refuse("--x", "position.uper=0:1", *y, words=("'position.uper'", "did you mean 'position.upper'?",
                                                           "velocity.lower"))
        self.refuse("--x", "contact-velocity.n=0:1", *y, words=("unknown variable",))
        self.refuse(*PLANE, "--set", "frction=1", words=("did you mean 'friction'?",))
        self.refuse(*PLANE, "--show", "mods", words=("did you mean 'mode'?", "jamming-friction"))
        self.refuse(*PLANE, "--contact", "tip on bolt", words=("did you mean 'tip on belt'?",))
        self.refuse(*PLANE[:4], "--adjust", "lowr", words=("did you mean 'lower'?",))
        self.refuse(*PLANE, "--law", "newtn", words=("did you mean 'newton'?",))
        self.refuse("--x", "\x1b[31m=0:1", *y, words=("unknown variable",))

    def test_values(self):
        for text in ("position.upper", "position.upper=", "position.upper=1", "position.upper=a:b",
                     "position.upper=0:nan", "position.upper=-inf:0", "position.upper=1:1", "position.upper=2:1",
                     "position.upper=0:1:2", "position.upper=0:1e999", "position.upper=-1.7e308:1.7e308", "=0:1", "",
                     "friction=0:20 deg"):
            with self.subTest(text):
                self.refuse("--x", text, "--y", "velocity.upper=0:1", words=("--x",))
        for text in ("1", "5001", "0", "-3", "ten", "10x", "x10", "10x10x10", "1e2", "10 x 10"):
            with self.subTest(text):
                self.refuse(*PLANE, f"--points={text}", words=("--points", "5000"))
        for text in ("friction=-1", "restitution=2", "friction=inf", "friction", "position.upper=0"):
            with self.subTest(text):
                self.refuse(*PLANE, "--set", text, words=("--set",))
        for text in ("0", "-1", "many", "5000"):
            self.refuse(*PLANE, f"--threads={text}", words=("threads",))

    def test_missing_axis(self):
        self.refuse(*PLANE[:2], words=("--y",))
        self.refuse("--x", "friction=0:1", "--y", "friction=0:1", words=("different",))
        self.refuse("--x", "friction=0:1", "--y", "static-friction=0:1", words=("different",))

    def test_a_problem_file_has_no_machine(self):
        self.refuse(*SURFACE, "--adjust", "upper", file=KANE, words=("--adjust",))
        self.refuse(*SURFACE, "--contact", "tip", file=KANE, words=("--contact",))

    def test_nothing_touches(self):
        file = self.write("b.yaml", body(height=0.5))
        self.refuse("--x", "velocity.ball.x=-1:1", "--y", "friction=0:1", file=file, code=4,
                    words=("nothing touches", "ball on floor", "0.5"))

    def test_nowhere(self):
        self.refuse("--x", "position.upper=2:3", "--y", "friction=0:1", code=4, words=("tip on belt", "nowhere"))
        self.refuse(*SURFACE, "--show", "mode", file=KANE, code=4, words=("free_acceleration",))

    def test_files(self):
        self.refuse(*PLANE, file=self.folder / "none.yaml", code=1, words=("cannot read",))
        self.refuse(*PLANE, file=self.write("bad.yaml", "routh: 1\nbodys: {}\n"), code=3, words=("bad.yaml:2",))


if __name__ == "__main__":
    unittest.main()
