"""Restitution from materials: laws of contact force."""
from __future__ import annotations

from typing import Any, Mapping, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._text import compliance_text

_Array = npt.NDArray[np.float64]


class CompliantImpact:
    """What a law of contact force says of impacts; arrays have the shape of the speeds.

    restitution   e
    duration      of the contact [s]; None where the law has no mass or stiffness, like the next two
    peak_force    [N]
    indentation   the greatest [m]
    in_range      whether the law is meant for the speed
    """

    def __init__(self, shape: Tuple[int, ...], values: Tuple[Any, ...]) -> None:
        e, duration, force, indentation, in_range = (None if each is None else each.reshape(shape)[()] for each in values)
        self.restitution: Any = e
        self.duration: Optional[Any] = duration
        self.peak_force: Optional[Any] = force
        self.indentation: Optional[Any] = indentation
        self.in_range: Any = in_range

    def __repr__(self) -> str:
        return (f"CompliantImpact(restitution={self.restitution}, duration={self.duration}, "
                f"peak_force={self.peak_force}, indentation={self.indentation}, in_range={self.in_range})")


class ContactLaw:
    """A law of contact force, written as in files: ``ContactLaw({'thornton': {'young': 210e9, 'poisson': 0.3,
    'yield': 1e9, 'radius': 0.01, 'mass': 0.032}})``. `routh.impact` takes such a dictionary as ``restitution``.

    kind           'spring_dashpot', 'hunt_crossley', 'lankarani_nikravesh', 'hertz', 'thornton' or 'johnson'
    valid_speeds   (low, high) [m/s]
    yield_speed    [m/s]; infinite where nothing yields
    """

    def __init__(self, law: Mapping[str, Any]) -> None:
        self._text = compliance_text(law)
        kind, low, high, at = _core._describe_law(self._text)
        self.kind: str = kind
        self.valid_speeds: Tuple[float, float] = (low, high)
        self.yield_speed: float = at

    def impact(self, speed: npt.ArrayLike) -> CompliantImpact:
        """At the speed that compression reaches [m/s], one or an array."""
        speeds = np.ascontiguousarray(speed, dtype=np.float64)
        return CompliantImpact(np.shape(speed), _core._strike_law(self._text, speeds.reshape(-1)))

    def __repr__(self) -> str:
        return f"ContactLaw({self._text})"
