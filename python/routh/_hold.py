"""Which change of torques and forces holds the contacts of a machine, and which lets them go."""
from __future__ import annotations

import html
import json
import math
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError
from ._text import Source, as_model

_Array = npt.NDArray[np.float64]


class Hold:
    """What `routh.hold` finds of the contacts that rest at a state. Efforts go in the order of `efforts`.

    verdict            as things are: 'must hold', 'can hold', 'slides', 'tips', 'lets go', 'jams', 'unknown'; None when
                       nothing rests
    efforts            names of what may change, and `units`
    outcome            of holding: 'needless', 'found', 'not unique', 'limited' (none within the limits), 'none'
    change             the least change that holds, by name; None when there is none
    after              the verdict with that change, or None
    force              the contact forces with it, a row (n, t1[, t2]) for each contact, or None
    let_go             the least change that opens all contacts, by name; None when there is none
    alone              by name (low, high): how much of that effort by itself holds; None when none does
    acceleration_rates ∂f/∂e of the contacts without contact force: contacts × rows × efforts, the first row is ∂B/∂e
    force_rates        ∂λ/∂e in the present modes, the same shape; None when no finite force answers
    contacts           a dictionary for each contact, as `routh hold --json` prints them
    sentences          the verdict, what would hold and what would let go, in words
    data               the whole answer
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self.data = data
        self.contacts: List[Dict[str, Any]] = data["contacts"]
        self.efforts: List[str] = [effort["name"] for effort in data["efforts"]]
        self.units: List[str] = [effort["unit"] for effort in data["efforts"]]
        self.sentences: List[str] = data["words"]
        self.verdict: Optional[str] = data.get("verdict")
        hold = data.get("hold")
        self.outcome: Optional[str] = hold["outcome"] if hold else None
        self.after: Optional[str] = hold["after"] if hold else None
        self.change = self._by_name(hold)
        self.let_go = self._by_name(data.get("let_go"))
        self.force = self._forces(hold)
        self.alone = self._ranges(hold)
        self.acceleration_rates = self._rates("acceleration_rates")
        self.force_rates = self._rates("force_rates")

    def _by_name(self, cure: Optional[Dict[str, Any]]) -> Optional[Dict[str, float]]:
        if not cure or cure["outcome"] not in ("needless", "found"):
            return None
        return dict(zip(self.efforts, cure["change"]))

    def _forces(self, cure: Optional[Dict[str, Any]]) -> Optional[_Array]:
        if not cure or cure["outcome"] not in ("needless", "found"):
            return None
        return np.array(cure["force"], dtype=float).reshape(len(self.contacts), -1)

    def _ranges(self, cure: Optional[Dict[str, Any]]) -> Dict[str, Optional[Tuple[float, float]]]:
        ranges: Dict[str, Optional[Tuple[float, float]]] = {}
        for name, alone in zip(self.efforts, cure["alone"] if cure else []):
            low, high = alone["low"], alone["high"]
            ranges[name] = (-math.inf if low is None else low,
                            math.inf if high is None else high) if alone["exists"] else None
        return ranges

    def _rates(self, key: str) -> Optional[_Array]:
        if not self.contacts or self.contacts[0][key] is None:
            return None
        return np.array([contact[key] for contact in self.contacts], dtype=float)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        return f"<Hold: {self.verdict}; to hold: {self.outcome}>" if self.contacts else "<Hold: nothing rests>"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences)


def _number(value: Any, what: str) -> float:
    if isinstance(value, (bool, np.bool_, str, bytes)):
        raise TypeError(f"{what}: expected a number, found {type(value).__name__}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}: expected a number, found {type(value).__name__}") from None
    if math.isnan(number):
        raise InputError(f"{what}: NaN is no number")
    return number


def hold(model: Source, state: Optional[_core.State] = None, *, efforts: Optional[Sequence[str]] = None,
         limits: Optional[Mapping[str, Tuple[Optional[float], Optional[float]]]] = None,
         prices: Optional[Mapping[str, float]] = None, normal_force: Optional[float] = None,
         reserve: float = 0.0) -> Hold:
    """The least change of torques and forces that holds the contacts resting at a state, and the least that opens them.

    efforts        names of degrees of freedom, or of forces of the scene, whose multiple is sought; by default the
                   degrees of freedom with drives or efforts, or else all joints but floating bases
    limits         by name (low, high) of the change; None: no limit. Equal limits ask about that change alone
    prices         by name; the least sum of price times square is sought. 1 by default
    normal_force   [N] that each contact keeps; by default a hundredth of the machine's force scale
    reserve        share of static friction that is kept back, in [0, 1)

    >>> routh.hold(model, limits={"shoulder": (-5, 5)}).change
    """
    if isinstance(efforts, str):
        raise TypeError("efforts: expected a list of names, found a text")
    terms: Dict[str, List[float]] = {}
    for name, (low, high) in (limits or {}).items():
        terms.setdefault(name, [-math.inf, math.inf, 1.0])[:2] = [
            -math.inf if low is None else _number(low, f"limits of '{name}'"),
            math.inf if high is None else _number(high, f"limits of '{name}'")]
    for name, price in (prices or {}).items():
        terms.setdefault(name, [-math.inf, math.inf, 1.0])[2] = _number(price, f"price of '{name}'")
    text = _core._hold_model(as_model(model), state, [str(name) for name in efforts or []],
                             [(str(name), low, high, price) for name, (low, high, price) in terms.items()],
                             None if normal_force is None else _number(normal_force, "normal_force"),
                             _number(reserve, "reserve"))
    return Hold(json.loads(text))
