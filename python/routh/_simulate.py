"""A whole run in one call."""
from __future__ import annotations

import inspect
import os
import warnings
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError, SimulationWarning
from ._gradient import sensitivity_of
from ._text import Source, as_model

_Array = npt.NDArray[np.float64]
Controller = Union[Callable[[_core.State], npt.ArrayLike], Callable[[float, _Array, _Array], npt.ArrayLike]]
# A number; what indexing an array gives is Any to mypy.
EventFunction = Union[Callable[[_core.State], Any], Callable[[float, _Array, _Array], Any]]


def _of_state(function: Callable[..., Any], usual: int) -> Callable[[_core.State], Any]:
    """Controllers and events are functions of the state, or of time, q and v: told by how many arguments they need.

    Where that is neither one nor three, it is the ``usual`` number.
    """
    count = usual
    try:
        parameters = inspect.signature(function).parameters.values()
        needed = sum(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
        count = needed if needed in (1, 3) else usual
    except (TypeError, ValueError):  # some that are built in do not tell
        pass
    if count == 1:
        return function
    return lambda state: function(state.time, state.q, state.v)


def _pairs(events: Union[Iterable[Tuple[str, EventFunction]], Mapping[str, EventFunction]]
           ) -> Iterator[Tuple[str, Callable[[_core.State], Any]]]:
    for each in events.items() if isinstance(events, Mapping) else events:
        if not isinstance(each, (tuple, list)) or len(each) != 2 or not callable(each[1]):
            raise TypeError(f"events: expected pairs (name, function), found {type(each).__name__}")
        yield each[0], _of_state(each[1], 1)


def simulate(model: Source, until: Optional[float] = None, *,
             state: Optional[_core.State] = None,
             sample_interval: Optional[float] = None, tolerance: Optional[float] = None,
             engine: Optional[str] = None, step: Optional[float] = None, residual: Optional[float] = None,
             resolution: Optional[float] = None,
             law: Optional[str] = None, integrator: Optional[str] = None, max_step: Optional[float] = None,
             max_events: Optional[int] = None,
             controller: Optional[Controller] = None, control_interval: float = 0.01,
             events: Union[Iterable[Tuple[str, EventFunction]], Mapping[str, EventFunction]] = (),
             margins: bool = False,
             sensitivities: Union[str, Sequence[str]] = (),
             output: Union[str, "os.PathLike[str]", None] = None) -> _core.Trajectory:
    """The motion of a machine through every impact, up to the time ``until`` [s].

    model             what moves, or the path or text of its scene or robot file
    state             where it begins; the state of its file when left out
    sample_interval   [s] between two rows of the arrays; a thousandth of the run when left out
    tolerance         error of a step, relative to the size of the motion; 1e-10 when left out
    engine            "automatic" when left out: events, and fixed steps through crowds of them; "events", every event
                      located; "stepping", steps of fixed length
    step              [s] of the engine "stepping"; 0.001 when left out
    residual          of the contact problems of large heaps in steps; 0.001 when left out
    resolution        [s] of the engine "automatic": events of several contacts closer together are a crowd; from the
                      tolerance and the time scale of the machine when left out
    law               of impact, in place of those of the surfaces
    integrator        "automatic" when left out: explicit, implicit while the motion is stiff; "dormand_prince"; "radau"
    max_step          [s] the longest step; 1 when left out
    max_events        the run stops after so many events; 10000000 when left out
    controller        controller(state), or controller(time, q, v), gives the generalised force [N, N m] until it is
                      asked again, ``control_interval`` [s] later
    events            pairs (name, function), or a dictionary of them; function(state), or function(time, q, v), is
                      noted in the log whenever it changes its sign
    margins           measures how far each contact is from slip, loss and a jam; ``trajectory.margins(contact)`` does so
                      later, too
    sensitivities     what the end of the run is differentiated by: paths of numbers as `routh.gradient` takes them, and
                      "state" for all of the start; ``trajectory.sensitivity`` holds the derivatives. A second run
                      finds them; not with a ``controller``
    output            a file to write: .h5, .csv, .json or .npz; a place that cannot be written is refused at once

    Raises SimulationError, which holds the trajectory so far, when the run cannot go on. What the run says against
    itself, its ``warnings``, is given as SimulationWarning.
    """
    if output is not None:
        _core._check_place(output)
    model = as_model(model)
    if sensitivities and controller is not None:
        raise InputError("sensitivities: a run under a controller has no derivatives here; leave one of them out")
    end, interval = _core._usual_run(model, state, until, sample_interval)
    simulator = _core.Simulator(model, state, tolerance=tolerance, engine=engine, step=step, residual=residual,
                                resolution=resolution, law=law, integrator=integrator, max_step=max_step, max_events=max_events,
                                sample_interval=interval)
    for name, function in _pairs(events):
        simulator.add_event(name, function)
    if controller is None:
        simulator.advance(end)
    else:
        if not control_interval > 0:
            raise InputError(f"control_interval: {control_interval} must be positive")
        start, k, force = simulator.time, 0, _of_state(controller, 3)
        while simulator.time < end:
            simulator.force = force(simulator.state)
            k += 1
            simulator.advance(min(start + k * control_interval, end))
    trajectory = simulator.trajectory()
    if margins:
        trajectory._measure_margins()
    if sensitivities:
        trajectory.sensitivity = sensitivity_of(model, state, sensitivities, until=end, tolerance=tolerance,
                                                engine=engine, step=step, residual=residual, resolution=resolution,
                                                law=law, integrator=integrator, max_step=max_step, max_events=max_events)
    if output is not None:
        trajectory.save(output)
    for warning in trajectory.warnings:
        warnings.warn(warning, SimulationWarning, stacklevel=2)
    return trajectory
