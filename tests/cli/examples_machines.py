"""Machines of examples/: a slider-crank with play and a quadruped that stands, against mechanics done here."""
import json
import math
import unittest

from support.examples import G, Example, events_of
from support.motion import cross, dot, read_npz, solve
from support.program import run


class SliderCrank(Example):
    CRANK, ROD, PLAY = 0.05, 0.12, 0.0005

    def offset(self, q):
        """Of the pin from the centre of the eye."""
        angle = q[0] + q[1]
        return (q[2] - self.CRANK * math.cos(q[0]) - self.ROD * math.cos(angle),
                -self.CRANK * math.sin(q[0]) - self.ROD * math.sin(angle))

    def mass_matrix(self, q):
        c = math.cos(q[1])
        m, half = 0.21, self.ROD / 2
        turn = 0.00025 + m * half**2
        couple = turn + m * self.CRANK * half * c
        return [[0.01 + turn + m * (self.CRANK**2 + 2 * self.CRANK * half * c), couple, 0], [couple, turn, 0],
                [0, 0, 0.14]]

    def kinetic(self, q, v):
        return dot(v, [dot(row, v) for row in self.mass_matrix(q)]) / 2

    def test_play_and_energy(self):
        path = self.folder / "run.h5"
        answer = self.simulate("slider_crank", "-o", path)
        self.assertEqual(run("export", path, "-o", self.folder / "run.json").returncode, 0)
        samples = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))["samples"]
        flights, last = 0, math.inf
        for q, v, kinetic, lost in zip(*(samples[key] for key in ("q", "v", "kinetic", "dissipated"))):
            away = math.hypot(*self.offset(q))
            self.assertLessEqual(away, self.PLAY + 1e-9)
            flights += away < self.PLAY - 1e-7
            self.assertAlmostEqual(kinetic, self.kinetic(q, v), delta=1e-12)
            self.assertLessEqual(kinetic, last + 1e-10)
            self.assertAlmostEqual(kinetic + lost, answer["energy"]["initial"], delta=1e-9)
            last = kinetic
        self.assertGreater(flights, 10)
        self.assertGreater(len(events_of(answer, "detach")), 0)
        # The play has a bound of its own; by speeds alone 250,000 evaluations looked for what it may hide.
        self.assertLess(answer["statistics"]["evaluations"], 60000)

    def test_how_much_the_last_digit_matters(self):
        """What docs/limits.md says: a bit of the start grows ten-thousandfold, and stays far below the tolerance."""
        plain = self.simulate("slider_crank")
        finer = self.simulate("slider_crank", "--tolerance", "1e-13")

        def differences(answer):
            self.assertEqual(len(answer["events"]), len(plain["events"]))
            pairs = {"q": zip(answer["final"]["q"], plain["final"]["q"]), "v": zip(answer["final"]["v"], plain["final"]["v"]),
                     "t": ((a["time"], b["time"]) for a, b in zip(answer["events"], plain["events"]))}
            return {key: max(abs(a - b) for a, b in pair) for key, pair in pairs.items()}

        error = differences(finer)
        most = {"q": 0.0, "v": 0.0, "t": 0.0}
        for bits in (-2, -1, 1, 2):
            shifted = self.variant("slider_crank", ("piston: 0.17}", f"piston: {0.17 + bits * 2**-55!r}}}"))
            for key, value in differences(self.simulate(shifted)).items():
                most[key] = max(most[key], value)
        for key, bound in (("q", 2e-11), ("v", 6e-9), ("t", 3e-10)):
            self.assertLess(most[key], bound, key)
            self.assertLess(most[key], 0.1 * error[key], key)
        self.assertGreater(most["q"], 2e-13)

    def test_strikes_keep_momentum(self):
        """The piston takes the impulse along its way; the energy lost is that of the velocities."""
        path = self.folder / "run.h5"
        answer = self.simulate("slider_crank", "-o", path, "--until", "0.3")
        self.assertEqual(run("export", path, "-o", self.folder / "run.npz").returncode, 0)
        before, after = (read_npz(self.folder / "run.npz", f"event_velocity_{when}") for when in ("before", "after"))
        seen = 0
        for event, v, w in list(zip(answer["events"], before, after))[:4]:
            self.assertEqual(event["kind"], "impact")
            q = self.simulate("slider_crank", "--until", repr(event["time"]))["final"]["q"]
            x, y = (part / self.PLAY for part in self.offset(q))
            self.assertAlmostEqual(math.hypot(x, y), 1, delta=1e-6)
            jump = [dot(row, [b - a for a, b in zip(v, w)]) for row in self.mass_matrix(q)]
            normal, tangent = event["impulse"]
            # On the piston only the part along its way counts; the eye presses the pin towards the eye's centre.
            sides = [abs(jump[2] - (-x * normal + sign * y * tangent)) for sign in (1, -1)]
            self.assertLess(min(sides), 1e-9)
            self.assertAlmostEqual(self.kinetic(q, w) - self.kinetic(q, v), event["energy"]["change"], delta=1e-10)
            self.assertLessEqual(abs(tangent), 0.02 * normal + 1e-12)
            seen += 1
        self.assertEqual(seen, 4)


class Quadruped(Example):
    LEGS = {"fl": (0.2, 0.1), "fr": (0.2, -0.1), "hl": (-0.2, 0.1), "hr": (-0.2, -0.1)}
    TARGET = (0, 0.6, -1.2)

    def leg(self, place, angles):
        """Centres of mass of hip, thigh and shank, and the centre of the foot, in the trunk's axes."""
        hip, thigh, knee = angles
        side = math.copysign(0.08, place[1])

        def down(length, pitch, start):
            x, z = -length * math.sin(pitch), -length * math.cos(pitch)
            return [start[0] + x, start[1] - z * math.sin(hip), start[2] + z * math.cos(hip)]

        origin = [place[0], place[1], 0.0]
        joint = [origin[0], origin[1] + side * math.cos(hip), origin[2] + side * math.sin(hip)]
        elbow = down(0.2, thigh, joint)
        return [origin, down(0.03, thigh, joint), down(0.1, thigh + knee, elbow), down(0.2, thigh + knee, elbow)]

    def derivatives(self, place, angles, joint):
        """Of these points by the angle of a joint, by central differences."""
        h = 1e-5
        ends = []
        for sign in (1, -1):
            moved = list(angles)
            moved[joint] += sign * h
            ends.append(self.leg(place, moved))
        return [[(a - b) / (2 * h) for a, b in zip(*points)] for points in zip(*ends)]

    def test_four_feet_carry_the_weight(self):
        """From the moments of the drives alone: virtual work gives the force under each foot."""
        answer = self.simulate("quadruped_stand", "--until", "6")
        self.assertEqual(len(events_of(answer, "impact")), 1)
        self.assertEqual(events_of(answer, "slip"), [])
        self.assertLess(max(map(abs, answer["final"]["v"])), 1e-9)
        q = answer["final"]["q"]
        pitch = 2 * math.atan2(q[5], q[3])
        self.assertLess(max(abs(q[4]), abs(q[6])), 1e-9)
        down = [math.sin(pitch), 0, -math.cos(pitch)]  # in the trunk's axes
        total = [0.0, 0.0, 0.0]
        for k, place in enumerate(self.LEGS.values()):
            angles = q[7 + 3 * k:10 + 3 * k]
            rows, right = [], []
            for joint in range(3):
                drive = 200 * (self.TARGET[joint] - angles[joint])
                *centres, foot = self.derivatives(place, angles, joint)
                axis = [0, math.cos(angles[0]), math.sin(angles[0])] if joint else [1, 0, 0]
                # The floor acts on the point of the foot that is lowest.
                rows.append([a + b for a, b in zip(foot, cross(axis, [0.02 * part for part in down]))])
                weights = sum(mass * G * dot(down, centre) for mass, centre in zip((0.7, 1.0, 0.2), centres))
                right.append(-drive - weights)
            force = solve(rows, right)
            up, along, across = -dot(force, down), force[0] * math.cos(pitch) + force[2] * math.sin(pitch), force[1]
            self.assertGreater(up, 20)
            self.assertLess(math.hypot(along, across), 0.6 * up)
            total = [a + b for a, b in zip(total, (up, along, across))]
        self.assertAlmostEqual(total[0], 14.6 * G, delta=1e-5)
        self.assertAlmostEqual(total[1], 0, delta=1e-5)
        self.assertAlmostEqual(total[2], 0, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
