"""Pictures with Matplotlib, which is imported when the first is drawn."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from . import _core

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._map import Map


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ImportError("plots need Matplotlib: install python3-matplotlib") from error
    return matplotlib.pyplot


def plot_trajectory(self: _core.Trajectory, names: Union[str, Sequence[str], None] = None) -> "Figure":
    """Draws coordinates, velocities and the energy account over time; gives the figure.

    names   one or several of the coordinates and velocities to show; at most the first six of each when left out
    """
    if isinstance(names, str):
        names = [names]
    figure, (above, middle, below) = _pyplot().subplots(3, 1, sharex=True, figsize=(8, 8), constrained_layout=True)
    known = set(self.coordinate_names) | set(self.velocity_names)
    for name in names or ():
        if name not in known:
            raise ValueError(f"'{name}' is unknown; there are {', '.join(sorted(known))}")
    for axes, rows, labels, units, title in (
            (above, self.q, self.coordinate_names, self.coordinate_units, "coordinates"),
            (middle, self.v, self.velocity_names, self.velocity_units, "velocities")):
        shown = [k for k, label in enumerate(labels) if (label in names if names is not None else k < 6)]
        for k in shown:
            axes.plot(self.time, rows[:, k], label=f"{labels[k]} [{units[k]}]", linewidth=1)
        axes.set_ylabel(title)
        if shown:
            axes.legend(loc="best", fontsize="small")
    for label in ("kinetic", "potential", "dissipated", "supplied", "corrected"):
        below.plot(self.time, getattr(self, label), label=label, linewidth=1)
    below.set_ylabel("energy [J]")
    below.set_xlabel("time [s]")
    below.legend(loc="best", fontsize="small")
    impacts = [event.time for event in self.events if event.kind == "impact"]
    if 0 < len(impacts) <= 200:
        for axes in (above, middle, below):
            for time in impacts:
                axes.axvline(time, color="0.85", linewidth=0.6, zorder=0)
    figure.suptitle(self.name)
    return figure


def plot_map(self: "Map", axes: Optional["Axes"]) -> "Figure":
    pyplot = _pyplot()
    if axes is None:
        axes = pyplot.subplots(figsize=(7, 5), constrained_layout=True)[1]
    assert axes is not None
    extent = (self.x[0], self.x[-1], self.y[0], self.y[-1])
    if self.names:
        present = [k for k in range(len(self.names)) if (self.kinds == k).any()]
        shades = np.ones(self.kinds.shape + (3,))
        for k in present:
            shades[self.kinds == k] = [int(self.colours[k][at:at + 2], 16) / 255 for at in (1, 3, 5)]
            axes.plot([], [], "s", color=self.colours[k], label=self.names[k])
        axes.imshow(shades, origin="lower", extent=extent, aspect="auto")
        for _, _, line in self.curves:
            axes.plot(line[:, 0], line[:, 1], color="0.2", linewidth=0.8)
        axes.legend(loc="best", fontsize="small")
    else:
        numbers = np.where((self.kinds < 0) | ~np.isfinite(self.numbers), np.nan, self.numbers)  # NaN is left blank
        picture = axes.imshow(numbers, origin="lower", extent=extent, aspect="auto")
        axes.figure.colorbar(picture, ax=axes, label=self.show)
    axes.set_xlabel(_plain(self.x_label))
    axes.set_ylabel(_plain(self.y_label))
    axes.set_title(self.show)
    figure = axes.get_figure()
    assert figure is not None
    return figure


def _plain(label: str) -> str:
    return label.replace("_{", "").replace("^{", "").replace("}", "")
