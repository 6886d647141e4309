"""How the end of a run depends on numbers of its scene and on its start."""
from __future__ import annotations

import json
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import DerivativeError, SimulationWarning
from ._text import Source, as_model

_Array = npt.NDArray[np.float64]
_Names = Union[str, Sequence[str]]


def _names(given: _Names) -> List[str]:
    return [given] if isinstance(given, str) else [str(each) for each in given]


def _numbers(given: Optional[npt.ArrayLike], name: str) -> List[float]:
    if given is None:
        return []
    array = np.asarray(given, dtype=float)
    if array.ndim > 1:
        raise TypeError(f"{name}: expected one number for each of wrt, found an array of {array.ndim} dimensions")
    return [float(each) for each in np.atleast_1d(array)]


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

    Of a list of expressions `value` is an array, and `derivative` and `difference` have a row for each.
    """

    def __init__(self, data: Dict[str, Any], listed: bool = False) -> None:
        entries: List[Dict[str, Any]] = data["gradient"]
        count = len(data["of"]) if isinstance(data["of"], list) else 1

        def column(key: str) -> _Array:
            return np.array([np.inf if entry[key] is None else entry[key] for entry in entries], dtype=float)

        def matrix(key: str) -> _Array:
            if not listed:
                return np.array([entry[key] for entry in entries], dtype=float)
            return np.array([np.atleast_1d(entry[key]) for entry in entries], dtype=float).reshape(-1, count).T

        self.data = data
        self.value: Any = np.atleast_1d(np.array(data["value"], dtype=float)) if listed else data["value"]
        self.exists: bool = data["exists"]
        self.notes: List[Dict[str, Any]] = data["notes"]
        self.wrt: List[str] = [entry["path"] for entry in entries]
        self.at = column("value")
        self.derivative = matrix("derivative")
        self.validity = column("validity")
        self.difference: Optional[_Array] = None
        if entries and all(entry["difference"] is not None for entry in entries):
            self.difference = matrix("difference")

    def __repr__(self) -> str:
        return f"Gradient(value={self.value!r}, exists={self.exists}, derivative={self.derivative!r})"


def gradient(model: Source, of: _Names, wrt: _Names, until: Optional[float] = None, *,
             at: Optional[npt.ArrayLike] = None, state: Optional[_core.State] = None,
             tolerance: Optional[float] = None, law: Optional[str] = None, differences: bool = False) -> Gradient:
    """The derivative of expressions of a run by numbers of its scene, through its impacts.

    model        what moves: a model, the path of its scene or robot file, or its text; the run begins in its state
    of           an expression of final.position.DOF, final.velocity.DOF, energy.kinetic, energy.potential, energy.total,
                 events.KIND.first and events.KIND.last; or a list of such expressions
    wrt          paths of numbers, as in studies: surfaces.floor.friction, state.velocity.ball.x, bodies.arm.mass, …
    until        [s] the end of the run; that of the scene when left out
    at           values of these numbers; those of the scene when left out
    state        where the run begins; the state of the scene when left out
    tolerance    error of a step, relative to the size of the motion; 1e-10 when left out
    law          of impact, in place of those of the surfaces
    differences  whether central differences of the run are computed beside: two more runs for each number

    Raises InputError about the expressions and the paths, and where the run cannot go on.

    >>> routh.gradient("ball.yaml", "final.position.ball.x", ["surfaces.floor.restitution"], until=1.2).derivative
    """
    text = _core._gradient_model(as_model(model), _names(of), _names(wrt), _numbers(at, "at"), [], differences, state,
                                 until=until, tolerance=tolerance, law=law)
    return Gradient(json.loads(text), not isinstance(of, str))


def _take(data: Dict[str, Any], depth: int) -> List[Dict[str, Any]]:
    """The columns of an answer; what it says against itself becomes an exception or a warning."""
    notes = [f"{note['doubt']} at {note['time']:.9g} s: {note['text']}" for note in data["notes"]]
    if not data["exists"]:
        raise DerivativeError("the run has no derivative: " + "; ".join(notes), data["notes"])
    for note in notes:
        warnings.warn(note, SimulationWarning, stacklevel=depth)
    columns: List[Dict[str, Any]] = data["gradient"]
    return columns


def jvp(model: Source, of: _Names, wrt: _Names, at: Optional[npt.ArrayLike], tangent: npt.ArrayLike,
        until: Optional[float] = None, *, state: Optional[_core.State] = None, tolerance: Optional[float] = None,
        law: Optional[str] = None) -> Tuple[Any, Any]:
    """The values of expressions of a run, and how they change along a direction of its numbers: J t.

    at        values of the numbers; None: those of the scene
    tangent   t, one entry for each of ``wrt``
    others    those of `routh.gradient`

    One column is integrated beside the run, whatever the number of numbers. Both results are numbers for one
    expression and arrays for a list. Raises DerivativeError where there is no derivative; a doubt about it is given as
    SimulationWarning.

    >>> value, change = routh.jvp("ball.yaml", "final.position.ball.x", ["state.velocity.ball.x", "gravity[1]"],
    ...                           [1.0, -9.81], [0.3, 0.1], until=1.2)
    """
    along = _numbers(tangent, "tangent")
    if not along:
        raise TypeError("tangent: expected one number for each of wrt")
    data = json.loads(_core._gradient_model(as_model(model), _names(of), _names(wrt), _numbers(at, "at"), along, False,
                                            state, until=until, tolerance=tolerance, law=law))
    (column,) = _take(data, 3)
    if isinstance(of, str):
        return data["value"], column["derivative"]
    return np.atleast_1d(np.array(data["value"], dtype=float)), np.atleast_1d(np.array(column["derivative"], dtype=float))


def vjp(model: Source, of: _Names, wrt: _Names, at: Optional[npt.ArrayLike] = None, until: Optional[float] = None, *,
        state: Optional[_core.State] = None, tolerance: Optional[float] = None, law: Optional[str] = None
        ) -> Tuple[Any, Callable[[npt.ArrayLike], _Array]]:
    """The values of expressions of a run, and a function that pulls a cotangent w back to its numbers: Jᵀ w.

    The arguments are those of `routh.gradient`. The function takes one number for each expression and returns one for
    each of ``wrt``; the run is not repeated. Raises DerivativeError where there is no derivative; a doubt about it is
    given as SimulationWarning.

    >>> value, pull = routh.vjp("ball.yaml", ["final.position.ball.x", "final.position.ball.y"],
    ...                         ["state.velocity.ball.x", "state.velocity.ball.y"], [1.0, 2.0], until=1.2)
    >>> pull([1.0, 0.0])
    """
    found = gradient(model, _names(of), wrt, until, at=at, state=state, tolerance=tolerance, law=law)
    _take(found.data, 3)

    def pull(cotangent: npt.ArrayLike) -> _Array:
        weights = np.atleast_1d(np.asarray(cotangent, dtype=float))
        if weights.shape != found.value.shape:
            raise ValueError(f"cotangent: {weights.shape} given for expressions of shape {found.value.shape}")
        product: _Array = weights @ found.derivative
        return product

    return (float(found.value[0]) if isinstance(of, str) else found.value), pull


class Sensitivity:
    """How the end of a run depends on its start and on numbers of its scene: `routh.simulate(…, sensitivities=[…])`.

    wrt           what the columns belong to; those of the start come first
    exists        whether there is a derivative; where not, `notes` say why, and `position` and `velocity` have no rows
    lost          [s] since when there is none; else None
    position      ∂q(T)/∂(…): one row for each degree of freedom, on the tangent space of q
    velocity      ∂v(T)/∂(…)
    validity      how far each column's number may change, to first order, before two events change places
    event_time    [s] of all events, with `event_kind`
    event_change  their derivatives, a row for each event; zero where `event_known` says that there is none
    notes         dictionaries with `doubt`, `time` and `text`
    """

    def __init__(self, wrt: List[str], data: Dict[str, Any]) -> None:
        self.wrt = wrt
        self.exists: bool = data["exists"]
        self.lost: Optional[float] = data["lost"]
        self.position: _Array = data["position"]
        self.velocity: _Array = data["velocity"]
        self.validity: _Array = data["validity"]
        self.event_time: _Array = data["event_time"]
        self.event_kind: List[str] = data["event_kind"]
        self.event_known: List[bool] = data["event_known"]
        self.event_change: _Array = data["event_change"]
        self.notes: List[Dict[str, Any]] = data["notes"]

    def __repr__(self) -> str:
        return f"<Sensitivity by {len(self.wrt)} numbers, exists={self.exists}>"


def sensitivity_of(model: _core.Model, state: Optional[_core.State], wrt: _Names, **settings: Any) -> Sensitivity:
    """For `routh.simulate`: the name ``state`` stands for all of the start."""
    paths = _names(wrt)
    numbers = [path for path in paths if path != "state"]
    whole = len(numbers) < len(paths)
    start = [f"state.{part}.{name}" for part in ("position", "velocity") for name in model.dof_names] if whole else []
    return Sensitivity(start + numbers, _core._sensitivity_model(model, state, numbers, whole, **settings))
