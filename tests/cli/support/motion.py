"""Small mechanics to hold runs against: an integrator that finds events, linear equations, and arrays of NumPy's."""
import ast
import math
import struct
import zipfile

STEP = 1e-3


def rk4(rate, y, h):
    """One step of the classical Runge-Kutta method."""
    def along(k, part):
        return [a + part * h * b for a, b in zip(y, k)]

    k1 = rate(y)
    k2 = rate(along(k1, 0.5))
    k3 = rate(along(k2, 0.5))
    k4 = rate(along(k3, 1))
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


def advance(rate, y, event, step=STEP, longest=20.0):
    """Integrates until event(y) falls below zero: the time that took and the state there."""
    time = 0.0
    while time < longest:
        following = rk4(rate, y, step)
        if event(following) < 0:
            early, late = 0.0, step
            for _ in range(60):
                middle = (early + late) / 2
                early, late = (early, middle) if event(rk4(rate, y, middle)) < 0 else (middle, late)
            return time + late, rk4(rate, y, late)
        time, y = time + step, following
    raise AssertionError("the event does not come")


def solve(matrix, right):
    """The solution of a small linear system, by elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right)]
    n = len(rows)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i, k=k: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def read_npz(path, name):
    """An array of doubles as a list, or a list of lists."""
    with zipfile.ZipFile(path) as archive:
        data = archive.read(name + ".npy")
    length = struct.unpack_from("<H", data, 8)[0]
    header = ast.literal_eval(data[10:10 + length].decode("ascii"))
    assert header["descr"] == "<f8" and not header["fortran_order"], header
    values = list(struct.unpack_from(f"<{math.prod(header['shape'])}d", data, 10 + length))
    if len(header["shape"]) == 1:
        return values
    rows, columns = header["shape"]
    return [values[columns * k:columns * (k + 1)] for k in range(rows)]
