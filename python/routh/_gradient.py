"""How the end of a run depends on numbers of its scene."""
from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._text import Source, as_model

_Array = npt.NDArray[np.float64]


class Gradient:
    """What `routh.gradient` finds.

    value        of the expression at the end of the run
    exists       whether there is a derivative; where not, `notes` say why, and `derivative` is empty
    wrt          the paths of the numbers, in the order of the arrays
    at           their values
    derivative   ∂(expression)/∂(number)
    difference   central differences of the run; None unless they were asked for and all exist
    validity     how far each number may change, to first order, before two events change places; inf: no bound
    notes        dictionaries with `doubt`, `time` and `text`
    data         the whole answer
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        entries: List[Dict[str, Any]] = data["gradient"]

        def column(key: str) -> _Array:
            return np.array([np.inf if entry[key] is None else entry[key] for entry in entries], dtype=float)

        self.data = data
        self.value: float = data["value"]
        self.exists: bool = data["exists"]
        self.notes: List[Dict[str, Any]] = data["notes"]
        self.wrt: List[str] = [entry["path"] for entry in entries]
        self.at = column("value")
        self.derivative = column("derivative")
        self.validity = column("validity")
        self.difference: Optional[_Array] = None
        if entries and all(entry["difference"] is not None for entry in entries):
            self.difference = column("difference")

    def __repr__(self) -> str:
        return f"Gradient(value={self.value!r}, exists={self.exists}, derivative={self.derivative!r})"


def gradient(model: Source, of: str, wrt: Union[str, Sequence[str]],
             until: Optional[float] = None, *, tolerance: Optional[float] = None, law: Optional[str] = None,
             differences: bool = False) -> Gradient:
    """The derivative of an expression of a run by numbers of its scene, through its impacts.

    model        what moves: a model, the path of its scene or robot file, or its text; the run begins in its state
    of           an expression of final.position.DOF, final.velocity.DOF, energy.kinetic, energy.potential, energy.total,
                 events.KIND.first and events.KIND.last
    wrt          paths of numbers, as in studies: surfaces.floor.friction, state.velocity.ball.x, bodies.arm.mass, …
    until        [s] the end of the run; that of the scene when left out
    tolerance    error of a step, relative to the size of the motion; 1e-10 when left out
    law          of impact, in place of those of the surfaces
    differences  whether central differences of the run are computed beside: two more runs for each number

    Raises InputError about the expression and the paths, and where the run cannot go on.

    >>> routh.gradient("ball.yaml", "final.position.ball.x", ["surfaces.floor.restitution"], until=1.2).derivative
    """
    paths = [wrt] if isinstance(wrt, str) else [str(each) for each in wrt]
    text = _core._gradient_model(as_model(model), of, paths, differences, until=until, tolerance=tolerance, law=law)
    return Gradient(json.loads(text))
