"""Scenes of examples/ that walk, rock and bounce, against closed forms and motions integrated here."""
import math
import unittest

from support.examples import G, Example, events_of
from support.motion import advance, solve


class RimlessWheel(Example):
    ALPHA, GAMMA, INERTIA = math.pi / 8, 0.08, 1.25  # half the angle of two spokes; the slope; about the foot

    def expected(self, rate, steps):
        """Times of the strikes and the rates after them. The angle is that of the spoke from the vertical."""
        time = 0.0
        keep = (0.25 + math.cos(2 * self.ALPHA)) / self.INERTIA  # angular momentum about the new foot
        for _ in range(steps):
            spent, (_, struck) = advance(lambda y: [y[1], G / self.INERTIA * math.sin(y[0])],
                                         [self.GAMMA - self.ALPHA, rate], lambda y: self.ALPHA + self.GAMMA - y[0])
            time, rate = time + spent, keep * struck
            yield time, rate

    def test_steps_and_their_limit(self):
        answer = self.simulate("rimless_wheel")
        strikes = events_of(answer, "impact")
        self.assertEqual(len(strikes), 25)
        chord = 2 * math.sin(self.ALPHA)
        for strike, (time, rate) in zip(strikes, self.expected(1.5, 25)):
            self.assertAlmostEqual(strike["time"], time, delta=1e-8)
            departure = max(v[0] for v in strike["velocity_after"])  # of the spoke behind
            self.assertAlmostEqual(departure, chord * rate, delta=1e-8)
        self.assertAlmostEqual(departure / chord, 1.166370980, delta=1e-6)
        self.assertAlmostEqual(strikes[-1]["time"] - strikes[-2]["time"], 0.813872197, delta=1e-5)
        # The fixed point in closed form: what a step gains from its way down is what a strike takes.
        keep = (0.25 + math.cos(2 * self.ALPHA)) / self.INERTIA
        fall = 2 * G * (math.cos(self.ALPHA - self.GAMMA) - math.cos(self.ALPHA + self.GAMMA)) / self.INERTIA
        self.assertAlmostEqual(1.166370980, math.sqrt(keep**2 * fall / (1 - keep**2)), delta=1e-9)


class RockingBlock(Example):
    def test_housner(self):
        width, height, tilt = 0.2, 0.8, 0.18
        alpha, radius = math.atan2(width, height), math.hypot(width, height) / 2
        ratio = 1 - 1.5 * math.sin(alpha)**2
        answer = self.simulate("rocking_block")
        strikes = events_of(answer, "impact")
        time, angle, rate = 0.0, tilt, 0.0
        for strike in strikes[:40]:
            spent, (_, rate) = advance(lambda y: [y[1], -3 * G / (4 * radius) * math.sin(alpha - y[0])],
                                       [angle, rate], lambda y: y[0])
            time += spent
            self.assertAlmostEqual(strike["time"], time, delta=1e-7)
            struck = [before[0] for before in strike["velocity_before"] if before[0] < -1e-9]
            left = [after[0] for after in strike["velocity_after"] if after[0] > 1e-9]
            self.assertAlmostEqual(struck[0], width * rate, delta=1e-8)
            self.assertAlmostEqual(left[0] / -struck[0], ratio, delta=1e-9)
            angle, rate = 0.0, -ratio * rate
        end = [event["time"] for event in answer["events"] if event["kind"] == "zeno"]
        self.assertEqual(len(end), 1)
        # Small swings last 2 rate/(p² sin a) each, so that what follows the 40th strike is nearly a geometric series.
        rest = 2 * rate / (3 * G / (4 * radius) * math.sin(alpha)) / (1 - ratio)
        self.assertAlmostEqual(end[0], time + rest, delta=2e-3 * rest)
        self.assertAlmostEqual(answer["final"]["q"][2], 0, delta=1e-9)
        self.assertAlmostEqual(answer["energy"]["final"], 10 * G * height / 2, delta=1e-8)


class Superball(Example):
    def test_garwin(self):
        """The bounce of Garwin: normal speed and slip of the point that touches change their signs."""
        r, square = 0.03, 0.4 * 0.03**2  # of the radius of gyration
        answer = self.simulate("superball")
        strikes = events_of(answer, "impact")
        self.assertEqual([strike["contact"] for strike in strikes],
                         ["ball on floor", "ball on table", "ball on floor"])
        time, (x, y, turn), (vx, vy, spin) = 0.0, (-0.2, 0.5, 0.0), (4.0, -4.0, 0.0)
        for strike, floor in zip(strikes, (True, False, True)):
            # The ball meets the floor on its way down, the table on its way up: the earlier root.
            level = r if floor else 0.7 - r
            root = math.sqrt(vy * vy - 2 * G * (level - y))
            spent = (vy + root) / G if floor else (vy - root) / G
            time, x, turn = time + spent, x + vx * spent, turn + spin * spent
            y, vy = level, vy - G * spent
            self.assertAlmostEqual(strike["time"], time, delta=1e-10)
            lever = -r if floor else r  # the point that touches, above the centre
            slip = vx - spin * lever
            push = -2 * slip / (1 + lever**2 / square)
            vx, vy, spin = vx + push, -vy, spin - push * lever / square
            self.assertAlmostEqual(vx - spin * lever, -slip, delta=1e-12)
        self.assertLess(vx, 0, "it comes back")
        left = answer["time"] - time
        expected = [x + vx * left, y + vy * left - G * left**2 / 2, turn + spin * left]
        for ours, own in zip(answer["final"]["q"] + answer["final"]["v"], expected + [vx, vy - G * left, spin]):
            self.assertAlmostEqual(ours, own, delta=1e-9)
        self.assertLess(answer["final"]["q"][0], 0, "out on the side where it went in")
        self.assertAlmostEqual(answer["energy"]["final"], answer["energy"]["initial"], delta=1e-12)


class CompassWalker(Example):
    M, HIP, SLOPE = 5.0, 10.0, math.radians(3)  # a leg's mass in its middle, the hip's; legs of 1 m

    def rate(self, y):
        """Lagrange's equations of the stance leg s and the swing leg w, angles from the vertical."""
        s, w, ds, dw = y
        a, b, c = 0.25 * self.M + self.HIP + self.M, 0.25 * self.M, -0.5 * self.M * math.cos(s - w)
        k = 0.5 * self.M * math.sin(s - w)
        f = k * dw * dw + G * (1.5 * self.M + self.HIP) * math.sin(s)
        h = -k * ds * ds - 0.5 * G * self.M * math.sin(w)
        det = a * b - c * c
        return [ds, dw, (b * f - c * h) / det, (a * h - c * f) / det]

    def foot(self, y):
        """The swing foot from the stance foot, along the slope and above it."""
        x, z = math.sin(y[1]) - math.sin(y[0]), math.cos(y[0]) - math.cos(y[1])
        c, s = math.cos(self.SLOPE), math.sin(self.SLOPE)
        return x * c - z * s, x * s + z * c

    def momenta(self, other, near, hip, rates):
        """Angular momentum of all about the foot of the leg at the angle `near`, and of the other leg about the hip, for
        a velocity of the hip and rates of the near leg and the other."""
        fx, fz = -math.sin(near), math.cos(near)  # from the foot to the hip
        ox, oz = math.sin(other) / 2, -math.cos(other) / 2  # from the hip to the middle of the other leg
        u, v = hip
        close = (fx / 2, fz / 2, u + fz / 2 * rates[0], v - fx / 2 * rates[0])
        far = (fx + ox, fz + oz, u - oz * rates[1], v + ox * rates[1])
        total = sum(mass * (x * vz - z * vx) for mass, (x, z, vx, vz) in
                    ((self.M, close), (self.M, far), (self.HIP, (fx, fz, u, v))))
        return total, self.M * (ox * far[3] - oz * far[2])

    def step(self, y):
        """To the strike of the swing foot and through it: the foot stops dead, and both momenta stay."""
        spent, (s, w, ds, dw) = advance(self.rate, y, lambda y: self.foot(y)[1] if self.foot(y)[0] > 0.2 else 1.0)

        def after(a, b):
            return self.momenta(s, w, (-math.cos(w) * a, -math.sin(w) * a), (a, b))

        before = self.momenta(s, w, (-math.cos(s) * ds, -math.sin(s) * ds), (dw, ds))
        near, other = solve(list(zip(after(1, 0), after(0, 1))), before)
        return spent, [w, s, near, other]

    def test_gait(self):
        answer = self.simulate("compass_walker")
        strikes = events_of(answer, "impact")
        self.assertEqual(len(strikes), 10)
        y, time = [0.26 - self.SLOPE, -0.26 - self.SLOPE, -1.1, -1.1 + 0.75], 0.0
        for strike in strikes:
            spent, y = self.step(y)
            time += spent
            self.assertAlmostEqual(strike["time"], time, delta=1e-6)
        self.assertAlmostEqual(strikes[-1]["time"] - strikes[-2]["time"], 0.73435, delta=1e-3)
        for _ in range(30):  # on to the limit, which Goswami's symmetric gait of 3° is
            spent, y = self.step(y)
        self.assertAlmostEqual(spent, 0.7343464, delta=1e-6)
        self.assertAlmostEqual(2 * math.sin((y[0] - y[1]) / 2), 0.5354454, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
