"""A verdict or a number over a plane of two variables."""
from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError
from ._text import Source, as_model

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Map:
    """What `routh.map` gives.

    show        what is shown: 'verdict', 'jamming-friction', …
    x, y        the values along the axes
    kinds       (len(y), len(x)): the verdict at each point, an index of ``names``; −1 where there is none
    numbers     (len(y), len(x)): the number behind the verdict, or the quantity itself
    names       of the kinds; empty for a number
    colours     of the kinds, '#rrggbb': told apart in grey and without colour vision
    curves      boundaries: (kind, kind, points along it), located far finer than the grid
    evaluations how many points were looked at
    least       of a number: (the least in the plane, x, y), sought beyond the grid; else None
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self.show: str = data["show"]
        self.x: npt.NDArray[np.float64] = np.linspace(*data["x_range"])
        self.y: npt.NDArray[np.float64] = np.linspace(*data["y_range"])
        self.x_name: str = data["x_name"]
        self.y_name: str = data["y_name"]
        self.x_label: str = data["x_label"]
        self.y_label: str = data["y_label"]
        self.kinds: npt.NDArray[np.int32] = data["kinds"]
        self.numbers: npt.NDArray[np.float64] = data["numbers"]
        self.names: Tuple[str, ...] = data["names"]
        self.colours: Tuple[str, ...] = data["colours"]
        self.curves: List[Tuple[int, int, npt.NDArray[np.float64]]] = data["curves"]
        self.evaluations: int = data["evaluations"]
        self.least: Optional[Tuple[float, float, float]] = data["least"]

    def share(self, kind: str) -> float:
        """Which part of the plane has this verdict, in [0, 1]."""
        if kind not in self.names:
            raise InputError(f"'{kind}' is no verdict of this map; there are {', '.join(self.names) or 'numbers only'}")
        return float(np.mean(self.kinds == self.names.index(kind)))

    def plot(self, axes: Optional["Axes"] = None) -> "Figure":
        """Draws the map with Matplotlib, into ``axes`` if they are given; gives the figure."""
        from ._plot import plot_map
        return plot_map(self, axes)

    def __repr__(self) -> str:
        return f"<Map of {self.show} over {self.x_name} and {self.y_name}, {len(self.x)} × {len(self.y)}>"


Axis = Tuple[str, float, float]


def _axis(axis: Axis, name: str) -> Axis:
    try:
        variable, low, high = axis
        return str(variable), float(low), float(high)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected (variable, from, to), found {axis!r}") from None


def _grid(points: Union[int, Tuple[int, int]]) -> Tuple[int, int]:
    try:
        across, up = points if isinstance(points, (tuple, list)) else (points, points)
        return operator.index(across), operator.index(up)
    except (TypeError, ValueError):
        raise TypeError(f"points: expected one whole number, or one for each axis, found {points!r}") from None


def map(source: Union[Source, Mapping[str, Any]], x: Axis, y: Axis, show: str = "verdict", *,
        state: Optional[_core.State] = None, points: Union[int, Tuple[int, int]] = 200, contact: Optional[str] = None,
        law: Optional[str] = None, fixed: Optional[Mapping[str, float]] = None, threads: int = 0) -> Map:
    """A verdict or number over a plane, with sharp boundaries.

    source    a model, the path or text of a scene or robot file, or the keywords of `routh.diagnose` for one contact as a dictionary
    x, y      (variable, from, to): 'friction', 'static-friction', 'kinetic-friction', 'restitution'; of a model
              'position.<dof>', 'velocity.<dof>'; of a contact 'contact-velocity.t1', 'free-acceleration.n', …
              ('restitution.<contact>' of several that strike, for 'restitution-set')
    show      'verdict', 'mode', 'admissible', 'every-velocity', 'impact', 'energy', 'restitution-set', or a number: 'A', 'B', 'normal-force',
              'friction-demand', 'stick-friction', 'impact-friction', 'jamming-friction', 'restitution-bound',
              'energy-ratio'
    points    of the grid, along x and y
    contact   which one of a model; the first that touches when left out
    fixed     other variables put to a value
    threads   0: as many as the machine has
    """
    x, y, grid = _axis(x, "x"), _axis(y, "y"), _grid(points)
    if isinstance(source, (_core.Model, str, os.PathLike)):
        data = _core._map_model(as_model(source, "source"), state, x, y, show, grid, dict(fixed or {}), threads, contact, law)
    else:
        if state is not None or contact is not None:
            raise TypeError("state and contact are for a model")
        if not isinstance(source, Mapping):
            raise TypeError(f"source: expected a model, a path, or a dictionary of a contact, found {type(source).__name__}")
        arguments = dict(source)
        if law is not None:
            arguments["law"] = law
        data = _core._map_contact(arguments, x, y, show, grid, dict(fixed or {}), threads)
    return Map(data)
