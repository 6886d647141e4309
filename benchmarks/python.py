"""Times routh.impact on problems written by the benchmark: python.py FILE ROWS COUNT.

FILE holds the columns D, v, static and kinetic friction, restitution as float64, one after the other. Prints nanoseconds of CPU
time: each of the batch, one call by position, one call by keywords, one call and two of its arrays."""
import sys
import time

import numpy as np

import routh


def least(call, rounds):
    best = float("inf")
    for _ in range(rounds):
        begin = time.thread_time_ns()
        call()
        best = min(best, time.thread_time_ns() - begin)
    return best


def main():
    path, rows, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    numbers = np.fromfile(path)
    ends = np.cumsum([count * rows * rows, count * rows, count, count])
    D, v, static, kinetic, restitution = np.split(numbers, ends)
    D, v = D.reshape(count, rows, rows), v.reshape(count, rows)
    batch = least(lambda: routh.impact(D, v, (static, kinetic), restitution), 3) / count
    few = range(2000)
    problems = [(D[k].copy(), v[k].copy(), float(kinetic[k]), float(restitution[k])) for k in few]
    impact = routh.impact

    def one_by_one():
        for d, u, mu, e in problems:
            impact(d, u, mu, e)

    def by_keywords():
        for d, u, mu, e in problems:
            impact(delassus=d, contact_velocity=u, friction=mu, restitution=e)

    def and_look():
        for d, u, mu, e in problems:
            result = impact(d, u, mu, e)
            result.contact_velocity, result.impulse

    def nothing():
        for d, u, mu, e in problems:
            pass

    empty = least(nothing, 50)
    print(batch, *((least(each, 50) - empty) / len(problems) for each in (one_by_one, by_keywords, and_look)))


if __name__ == "__main__":
    main()
