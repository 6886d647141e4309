"""The residual of a frictional contact problem, from the formula: plain lists, no library."""
import math


def multiply(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def project(mu, x):
    """Onto the cone ‖x_t‖ ≤ μ x_n."""
    tangential = math.hypot(*x[1:])
    if tangential <= mu * x[0]:
        return x
    if mu * tangential <= -x[0]:
        return [0.0] * len(x)
    normal = (x[0] + mu * tangential) / (1 + mu * mu)
    return [normal, *(mu * normal * t / tangential for t in x[1:])]


def residual(delassus, velocity, friction, impulse, dimension=3):
    """‖r − P_K(r − (v⁺ + μ‖v⁺_t‖ n))‖ / ‖v‖ with v⁺ = D r + v; rows after those of the contacts are bilateral."""
    after = [a + b for a, b in zip(multiply(delassus, impulse), velocity)]
    total = 0.0
    for k, mu in enumerate(friction):
        rows = slice(k * dimension, (k + 1) * dimension)
        u, r = after[rows], impulse[rows]
        shifted = [u[0] + mu * math.hypot(*u[1:]), *u[1:]]
        nearest = project(mu, [a - b for a, b in zip(r, shifted)])
        total += sum((a - b) ** 2 for a, b in zip(r, nearest))
    total += sum(v * v for v in after[len(friction) * dimension:])
    return math.sqrt(total) / math.hypot(*velocity)


def read_siconos(text):
    """(dimension, W, q, μ) of a file with dense or block storage."""
    words = iter(text.split())

    def integers(count):
        return [int(next(words)) for _ in range(count)]

    dimension, contacts, storage, rows, columns = integers(5)
    matrix = [[0.0] * columns for _ in range(rows)]
    if storage == 0:
        integers(2)
        for j in range(columns):
            for i in range(rows):
                matrix[i][j] = float(next(words))
    else:
        count, high, wide = integers(3)
        row_end, column_end = [0, *integers(high)], [0, *integers(wide)]
        filled, _ = integers(2)
        start, block_column = integers(filled), integers(count)
        for row in range(filled - 1):
            for k in range(start[row], start[row + 1]):
                integers(1)
                column = block_column[k]
                for j in range(column_end[column], column_end[column + 1]):
                    for i in range(row_end[row], row_end[row + 1]):
                        matrix[i][j] = float(next(words))
    q = [float(next(words)) for _ in range(rows)]
    return dimension, matrix, q, [float(next(words)) for _ in range(contacts)]
