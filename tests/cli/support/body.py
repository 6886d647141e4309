"""The smallest scene with a contact: a point mass that strikes a floor obliquely."""
import json

BODY = """
routh: 1
name: NAME
dimension: planar
surfaces: {s: {friction: 0.5, restitution: 0.5}}
bodies:
  ball: {mass: 1, inertia: 1, joint: {kind: planar}, shapes: {ball: {kind: point, surface: s}}}
world: {shapes: {floor: {kind: half_space}}}
state: {position: {ball: [0, HEIGHT, 0]}, velocity: {ball: [1, -1, 0]}}
"""


def body(name="body", height=0):
    return BODY.replace("NAME", json.dumps(name)).replace("HEIGHT", str(height))
