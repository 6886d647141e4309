"""Impacts worked out in NumPy alone: the planar one from event to event, the spatial one by small steps."""
import numpy as np


def planar(D, v, mu_s, mu_k, e, law):
    """(v⁺, impulse) of a planar impact by Routh's method, piecewise linear in the normal impulse."""
    D, v = np.asarray(D, float), np.asarray(v, float).copy()
    start_speed = -v[0]
    impulse, work, compression = np.zeros(2), 0.0, True
    impulse_c = work_c = 0.0
    hold = None  # a stick ratio, once slip has halted
    for _ in range(50):
        if abs(v[1]) < 1e-14 * max(1.0, np.abs(v).max()):
            ratio = -D[0, 1] / D[1, 1]
            if abs(ratio) <= mu_s:
                hold = ratio
            else:  # it starts again, where the coupling drives it
                drive = D[0, 1] + D[1, 1] * np.sign(ratio) * mu_k
                hold = -mu_k * np.sign(drive)
        direction = hold if hold is not None else -mu_k * np.sign(v[1])
        slope = D @ np.array([1.0, direction])
        steps = []
        if hold is None and slope[1] * v[1] < 0:
            steps.append(("halt", -v[1] / slope[1]))
        if compression:
            if slope[0] > 0:
                steps.append(("compressed", -v[0] / slope[0]))
        else:
            if law == "newton":
                steps.append(("end", (e * start_speed - v[0]) / slope[0]))
            elif law == "poisson":
                steps.append(("end", (1 + e) * impulse_c - impulse[0]))
            else:  # v_n s + slope s²/2 = rest of the work
                rest = -e * e * work_c - work
                steps.append(("end", (-v[0] + np.sqrt(max(v[0] ** 2 + 2 * slope[0] * rest, 0))) / slope[0]))
        kind, step = min(steps, key=lambda each: each[1])
        work += v[0] * step + 0.5 * slope[0] * step * step
        impulse += step * np.array([1.0, direction])
        v += step * slope
        if kind == "end":
            return v, impulse
        if kind == "halt":
            v[1] = 0.0
        else:
            v[0], compression = 0.0, False
            work_c, impulse_c, work = work, impulse[0], 0.0
    raise AssertionError("the oracle did not end")


def spatial(D, v, mu, e, steps=4000):
    """v⁺ of a spatial impact that slips throughout, by the energetic law: Runge and Kutta over the normal impulse."""
    D, v = np.asarray(D, float), np.asarray(v, float)

    def rate(u):
        slip = np.hypot(u[1], u[2])
        return D @ np.array([1.0, -mu * u[1] / slip, -mu * u[2] / slip])

    def advance(u, h):
        k1 = rate(u)
        k2 = rate(u + h / 2 * k1)
        k3 = rate(u + h / 2 * k2)
        k4 = rate(u + h * k3)
        return u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def until(u, measure, h):
        """Goes on until measure(u, work) turns positive, then halves the last step."""
        work = 0.0
        for _ in range(20 * steps):
            following = advance(u, h)
            half = advance(u, h / 2)
            gained = h / 6 * (u[0] + 4 * half[0] + following[0])
            if measure(following, work + gained) > 0:
                if h < 1e-13:
                    return following, work + gained
                h /= 2
                continue
            u, work = following, work + gained
        raise AssertionError("the oracle did not end")

    h = -v[0] / D[0, 0] / steps
    v, lost = until(v, lambda u, work: u[0], h)
    return until(v, lambda u, work: work + e * e * lost, h)[0]
