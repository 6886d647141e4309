#!/usr/bin/env python3
"""Writes the small meshes of this folder: a die of twelve faces and a bracket, which is not convex."""

import math
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = (1 + math.sqrt(5)) / 2


def dodecahedron(size):
    """Vertices, and faces as lists of their corners, counter-clockwise from outside."""
    points = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
    for a in (-1 / GOLDEN, 1 / GOLDEN):
        for b in (-GOLDEN, GOLDEN):
            points += [(0, a, b), (a, b, 0), (b, 0, a)]
    faces = []
    for a in (-1, 1):
        for b in (-GOLDEN, GOLDEN):
            # The normals of the faces are the vertices of an icosahedron.
            for normal in ((0, b, a), (a, 0, b), (b, a, 0)):
                height = [sum(n * p for n, p in zip(normal, point)) for point in points]
                corners = [i for i, h in enumerate(height) if h > max(height) - 1e-9]
                centre = [sum(points[i][k] for i in corners) / 5 for k in range(3)]
                u = [points[corners[0]][k] - centre[k] for k in range(3)]
                w = [normal[1] * u[2] - normal[2] * u[1], normal[2] * u[0] - normal[0] * u[2],
                     normal[0] * u[1] - normal[1] * u[0]]
                size_w = math.sqrt(sum(x * x for x in w) / sum(x * x for x in u))

                def angle(i):
                    d = [points[i][k] - centre[k] for k in range(3)]
                    return math.atan2(sum(x * y for x, y in zip(d, w)) / size_w, sum(x * y for x, y in zip(d, u)))

                faces.append(sorted(corners, key=angle))
    return [tuple(size * x for x in p) for p in points], faces


def bracket():
    """An L of unit thickness: three of the four quarters of a square of side 2."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    points = [(x, y, z) for z in (0, 1) for x, y in outline]
    faces = [[5, 3, 0], [3, 1, 0], [3, 2, 1], [5, 4, 3], [6, 9, 11], [6, 7, 9], [7, 8, 9], [9, 10, 11]]
    faces += [[i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    return points, faces


def triangles(faces):
    return [(face[0], face[i], face[i + 1]) for face in faces for i in range(1, len(face) - 1)]


def write_obj(name, points, faces):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_binary_stl(name, points, faces):
    # The word `solid` at the beginning, as many programs write it.
    data = b"solid binary all the same".ljust(80) + struct.pack("<I", len(triangles(faces)))
    for triangle in triangles(faces):
        data += struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *points[i]) for i in triangle) + b"\0\0"
    (HERE / name).write_bytes(data)


def write_text_stl(name, points, faces):
    lines = ["solid bracket"]
    for triangle in triangles(faces):
        lines += [" facet normal 0 0 0", "  outer loop"]
        lines += ["   vertex " + " ".join(repr(float(x)) for x in points[i]) for i in triangle]
        lines += ["  endloop", " endfacet"]
    (HERE / name).write_text("\n".join(lines + ["endsolid bracket"]) + "\n", encoding="utf-8")


def write_collada(name, points, faces):
    """Centimetres, z up, moved by a node: what readers of COLLADA get wrong."""
    flat = " ".join(repr(float(100 * x)) for p in points for x in p)
    corners = " ".join(str(i) for t in triangles(faces) for i in t)
    (HERE / name).write_text(f"""<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit meter="0.01" name="centimeter"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="a" count="{3 * len(points)}">{flat}</float_array>
      <technique_common><accessor source="#a" count="{len(points)}" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
      </accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="{len(triangles(faces))}"><input semantic="VERTEX" source="#v" offset="0"/><p>{corners}</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><translate>0 0 50</translate>
    <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
""", encoding="utf-8")


def main():
    die = dodecahedron(0.01)
    write_obj("die.obj", *die)
    write_binary_stl("die.stl", *die)
    write_text_stl("bracket.stl", *bracket())
    write_obj("bracket.obj", *bracket())
    write_collada("bracket.dae", *bracket())


if __name__ == "__main__":
    main()
