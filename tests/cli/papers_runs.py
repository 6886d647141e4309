"""The runs of `routh papers liu-2007` against an integration that shares no code with the program."""
import json
import math
import re
import unittest

from support.program import SOURCE, Case, run


def values():
    result = run("papers", "liu-2007", "--json")
    assert result.returncode == 0, result.stderr
    return {entry["quantity"]: entry["ours"] for entry in json.loads(result.stdout)["papers"][0]["values"]}


def solve(m, r):
    det = m[0][0] * m[1][1] - m[0][1] * m[1][0]
    return ((m[1][1] * r[0] - m[0][1] * r[1]) / det, (m[0][0] * r[1] - m[1][0] * r[0]) / det)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


class BeltArm:
    """Liu's arm by its Lagrange equations in the angles from the vertical; Runge and Kutta's steps, Keller's impact."""

    def __init__(self, height, theta1, belt, stiffness, damping, e, static, kinetic=0.5):
        theta2 = math.acos(height - math.cos(theta1))
        self.height, self.belt, self.k, self.c, self.e = height, belt, stiffness, damping, e
        self.static, self.kinetic, self.rest = static, kinetic, theta2 - theta1
        self.y, self.time, self.events, self.largest = (theta1, theta2, 0.0, 0.0), 0.0, [], (0.0, 0.0)
        self.age = 0  # of the mode, in steps
        self.begin()

    def terms(self, y):
        """M, applied and inertial torques, rows of the normal and the tangent, and what J q̈ lacks."""
        a, b, u, w = y
        s, c = math.sin(a - b), math.cos(a - b)
        torque = -self.k * (b - a - self.rest) - self.c * (w - u)
        h = (-0.5 * s * w * w - 14.7 * math.sin(a) - torque - self.c * u, 0.5 * s * u * u - 4.9 * math.sin(b) + torque)
        normal, tangent = (math.sin(a), math.sin(b)), (math.cos(a), math.cos(b))
        return (((4 / 3, c / 2), (c / 2, 1 / 3)), h, normal, tangent,
                (tangent[0] * u * u + tangent[1] * w * w, -normal[0] * u * u - normal[1] * w * w))

    def slip_speed(self, y):
        return math.cos(y[0]) * y[2] + math.cos(y[1]) * y[3] - self.belt

    def forces(self, y, mode):
        """Normal and tangential force; `mode` is "air", "stick", or the sign of the slip."""
        m, h, n, t, drift = self.terms(y)
        free, by_n, by_t = solve(m, h), solve(m, n), solve(m, t)
        normal, tangential = dot(n, free) + drift[0], dot(t, free) + drift[1]
        if mode == "air":
            return 0.0, 0.0, normal
        if mode == "stick":
            return *solve(((dot(n, by_n), dot(n, by_t)), (dot(t, by_n), dot(t, by_t))), (-normal, -tangential)), 0.0
        a = dot(n, by_n) - mode * self.kinetic * dot(n, by_t)
        return -normal / a, mode * self.kinetic * normal / a, a

    def rate(self, y, mode):
        m, h, n, t, _ = self.terms(y)
        f, g, _ = self.forces(y, mode)
        return (y[2], y[3], *solve(m, (h[0] + f * n[0] + g * t[0], h[1] + f * n[1] + g * t[1])))

    def step(self, y, dt):
        def moved(k, size):
            return tuple(p + size * q for p, q in zip(y, k))
        k1 = self.rate(y, self.mode)
        k2 = self.rate(moved(k1, dt / 2), self.mode)
        k3 = self.rate(moved(k2, dt / 2), self.mode)
        k4 = self.rate(moved(k3, dt), self.mode)
        return tuple(p + dt / 6 * (q + 2 * r + 2 * s + u) for p, q, r, s, u in zip(y, k1, k2, k3, k4))

    def margin(self, y):
        """Positive as long as the mode lasts."""
        if self.mode == "air":
            return self.height - math.cos(y[0]) - math.cos(y[1])
        f, g, _ = self.forces(y, self.mode)
        if self.mode == "stick":
            return min(f, self.static * f - abs(g))
        return min(f, self.mode * self.slip_speed(y))

    def note(self, kind):
        self.events.append((kind, self.time))

    def close(self):
        """The tip touches and does not approach: which mode does it take?"""
        speed = self.slip_speed(self.y)
        if abs(speed) < 1e-9:
            f, g, _ = self.forces(self.y, "stick")
            if f > 0 and abs(g) <= self.static * f:
                self.mode = "stick"
                return self.note("stick")
            sign = -1 if g > 0 else 1
        else:
            sign = 1 if speed > 0 else -1
        if self.forces(self.y, sign)[0] > 0:
            self.mode = sign
            return self.note("slip")
        self.mode = "air"

    def begin(self):
        sign = 1 if self.slip_speed(self.y) > 0 else -1
        f, _, a = self.forces(self.y, sign)
        if a < 0 and f < 0:
            return self.strike("tangential impact")
        self.close()

    def strike(self, kind):
        self.note(kind)
        m, _, n, t, _ = self.terms(self.y)
        by_n, by_t = solve(m, n), solve(m, t)
        a, c, b = dot(n, by_n), dot(n, by_t), dot(t, by_t)
        vn, vt, total, end, ratio_sum = dot(n, self.y[2:]), self.slip_speed(self.y), 0.0, math.inf, 0.0
        if kind != "impact":
            vn = 0.0
        for _ in range(20):
            ratio = -c / b if abs(vt) < 1e-13 else -math.copysign(self.kinetic, vt)
            dn, dt = a + ratio * c, c + ratio * b
            halt = -vt / dt if vt * dt < 0 and abs(vt) >= 1e-13 else math.inf
            turn = -vn / dn if end == math.inf and dn > 0 else math.inf
            size = min(halt, turn, end - total)
            vn, vt, total, ratio_sum = vn + size * dn, vt + size * dt, total + size, ratio_sum + size * ratio
            if size == halt:
                vt = 0.0
            if end < math.inf and total >= end:
                break
            if size == turn:
                end = (1 + self.e) * total
                if self.e == 0:
                    break
        v = tuple(p + total * q + ratio_sum * r for p, q, r in zip(self.y[2:], by_n, by_t))
        self.y = (*self.y[:2], *v)
        self.mode = "air"
        if self.e == 0:
            self.close()

    def run(self, until, dt=5e-4):
        while self.time < until:
            before, after = self.y, self.step(self.y, dt)
            # A mode may begin at its own limit: it must first be left behind.
            if self.margin(after) < 0 and self.age > 0:
                low, high = 0.0, dt
                for _ in range(60):
                    size = (low + high) / 2
                    low, high = (size, high) if self.margin(self.step(before, size)) >= 0 else (low, size)
                self.y, self.time = self.step(before, high), self.time + high
                self.change()
                self.age = 0
                continue
            self.y, self.time = after, self.time + dt
            self.age += 1
            if self.mode == "stick":
                f, g, _ = self.forces(self.y, "stick")
                self.largest = max(self.largest, (abs(g) / f, self.time))
        return self

    def change(self):
        if self.mode == "air":
            return self.strike("impact")
        if self.forces(self.y, self.mode)[0] <= 1e-9:
            self.mode = "air"
            return self.note("detach")
        self.close()


class Runs(Case):
    ARMS = {  # height, theta_1, belt, K, C, e, static friction; how long
        "c4": ((5 / 3, 0.7, -0.4, 150, 2, 0.7, 0.8), 1.2), "c4e0": ((5 / 3, 0.7, -0.4, 100, 0.1, 0, 0.8), 6.1),
        "c5": ((5 / 3, -0.2, 0.1, 100, 0.1, 0, 0.8), 2), "c6": ((4 / 3, 0.5, -0.05, 100, 0.1, 0, 0.8), 4),
        "c6m": ((4 / 3, 0.5, -0.05, 100, 0.1, 0, 0.7), 1.4)}

    def test_against_another_integration(self):
        ours = values()
        compared = 0
        for case, (numbers, until) in self.ARMS.items():
            arm = BeltArm(*numbers).run(until)
            for k, (_, time) in enumerate(arm.events, 1):
                if f"{case}_t{k}" in ours:
                    self.assertAlmostEqual(ours[f"{case}_t{k}"], time, delta=2e-7, msg=f"{case}, event {k}")
                    compared += 1
            kinds = ", ".join(kind for kind, _ in arm.events)
            told = ours[f"{case}_events"]
            for word, kind in (("reverse", "slip"), ("bounces", "impact"), ("stays", "slip")):
                told = told.replace(word, kind)
            self.assertTrue(kinds.startswith(told), f"{kinds} / {told}")
            if case == "c6":
                self.assertAlmostEqual(ours["c6_demand"], arm.largest[0], delta=1e-7)
                self.assertAlmostEqual(ours["c6_t_peak"], arm.largest[1], delta=0.005)
        self.assertEqual(compared, sum(1 for name in ours if re.search(r"_t\d$", name)) - 1)  # c6_t4: at 55 s

    def test_the_stick_of_case_6_ends_when_the_belt_asks_too_much(self):
        # Carried by the belt the posture follows from the time alone, and so does the force.
        ours = values()
        arm = BeltArm(*self.ARMS["c6"][0]).run(0.16)
        self.assertEqual(arm.mode, "stick")
        start = math.sin(arm.y[0]) + math.sin(arm.y[1]) + 0.05 * arm.time

        def demand(time):
            x, height = start - 0.05 * time, arm.height
            middle, half = math.atan2(x, height), math.acos(math.hypot(x, height) / 2)
            a, b = middle - half, middle + half
            rates = solve(((math.sin(a), math.sin(b)), (math.cos(a), math.cos(b))), (0, -0.05))
            f, g, _ = arm.forces((a, b, *rates), "stick")
            return abs(g) / f

        self.assertLess(max(demand(0.2 + 0.01 * k) for k in range(5480)), 0.8)
        self.assertLess(demand(ours["c6_t4"] - 1e-4), 0.8)
        self.assertGreater(demand(ours["c6_t4"] + 1e-4), 0.8)

    def test_the_scenes_run_by_themselves(self):
        result = run("simulate", SOURCE / "papers/liu-2007/case-5.yaml", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
