"""Toys of examples/: cradle, rod, rattleback and woodpecker, against closed forms and motions integrated here."""
import csv
import math
import unittest

from support.examples import G, Example, events_of
from support.motion import advance, cross, dot, rk4, solve
from support.program import run


class DoorWedge(Example):
    """The edge meets the ramp where its upper face, at 15 degrees, is 0.04 m high, and stays there."""
    SIN, COS = math.sin(math.radians(15)), math.cos(math.radians(15))
    HEIGHT = 0.06 * SIN + 0.01 * COS  # of the middle of the slab, which stands on a corner
    PLACE = (0.04 - HEIGHT - 0.01 * COS) / SIN * COS - 0.01 * SIN

    def test_it_holds(self):
        answer = self.simulate("door_wedge")
        way = self.PLACE + 0.15
        strike = next(event for event in answer["events"] if event["kind"] == "impact")
        # x(t) of a door pushed by F/m = 1.5 m/s² from 0.5 m/s
        self.assertAlmostEqual(0.5 * strike["time"] + 0.75 * strike["time"]**2, way, delta=1e-9)
        self.assertLess(max(map(abs, answer["final"]["v"])), 1e-9)
        self.assertAlmostEqual(answer["final"]["q"][0], self.PLACE, delta=1e-9)
        self.assertAlmostEqual(answer["energy"]["supplied"], 30 * way, delta=1e-8)
        self.assertAlmostEqual(answer["energy"]["final"], 0.1 * G * self.HEIGHT, delta=1e-9)

    def test_without_much_friction_it_slides(self):
        scene = self.variant("door_wedge", ("friction: 0.8", "friction: 0.1"), ("friction: 1.8", "friction: 0.1"))
        final = self.simulate(scene)["final"]["v"]
        self.assertGreater(final[0], 0.5)
        self.assertAlmostEqual(final[0], final[1], delta=1e-9)  # the wedge goes with the door


class Billiards(Example):
    def test_slides_rolls_and_strikes(self):
        answer = self.simulate("billiards")
        speed, friction, mass = 2.0, 0.2, 0.17
        (blow,) = events_of(answer, "impulse")
        self.assertEqual((blow["time"], blow["label"]), (0.1, "cue"))
        self.assertAlmostEqual(blow["energy"]["supplied"], 0.5 * mass * speed**2, places=12)
        rolls = [e for e in events_of(answer, "stick") if e["contact"].startswith("white") and e["time"] > blow["time"]]
        self.assertAlmostEqual(rolls[0]["time"], 0.1 + 2 * speed / (7 * friction * G), places=6)
        strike = next(e for e in events_of(answer, "impact") if "white_ball on red_ball" in e["contact"])
        self.assertGreater(strike["time"], rolls[0]["time"])


class NewtonCradle(Example):
    LENGTH, RADIUS, BALLS = 0.3, 0.025, 5
    INERTIA = 0.5 * 0.3**2 + 0.000125  # about the pivot

    def gaps(self, y, apart):
        centres = [(k * apart + self.LENGTH * math.sin(y[k]), -self.LENGTH * math.cos(y[k])) for k in range(self.BALLS)]
        return [math.dist(a, b) - 2 * self.RADIUS for a, b in zip(centres, centres[1:])]

    def rate(self, y):
        pull = -0.5 * G * self.LENGTH / self.INERTIA
        return [*y[self.BALLS:], *(pull * math.sin(angle) for angle in y[:self.BALLS])]

    def exchange(self, y, k, apart):
        """Balls k and k + 1 strike without loss: the rate of their distance changes its sign."""
        levers = []
        dx = apart + self.LENGTH * (math.sin(y[k + 1]) - math.sin(y[k]))
        dz = self.LENGTH * (math.cos(y[k]) - math.cos(y[k + 1]))
        for j in (k, k + 1):
            levers.append(self.LENGTH * (math.cos(y[j]) * dx + math.sin(y[j]) * dz) / math.hypot(dx, dz))
        a, b = levers
        approach = b * y[self.BALLS + k + 1] - a * y[self.BALLS + k]
        push = -2 * approach / (a * a + b * b)  # times the inertia
        y = list(y)
        y[self.BALLS + k] -= push * a
        y[self.BALLS + k + 1] += push * b
        return y

    def test_one_in_one_out(self):
        answer = self.simulate("newton_cradle")
        y = [-math.pi / 6, *[0.0] * 9]
        time = 0.0
        for strike in answer["events"]:
            spent, y = advance(self.rate, y, lambda y: min(self.gaps(y, 0.0501)))
            time += spent
            k = min(range(4), key=lambda k, y=y: self.gaps(y, 0.0501)[k])
            y = self.exchange(y, k, 0.0501)
            self.assertEqual((strike["kind"], strike["contact"]), ("impact", f"ball{k + 1} on ball{k + 2}"))
            self.assertAlmostEqual(strike["time"], time, delta=1e-8)
            self.assertAlmostEqual(strike["velocity_after"][0], -strike["velocity_before"][0], delta=1e-12)
        self.assertEqual(len(answer["events"]), 16)
        self.assertAlmostEqual(answer["energy"]["final"], answer["energy"]["initial"], delta=1e-11)
        out = self.simulate("newton_cradle", "--until", "0.56")["final"]  # about where the fifth ball turns
        self.assertAlmostEqual(math.degrees(out["q"][4]), 30, delta=0.05)
        self.assertLess(max(abs(angle) for angle in out["q"][:4]), 0.002)

    def test_touching_balls_share(self):
        """All at once: five equal masses, one against four that go on together, keep momentum and energy."""
        places = [(f"[{k * 0.0501:.6g}, 0]", f"[{k * 0.05:.6g}, 0]") for k in range(1, 5)]
        scene = self.variant("newton_cradle", *places)
        strike = self.simulate(scene, "--until", "0.3")["events"][0]
        before = self.simulate(scene, "--until", repr(strike["time"] - 1e-9))["final"]["v"]
        after = self.simulate(scene, "--until", repr(strike["time"] + 1e-9))["final"]["v"]
        self.assertEqual(strike["rule"], "simultaneous")
        for ours, share in zip(after, (-0.6, 0.4, 0.4, 0.4, 0.4)):
            self.assertAlmostEqual(ours / before[0], share, delta=1e-6)


class PainleveRod(Example):
    ANGLE, SPEED, RESTITUTION = math.radians(30), 3.0, 0.3  # from the vertical

    def delassus(self):
        """Of the lower end: a along the normal, b along the floor, c between; unit mass, 2 m long."""
        s, c = math.sin(self.ANGLE), math.cos(self.ANGLE)
        return 1 + 3 * s * s, 1 + 3 * c * c, 3 * s * c

    def test_impulse_without_collision(self):
        a, b, c = self.delassus()
        friction = 1.8
        answer = self.simulate("painleve_rod")
        first = answer["events"][0]
        self.assertEqual((first["time"], first["kind"], first["contact"]), (0, "tangential_impact", "tip on floor"))
        # Slip v_t = 3 - (μ b - c) p presses the end in, v_n = (a - μ c) p < 0, until it halts; from there the end
        # sticks, v_n grows with a - c²/b, and restitution gives back e² of the work done against the floor.
        slip = self.SPEED / (friction * b - c)
        deepest = (a - friction * c) * slip
        self.assertLess(deepest, 0)
        stuck = a - c * c / b
        work = deepest * slip / 2 - deepest**2 / stuck / 2
        departure = math.sqrt(-2 * stuck * self.RESTITUTION**2 * work)
        impulse = slip + (departure - deepest) / stuck
        self.assertAlmostEqual(first["velocity_after"][0], departure, delta=1e-10)
        self.assertAlmostEqual(first["velocity_after"][1], 0, delta=1e-12)
        self.assertAlmostEqual(first["impulse"][0], impulse, delta=1e-10)
        # What follows is a flight: where the end comes down again.
        side = friction * slip + c / b * (impulse - slip)  # friction's impulse, against the motion
        rise, turn = impulse, 3 * (math.sin(self.ANGLE) * impulse - math.cos(self.ANGLE) * side)

        def height(t):
            return math.cos(self.ANGLE) - math.cos(self.ANGLE + turn * t) + rise * t - G * t * t / 2

        early, late = 1e-3, 0.2
        self.assertGreater(height(early), 0)
        self.assertLess(height(late), 0)
        for _ in range(60):
            middle = (early + late) / 2
            early, late = (early, middle) if height(middle) < 0 else (middle, late)
        self.assertAlmostEqual(answer["events"][1]["time"], late, delta=1e-8)
        self.assertLess(answer["final"]["q"][1], 1e-9)
        self.assertAlmostEqual(answer["energy"]["final"], 0, delta=1e-8)  # it lies on the floor

    def test_threshold(self):
        a, _, c = self.delassus()
        self.assertAlmostEqual(a / c, 1.347, delta=5e-4)
        for friction, kind in ((a / c - 0.01, "slip"), (a / c + 0.01, "tangential_impact")):
            scene = self.variant("painleve_rod", ("friction: 1.8", f"friction: {friction}"))
            events = self.simulate(scene, "--until", "0.001")["events"]
            kinds = [event["kind"] for event in events]
            self.assertEqual("tangential_impact" in kinds, kind == "tangential_impact", (friction, kinds))


class Rattleback(Example):
    AXES, SINK = (0.2, 0.03, 0.02), 0.01
    INERTIA = ((0.0002, -0.00002, 0), (-0.00002, 0.0016, 0), (0, 0, 0.0017))

    def rate(self, y):
        """Of the direction up and the angular velocity, in the stone's axes: the angular momentum about the centre of
        mass changes by the force that rolling needs."""
        up, spin = y[:3], y[3:]
        turned = cross(up, spin)  # d(up)/dt
        squares = [axis * axis for axis in self.AXES]
        height = math.sqrt(sum(q * n * n for q, n in zip(squares, up)))
        growth = sum(q * n * d for q, n, d in zip(squares, up, turned)) / height
        # From the point that touches to the centre of mass, and its rate.
        arm = [q * n / height for q, n in zip(squares, up)]
        swing = [q * d / height - q * n * growth / height**2 for q, n, d in zip(squares, up, turned)]
        arm[2] -= self.SINK
        inner = cross(spin, cross(spin, arm))
        known = [a + b + G * n for a, b, n in zip(cross(spin, swing), inner, up)]
        momentum = [dot(row, spin) for row in self.INERTIA]
        right = [-a - b for a, b in zip(cross(spin, momentum), cross(arm, known))]
        square = dot(arm, arm)
        matrix = [[self.INERTIA[i][j] + (square if i == j else 0) - arm[i] * arm[j] for j in range(3)]
                  for i in range(3)]
        return [*turned, *solve(matrix, right)]

    def test_it_turns_back(self):
        path = self.folder / "run.h5"
        answer = self.simulate("rattleback", "-o", path, "--samples", "0.05")
        self.assertEqual(run("export", path, "-o", self.folder / "run.csv").returncode, 0)
        with open(self.folder / "run.csv", newline="", encoding="utf-8") as file:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        spins = [row["v.stone.wz"] for row in rows]
        self.assertLess(spins[0], -4.99)
        self.assertGreater(spins[-1], 4.9)
        start = rows[0]["kinetic"] + rows[0]["potential"]
        for row in rows:
            self.assertAlmostEqual(row["kinetic"] + row["potential"], start, delta=1e-8)
        self.assertEqual(events_of(answer, "slip", "detach", "impact"), [])
        tilt = math.radians(0.5)
        y = [0.0, math.sin(tilt), math.cos(tilt), 0.0, -5 * math.sin(tilt), -5 * math.cos(tilt)]
        for k in range(1, 121):  # 6 s: past the reversal
            for _ in range(100):
                y = rk4(self.rate, y, 0.0005)
            self.assertAlmostEqual(rows[k]["v.stone.wz"], y[5], delta=1e-4, msg=str(rows[k]["time"]))


class Woodpecker(Example):
    WEIGHT = 0.0048 * G

    def state(self, time):
        return self.simulate("woodpecker", "--until", repr(time))

    def test_every_peck_is_like_the_last(self):
        answer = self.simulate("woodpecker")
        pecks = [event["time"] for event in events_of(answer, "impact") if event["contact"] == "beak on pole"]
        self.assertEqual(len(pecks), 11)
        self.assertAlmostEqual(pecks[-1] - pecks[-2], 0.1881, delta=5e-5)
        self.assertAlmostEqual(pecks[-1] - pecks[-2], pecks[-2] - pecks[-3], delta=1e-8)
        first, second = (self.state(time - 1e-6) for time in pecks[-2:])
        for a, b in zip(first["final"]["q"][1:] + first["final"]["v"], second["final"]["q"][1:] + second["final"]["v"]):
            self.assertAlmostEqual(a, b, delta=1e-6)
        way = first["final"]["q"][0] - second["final"]["q"][0]
        self.assertGreater(way, 0.01)
        lost = second["energy"]["dissipated"] - first["energy"]["dissipated"]
        self.assertAlmostEqual(lost, self.WEIGHT * way, delta=1e-9)

    def test_the_sleeve_holds_until_the_swinging_bird_frees_it(self):
        """While the sleeve is jammed only the bird swings; it slips where the force that holds it leaves the cone."""
        answer = self.simulate("woodpecker")
        stuck = events_of(answer, "stick")[1]["time"]
        freed = [event["time"] for event in events_of(answer, "slip") if event["time"] > stuck][0]
        begun = self.state(stuck + 1e-9)["final"]
        tilt, mass, inertia, lever, spring = begun["q"][1], 0.0045, 7e-7, 0.015, 0.0056
        about = inertia + mass * lever**2

        def rate(y):
            return [y[1], (-spring * (y[0] - tilt) - mass * G * lever * math.cos(y[0])) / about]

        def spare(y):
            turning = rate(y)[1]
            ax = -lever * (math.sin(y[0]) * turning + math.cos(y[0]) * y[1]**2)
            az = lever * (math.cos(y[0]) * turning - math.sin(y[0]) * y[1]**2)
            pull, hang = mass * ax, mass * (az + G)  # of the sleeve on the bird, at the hinge
            friction = hang + 0.0003 * G
            c, s = math.cos(tilt), math.sin(tilt)
            x, z = 0.0031 * c + 0.0058 * s, 0.0031 * s - 0.0058 * c  # the lower edge, from the sleeve's centre
            hinge = 0.01 * (c * hang - s * pull)
            # Moments on the sleeve about its centre: edge, hinge, spring.
            normal = (x * friction - hinge + spring * (y[0] - tilt)) / z
            return 0.3 * normal - friction

        start = [tilt + begun["q"][2], begun["v"][1] + begun["v"][2]]
        self.assertGreater(spare(start), 0)
        spent, _ = advance(rate, start, spare, step=1e-4, longest=0.1)
        self.assertAlmostEqual(stuck + spent, freed, delta=1e-7)


if __name__ == "__main__":
    unittest.main()
