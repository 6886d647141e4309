"""examples/simulators, as a user builds them against the installed library; their strike of Kane's double pendulum against
a march of Routh's equations written here.

    simulators.py PREFIX WORK_DIR CXX_COMPILER GENERATOR"""
import math
import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "simulators"
# The examples place the tip 1 µm beside the contact, a millionth of all lengths, and print five digits.
TOLERANCE = 2e-5


def energetic_strike():
    """Kinetic energy before and after, and normal velocity after: friction and slip in steps of the normal impulse I.
    dv_n = (a - s μ c) dI and dv_t = (c - s μ b) dI while it slips in the direction s; at v_t = 0 it sticks, with
    dI_t/dI = -c/b, where |c/b| <= μ_s, and slips backwards otherwise. The end: W_restitution = -e² W_compression."""
    upper, lower, e, static, kinetic = math.radians(20), math.radians(30), 0.7, 0.51, 0.5
    mass = [[16, 6 * math.cos(lower - upper)], [6 * math.cos(lower - upper), 4]]
    normal = [2 * math.sin(upper), 2 * math.sin(lower)]
    tangent = [2 * math.cos(upper), 2 * math.cos(lower)]
    rates = [-0.1, -0.2]
    determinant = mass[0][0] * mass[1][1] - mass[0][1] ** 2

    def inner(x, y):  # xᵀ M⁻¹ y
        return (x[0] * (mass[1][1] * y[0] - mass[0][1] * y[1]) + x[1] * (mass[0][0] * y[1] - mass[0][1] * y[0])) / determinant

    a, c, b = inner(normal, normal), inner(normal, tangent), inner(tangent, tangent)
    v_n, v_t = (sum(row[i] * rates[i] for i in range(2)) for row in (normal, tangent))
    before = (mass[0][0] * rates[0] ** 2 + mass[1][1] * rates[1] ** 2) / 2 + mass[0][1] * rates[0] * rates[1]
    step, change, work, compression, ended = 2e-6, 0.0, 0.0, None, False
    slip = math.copysign(1, v_t)
    while not ended:
        rate = c - slip * kinetic * b if slip else 0.0
        friction = -slip * kinetic if slip else -c / b
        d = step
        if slip and rate * v_t < 0 and abs(v_t) <= abs(rate) * step:  # slip ends within this step
            d = -v_t / rate
        next_n = v_n + (a + friction * c) * d
        next_t = v_t + rate * d
        done = (v_n + next_n) / 2 * d
        if compression is None and next_n >= 0:
            compression, work = work, 0.0
        if compression is not None and work + done >= -e * e * compression:
            ended = True
        work += done
        change += done + friction * (v_t + next_t) / 2 * d
        v_n, v_t = next_n, next_t
        if d < step or v_t == 0 and slip:
            v_t = 0.0
            # Back to slip if friction cannot hold it: then c drives it on, against the friction of the other direction.
            slip = 0.0 if abs(c / b) <= static else math.copysign(1, c)
    return before, before + change, v_n


def rows(program):
    """Label → numbers of the table that the program prints."""
    text = subprocess.run([program], check=True, stdout=subprocess.PIPE, encoding="utf-8", cwd=program.parent).stdout
    print(text)
    found = {}
    for line in text.splitlines()[1:]:
        label, numbers = line[:29].strip(), line[29:].split()
        if len(numbers) == 4 and not label.startswith("ok"):
            found[label] = [float(number) for number in numbers]
    return found


def main():
    prefix, work, compiler, generator = sys.argv[1:]
    work = pathlib.Path(work)
    for command in (["cmake", "-S", EXAMPLES, "-B", work, "-G", generator, f"-DCMAKE_CXX_COMPILER={compiler}",
                     f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release"], ["cmake", "--build", work]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    before, after, v_n = energetic_strike()
    print(f"worked out here: {before:.5f} J before, {after:.5f} J after, v_n = {v_n:.5f} m/s\n")
    failed, met = 0, 0
    for name in ("mujoco", "bullet"):
        program = work / f"{name}_strike"
        if not program.exists():
            continue
        met += 1
        table = rows(program)
        for label, numbers in table.items():
            ours = "Routh" in label
            expected = [before, after, after - before, v_n] if ours else [before]
            if any(not abs(x - y) <= TOLERANCE for x, y in zip(numbers, expected)):
                print(f"{label}: {numbers}, but expected {expected}")
                failed += 1
        if len(table) != 2 or sum("Routh" in label for label in table) != 1:
            print(f"{name}: not one row of its own and one of ours: {list(table)}")
            failed += 1
    if not met:
        print("SKIPPED: neither MuJoCo nor Bullet is installed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
