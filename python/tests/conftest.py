"""What the tests share: the machines, and how many random problems to try."""
import os
import pathlib

import numpy as np
import pytest

import routh

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def scaled(count, at_least=1):
    """`count` at ROUTH_TEST_SCALE = 1."""
    return max(at_least, int(count * float(os.environ.get("ROUTH_TEST_SCALE", "1"))))


@pytest.fixture
def rng():
    return np.random.default_rng(20250711)


@pytest.fixture(scope="session")
def examples():
    return SOURCE / "examples"


@pytest.fixture(scope="session")
def kane(examples):
    return routh.Model.from_file(examples / "kane.yaml")


@pytest.fixture(scope="session")
def quadruped(examples):
    return routh.Model.from_file(examples / "quadruped.yaml")


def pendulum():
    """Two uniform rods of 3 kg and 2 m, and the ground where the tip is at 20° and 30° from the vertical."""
    height = 2 * np.cos(np.radians(20)) + 2 * np.cos(np.radians(30))
    machine = routh.ModelBuilder("planar", "Kane's double pendulum")
    machine.surface("steel").friction(0.51, 0.5).restitution(0.7)
    machine.body("upper").mass(3).com(0, -1).inertia(1).revolute("world").at(0, 0)
    machine.body("lower").mass(3).com(0, -1).inertia(1).revolute("upper").at(0, -2)
    machine.shape("tip").on("lower").point().at(0, -2).surface("steel")
    machine.shape("ground").half_space().at(0, -height).surface("steel")
    return machine.build()


def random_spd(rng, size, floor=0.05):
    root = rng.normal(size=(size, size))
    return root @ root.T + floor * np.eye(size)
