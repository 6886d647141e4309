"""What tools/draw_gallery draws of each scene in examples/."""
import math

INK, FIRST, SECOND, TRAIL, GROUND, FAINT = "#1f2933", "#1f5fa8", "#b3541e", "#d08c1f", "#6b7680", "#e4e8ec"


# What a body is drawn with, in its own frame. The world is a body too.
def line(body, *points, colour=INK, width=2.5):
    return {"body": body, "points": points, "colour": colour, "width": width}


def area(body, *points, colour=INK, fill="#dfe7f0"):
    return {"body": body, "points": points, "colour": colour, "width": 1.5, "fill": fill, "closed": True}


def ring(body, centre, radius, colour=INK, fill="#dfe7f0"):
    points = [(centre[0] + radius * math.cos(k * math.pi / 24), centre[1] + radius * math.sin(k * math.pi / 24))
              for k in range(48)]
    return {**area(body, *points, colour=colour, fill=fill)}


def ball(body, centre, radius, colour=INK, fill="#dfe7f0"):
    """A sphere, round from everywhere."""
    return {"body": body, "points": [centre], "radius": radius, "colour": colour, "width": 1.5, "fill": fill}


def arc(body, first, second, begin=0, end=2 * math.pi, colour=INK, width=1.5, fill="none"):
    """A part of the ellipse with the half axes `first` and `second` about the body's origin."""
    steps = [begin + (end - begin) * k / 48 for k in range(49)]
    points = [tuple(math.cos(t) * a + math.sin(t) * b for a, b in zip(first, second)) for t in steps]
    return {"body": body, "points": points, "colour": colour, "width": width, "fill": fill}


def dot(body, place, colour=INK):
    return {"body": body, "points": [place], "pixels": 3.5, "colour": colour, "width": 1, "fill": "#ffffff"}


def floor(first, second, body="world"):
    """A surface seen from its side, hatched on the right of the way from first to second."""
    return {"body": body, "points": [first, second], "colour": GROUND, "width": 1.5, "hatch": True}


def box(body, x, y, z, colour=INK):
    corner = [(sx * x / 2, sy * y / 2, sz * z / 2) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    pairs = [(i, j) for i in range(8) for j in range(i) if bin(i ^ j).count("1") == 1]
    return [line(body, corner[i], corner[j], colour=colour, width=1.3) for i, j in pairs]


def times(first, last, count):
    return [first + (last - first) * k / (count - 1) for k in range(count)]


def leg_lines(name, side):
    colour = FIRST if name[1] == "l" else SECOND
    return [line(name + "_hip", (0, 0, 0), (0, 0.08 * side, 0), colour=colour),
            line(name + "_thigh", (0, 0, 0), (0, 0, -0.2), colour=colour),
            line(name + "_shank", (0, 0, 0), (0, 0, -0.2), colour=colour),
            ball(name + "_shank", (0, 0, -0.2), 0.02, colour=colour)]


QUADRUPED = [*box("trunk", 0.4, 0.2, 0.1), *leg_lines("fr", -1), *leg_lines("hr", -1), *leg_lines("fl", 1),
             *leg_lines("hl", 1)]
PATCH = [(0.36, 0.26, 0), (-0.36, 0.26, 0), (-0.36, -0.26, 0), (0.36, -0.26, 0)]
TILES = [area("world", *PATCH, colour=GROUND, fill="#f3f5f7")]
BIRD = [area("bird", (0.004, -0.007), (0.016, -0.0085), (0.028, -0.003), (0.034, 0.004), (0.022, 0.004),
             (0.012, 0.0105), (0.0075, 0.0165), (0.0045, 0.0225), (0.0005, 0.0235), (-0.0005, 0.0205),
             (-0.0051, 0.02), (-0.0005, 0.0185), (0.0, 0.012), (0.0, 0.002), colour=SECOND, fill="#f6e3d6")]
SLOPE = math.tan(math.radians(3))


def pin_offset(q):
    """Of the slider-crank's pin, from the middle of the eye."""
    return (q[2] - 0.05 * math.cos(q[0]) - 0.12 * math.cos(q[0] + q[1]),
            -0.05 * math.sin(q[0]) - 0.12 * math.sin(q[0] + q[1]))


def tip_height(q):
    """Of Liu's arm above the belt."""
    return 5 / 3 - math.cos(q[0]) - math.cos(q[0] + q[1])


# shots: when the bodies are drawn; spread: how far apart the shots stand, where they would hide each other;
# plot: coordinates (q.NAME), rates (v.NAME) or functions of q over time, each with a factor to its unit.
SCENES = {
    "billiards": {
        "shots": [0, *times(0.2, 1.5, 14)], "trails": [("white", (0, 0, 0)), ("red", (0, 0, 0))],
        "parts": [ball("white", (0, 0, 0), 0.0285, colour=FIRST, fill="#ffffff"),
                  ball("red", (0, 0, 0), 0.0285, colour=SECOND, fill="#f6e3d6")],
        "world": [],
        "plot": [("v.white.x", 1, "speed of the white ball [m/s]"), ("v.red.x", 1, "of the red")]},
    "compass_walker": {
        "shots": times(0, 3.63, 26), "trails": [("left", (0, 1))],
        "parts": [line("left", (0, 0), (0, 1), colour=FIRST), line("right", (0, 0), (0, -1), colour=SECOND),
                  dot("left", (0, 1))],
        "world": [floor((0.535 * k - 0.15, 0), (0.535 * k + 0.15, 0), body="slope") for k in range(-1, 7)],
        "plot": [("q.hip", 180 / math.pi, "angle between the legs [°]")]},
    "door_wedge": {
        "until": 0.4, "shots": times(0, 0.244, 5), "trails": [],
        "parts": [line("door", (0, 0.04), (0, 0.14), colour=FIRST), dot("door", (0, 0.04)),
                  line("wedge", (-0.0554, -0.0252), (0.0605, 0.0059), (0.0554, 0.0252), (-0.0605, -0.0059),
                       (-0.0554, -0.0252), colour=SECOND), line("wedge", (0.055, 0.0044), (0.055, -0.0252), colour=SECOND)],
        "world": [floor((-0.2, 0), (0.12, 0))],
        "plot": [("v.door", 1, "speed of the door [m/s]")], "samples": 0.002},
    "four_bar": {
        "shots": times(0, 1.6, 7), "trails": [("rocker", (1.25, 0))],
        "parts": [line("crank", (0, 0), (1, 0), colour=FIRST), line("coupler", (0, 0), (3, 0)),
                  line("rocker", (0, 0), (2.5, 0), colour=SECOND), dot("crank", (0, 0)), dot("coupler", (0, 0)),
                  dot("rocker", (0, 0)), dot("rocker", (2.5, 0))],
        "world": [floor((2.05 - 0.15, 1.6 - 0.51), (2.05 + 0.15, 1.6 + 0.51))],
        "plot": [("v.rocker", 1, "rate of the rocker [rad/s]")]},
    "kane": {
        "until": 2, "shots": times(0, 1.2, 9), "trails": [("lower", (0, -2))], "slower": 4,
        "parts": [line("upper", (0, 0), (0, -2), colour=FIRST), line("lower", (0, 0), (0, -2), colour=SECOND),
                  dot("upper", (0, 0)), dot("lower", (0, 0))],
        "world": [floor((-0.4, -3.61144), (2.6, -3.61144))],
        "plot": [("v.upper", 1, "rate of the upper rod [rad/s]"), ("v.lower", 1, "of the lower")]},
    "liu_arm": {
        "until": 2, "shots": times(0, 0.34, 9), "trails": [("lower", (0, -1))],
        "parts": [line("upper", (0, 0), (0, -1), colour=FIRST), line("lower", (0, 0), (0, -1), colour=SECOND),
                  dot("upper", (0, 0)), dot("lower", (0, 0))],
        "world": [floor((0.3, -5 / 3), (1.7, -5 / 3)),
                  line("world", (1.0, -1.76), (0.7, -1.76), (0.74, -1.74), (0.7, -1.76), (0.74, -1.78), colour=GROUND,
                       width=1.5)],
        "plot": [(tip_height, 1000, "height of the tip [mm]")], "samples": 0.001},
    "newton_cradle": {
        "shots": [0, 0.1, 0.18, 0.24, 0.36, 0.42, 0.5, 0.56],
        "parts": [part for k in range(1, 6) for part in
                  (line(f"ball{k}", (0, 0), (0, -0.275), width=1), ring(f"ball{k}", (0, -0.3), 0.025, colour=FIRST))],
        "world": [line("world", (-0.03, 0), (0.23, 0), colour=GROUND)],
        "plot": [("q.ball1", 180 / math.pi, "angle of the first ball [°]"), ("q.ball5", 180 / math.pi, "of the last")]},
    "painleve_rod": {
        "shots": [0, 0.3, 0.5, 0.64, 0.74, 0.82, 0.88, 0.94, 0.99, 1.04], "samples": 0.0002, "plot_until": 0.1,
        "parts": [line("rod", (-1, 0), (1, 0), width=3), dot("rod", (0, 0))], "trails": [("rod", (1, 0))],
        "world": [floor((-1.3, 0), (2.2, 0)),
                  line("world", (-0.6, 0.1), (-0.2, 0.1), (-0.25, 0.13), (-0.2, 0.1), (-0.25, 0.07), colour=SECOND,
                       width=1.5)],
        "plot": [("q.rod.y", 1000, "height of the lower end [mm]")]},
    "quadruped": {
        "shots": [0, 0.07, 0.14, 0.2], "spread": 0.92, "parts": QUADRUPED, "world": TILES,
        "plot": [("q.trunk.z", 1, "height of the trunk [m]")]},
    "quadruped_stand": {
        "shots": [0, 0.105, 0.16, 2], "spread": 0.92, "parts": QUADRUPED, "world": TILES, "plot_until": 0.6,
        "samples": 0.001,
        "plot": [("q.trunk.z", 1, "height of the trunk [m]")]},
    "rattleback": {
        "shots": [0, 2.6, 4.15, 6.6, 9.5], "spread": 0.46, "view": (0, 50),
        "parts": [arc("stone", (0.2, 0, 0), (0, 0, 0.02), math.pi, 2 * math.pi, width=1),
                  arc("stone", (0, 0.03, 0), (0, 0, 0.02), math.pi, 2 * math.pi, width=1),
                  arc("stone", (0.2, 0, 0), (0, 0.03, 0), fill="#dfe7f0", colour=FIRST),
                  line("stone", (0, 0, 0), (0.2, 0, 0), colour=SECOND)],
        "world": [area("world", (0.22, 0.2, 0), (-0.22, 0.2, 0), (-0.22, -0.2, 0), (0.22, -0.2, 0), colour=GROUND,
                       fill="#f3f5f7")],
        "plot": [("v.stone.wz", 1, "spin [rad/s]"), ("v.stone.wy", 1, "rattling, end to end")]},
    "rimless_wheel": {
        "shots": times(0, 3.425, 6), "trails": [("wheel", (0, 0))], "samples": 0.005,
        "parts": [*[line("wheel", (0, 0), (math.sin(k * math.pi / 4), -math.cos(k * math.pi / 4)),
                         colour=SECOND if k == 0 else FIRST, width=2) for k in range(8)], dot("wheel", (0, 0))],
        "world": [floor((-1.2, 0.0962), (5.4, -0.4329))],
        "plot": [("v.wheel.angle", -1, "rate of turning [rad/s]")]},
    "rocking_block": {
        "shots": [0, 0.25, 0.474, 0.8], "spread": 0.5, "samples": 0.005, "plot_until": 7,
        "parts": [area("block", (-0.1, -0.4), (0.1, -0.4), (0.1, 0.4), (-0.1, 0.4), colour=FIRST),
                  dot("block", (0, 0))],
        "world": [floor((-0.25, 0), (0.25, 0))],
        "plot": [("q.block.angle", 180 / math.pi, "tilt [°]")]},
    "slider_crank": {
        "shots": times(0, 0.2, 9)[:-1], "samples": 0.0002,
        "parts": [line("crank", (0, 0), (0.05, 0), colour=FIRST), line("rod", (0, 0), (0.1095, 0)),
                  ring("rod", (0.12, 0), 0.0105, fill="none"), ring("piston", (0, 0), 0.01, colour=SECOND),
                  dot("crank", (0, 0)), dot("rod", (0, 0))],
        "world": [floor((0.05, -0.016), (0.2, -0.016)), floor((0.2, 0.016), (0.05, 0.016)),
                  ring("world", (0.29, 0), 0.05, colour=GROUND, fill="#ffffff")],
        "curves": [(pin_offset, (0.29, 0), 100)],
        "texts": [((0.29, -0.06), "path of the pin, ×100")],
        "plot": [(lambda q: math.hypot(*pin_offset(q)), 1000, "distance of the pin from the middle of the eye [mm]")]},
    "superball": {
        "shots": times(0, 0.7, 36), "trails": [("ball", (0, 0))], "samples": 0.001,
        "parts": [ring("ball", (0, 0), 0.03, colour=FIRST), line("ball", (0, 0), (0.03, 0), colour=SECOND, width=1.5)],
        "world": [floor((-0.7, 0), (1.6, 0)), floor((1.5, 0.7), (0.3, 0.7))],
        "plot": [("v.ball.angle", 1, "spin [rad/s]")]},
    "two_bodies": {
        "until": 1, "shots": [0, 0.2, 0.4, 0.6, 0.8],
        "parts": [*box("crate", 0.4, 0.3, 0.2, colour=FIRST),
                  ball("ball", (0, 0, 0), 0.1, colour=SECOND, fill="#f6e3d6")],
        "world": [],
        "plot": [("v.crate.wx", 1, "turning of the crate, x [rad/s]"), ("v.crate.wy", 1, "y")]},
    "walker": {
        "until": 0.7, "shots": [0, 0.06, 0.12, 0.167, 0.3, 0.6], "trails": [("stance", (0, 0))],
        "parts": [line("stance", (0, 0), (0, 1), colour=FIRST), line("swing", (0, 0), (0, -1), colour=SECOND),
                  dot("stance", (0, 1))],
        "world": [floor((-0.5, 0.5 * SLOPE), (0.9, -0.9 * SLOPE))],
        "plot": [("q.hip", 180 / math.pi, "angle between the legs [°]")]},
    "woodpecker": {
        "shots": [0.401, 0.4301, 0.4475, 0.4569, 0.5088], "spread": 0.055,
        "parts": [line("bird", (0, 0), (0.006, 0), colour=INK, width=1.5), *BIRD,
                  line("sleeve", (0.0031, -0.0058), (0.0031, 0.0058), colour=FIRST),
                  line("sleeve", (-0.0031, -0.0058), (-0.0031, 0.0058), colour=FIRST),
                  line("sleeve", (0.0031, 0), (0.01, 0), colour=FIRST), dot("bird", (0, 0))],
        "world": [area("world", (-0.0025, -0.128), (0.0025, -0.128), (0.0025, -0.075), (-0.0025, -0.075), colour=GROUND,
                       fill="#f3f5f7")],
        "plot": [("q.slide", 1000, "height [mm]")]},
}
