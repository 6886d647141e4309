"""Friction and restitution from measured impacts."""
from __future__ import annotations

import html
import json
import os
import pathlib
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError
from ._text import as_text, columns_of, encoded, shown

Path = Union[str, "os.PathLike[str]"]


class Estimate(NamedTuple):
    """A coefficient and its confidence interval [low, high].

    determination   'interval': both ends were found; 'at_least': more of it fits as well, friction has no
                    upper end; 'at_most': less of it fits as well; 'nothing': the data say nothing, value is None
    """
    value: Optional[float]
    low: float
    high: float
    determination: str

    def __float__(self) -> float:
        if self.value is None:
            raise ValueError("the data say nothing about this coefficient: see `determination`")
        return self.value

    def __contains__(self, value: object) -> bool:
        return isinstance(value, (int, float, np.number)) and bool(self.low <= value <= self.high)

    def __str__(self) -> str:
        if self.determination == "nothing":
            return "not determined"
        if self.determination == "at_least":
            return f"≥ {self.low:.4g}"
        return f"{self.value:.4f} [{self.low:.4f}, {self.high:.4f}]"


class LawFit:
    """How well one law fits, and with which coefficients.

    law                     its name; refinement: what it has beside, 'tangents', 'slip' or 'both', else 'none'
    friction, restitution   Estimate; friction is the kinetic coefficient
    tangential              Estimate of the tangential restitution, where it was sought; else None
    tangential_compliance, slip_loss   Estimates of η² = k_n/k_t and of how e falls with |v_t|/|v_n|, where they were
                            sought; else None
    rms                     of the residuals
    deviation               √(S/(N − P)): estimated deviation of a residual
    aicc, delta_aicc        Akaike's criterion, corrected; how far it lies above the best law. Below 2 the data cannot
                            tell the law from the best, above 10 it is out
    unexplained             mean over the impacts of |residuals|/|change|; held_out: the same, each impact predicted from
                            the other four fifths; None with fewer than twenty
    correlation             of the estimates, in the order friction, restitution, tangential
    unanswered              impacts for which the law has no answer at the estimate
    residuals               (impacts, measured): measured − model, divided by the deviation where sigma was given
    """

    def __init__(self, data: Dict[str, Any], residuals: npt.NDArray[np.float64]) -> None:
        found = {}
        for name, each in data["parameters"].items():
            value, high = each["value"], each["high"]
            found[name] = Estimate(value, each["low"], np.inf if high is None else high, each["determination"])
        self.law: str = data["law"]
        self.friction: Estimate = found["friction"]
        self.restitution: Estimate = found["restitution"]
        self.refinement: str = data["refinement"]
        self.tangential: Optional[Estimate] = found.get("tangential")
        self.tangential_compliance: Optional[Estimate] = found.get("tangential_compliance")
        self.slip_loss: Optional[Estimate] = found.get("slip_loss")
        self.rms: float = data["rms"]
        self.deviation: float = data["deviation"]
        self.aicc: float = data["aicc"]
        self.delta_aicc: float = data["behind"]
        self.correlation: npt.NDArray[np.float64] = np.reshape(data["correlation"], (len(found), len(found)))
        self.unexplained: float = data["unexplained"]
        self.held_out: Optional[float] = data["held_out"]
        self.unanswered: int = data["unanswered"]
        self.residuals = residuals

    def __repr__(self) -> str:
        return f"<LawFit {self.law}: friction {self.friction}, restitution {self.restitution}, rms {self.rms:.3g}>"


def _title(law: Dict[str, Any]) -> str:
    return f"{law['law']}" + ("" if law["refinement"] == "none" else f"+{law['refinement']}")


class Fit(Mapping[str, LawFit]):
    """What `routh.fit` gives: a mapping from the names of laws to `LawFit`, the best first.

    best            the law that fits best
    alike           names of the laws that the data cannot tell from the best, itself included
    remarks         in sentences: what the data cannot tell, which laws they cannot tell apart
    impacts         how many rows; approaching: how many of them approach
    measured        names of what was measured: the columns of the residuals
    confidence      of the intervals
    least_unexplained   of each change, what the best impulse at the contact leaves, whatever the law; None where an
                    impulse can explain everything that was measured
    """

    def __init__(self, data: "_core._Fit") -> None:
        self._data = data
        report = json.loads(data.json())
        self.impacts: int = report["impacts"]
        self.approaching: int = report["approaching"]
        self.measured: Tuple[str, ...] = tuple(report["measured"])
        self.confidence: float = report["confidence"]
        self.least_unexplained: Optional[float] = report["least_unexplained"]
        self.remarks: List[str] = report["remarks"]
        self.laws: Dict[str, LawFit] = {_title(each): LawFit(each, data.residuals(k))
                                        for k, each in enumerate(report["laws"])}

    @property
    def best(self) -> LawFit:
        """The law that fits best."""
        return next(iter(self.laws.values()))

    @property
    def alike(self) -> Tuple[str, ...]:
        """Names of the laws that the data cannot tell from the best, itself included."""
        return tuple(name for name, law in self.laws.items() if law.delta_aicc < 2)

    def save(self, path: Path) -> None:
        """Writes the residuals as numbers (.csv) or as a picture (.svg), or everything but them (.json)."""
        makers: Dict[str, Callable[[], str]] = {".csv": self._data.csv, ".svg": self._data.svg,
                                                ".json": lambda: self._data.json() + "\n"}
        suffix = pathlib.Path(path).suffix.lower()
        if suffix not in makers:
            raise InputError(f"'{shown(path)}' ends in none of {', '.join(makers)}")
        _core._write_file(path, makers[suffix]())

    def to_svg(self) -> str:
        """The residuals of each law as a picture."""
        return self._data.svg()

    def __getitem__(self, law: str) -> LawFit:
        if law not in self.laws:
            raise KeyError(f"{law}: fitted were {', '.join(self.laws)}")
        return self.laws[law]

    def __iter__(self) -> Iterator[str]:
        return iter(self.laws)

    def __len__(self) -> int:
        return len(self.laws)

    def _table(self) -> List[Tuple[str, ...]]:
        rows: List[Tuple[str, ...]] = [("law", "friction", "restitution", "rms", "ΔAICc")]
        for title, law in self.laws.items():
            rows.append((title, str(law.friction), str(law.restitution), f"{law.rms:.3g}", f"{law.delta_aicc:.1f}"))
        return rows

    def __str__(self) -> str:
        lines = [f"{self.impacts} impacts, {self.impacts * len(self.measured)} measurements; "
                 f"{100 * self.confidence:g} % intervals"]
        width = max(10, *(len(title) for title in self.laws))
        lines += [f"{a:{width}} {b:25} {c:25} {d:>9} {e:>7}" for a, b, c, d, e in self._table()]
        return "\n".join(lines + [f"- {remark}" for remark in self.remarks])

    def __repr__(self) -> str:
        best = self.best
        return f"<Fit of {self.impacts} impacts: {best.law}, friction {best.friction}, restitution {best.restitution}>"

    def _repr_html_(self) -> str:
        cell = "<td style='text-align:left'>{}</td>"
        cells = ["".join(cell.format(html.escape(each)) for each in row) for row in self._table()]
        table = "".join(f"<tr>{row}</tr>" for row in cells)
        remarks = "".join(f"<li>{html.escape(remark)}</li>" for remark in self.remarks)
        return f"<table>{table}</table><ul>{remarks}</ul>{self._data.svg()}"


def fit(data: Any, problem: Union[Path, Mapping[str, Any], None] = None, *,
        laws: Union[str, Sequence[str], None] = None, tangential: bool = False, refined: bool = False,
        confidence: float = 0.95) -> Fit:
    """Friction and restitution from measured impacts, by least squares under each law, and which law fits best.

    data         the path of a CSV file, or columns by name: a dictionary of arrays, a pandas data frame, a structured
                 array. A row for each impact; SI units, normal first. Names are those of the problem (velocity,
                 contact_velocity, delassus, jacobian, surface_velocity, …) for what was so before the impact,
                 after.contact_velocity [m/s], after.velocity or after.impulse [N s] for what was measured after it, and
                 sigma.after.… for its standard deviation. An entry is `contact_velocity[0]`; without the brackets an
                 array of shape (impacts, n), or (impacts, n, n), holds all entries. One number stands for all rows
    problem      what the impacts have in common: a problem as a dictionary, as a text, or the path of its file;
                 friction and restitution in a dictionary may be left out. Without it the data hold delassus and
                 contact_velocity
    laws         one law or several; all five when left out
    tangential   seek the tangential restitution too, under the unified law
    refined      the energetic law also with tangents that yield (Stronge's η² = k_n/k_t), with a restitution that falls
                 with slip, and with both: 'energetic+tangents', 'energetic+slip', 'energetic+both'
    confidence   of the intervals

    Ctrl-C ends it; the interpreter lock is released.
    """
    if isinstance(problem, Mapping):
        problem = {"friction": 1, "restitution": 1, **problem}
    text, path = (None, "") if problem is None else as_text(problem, "problem")
    wanted = [laws] if isinstance(laws, str) else None if laws is None else list(laws)
    if isinstance(data, (str, os.PathLike)):
        return Fit(_core._fit_file(encoded(data), text, path, wanted, tangential, refined, confidence))
    columns, values = columns_of(data, "data")
    return Fit(_core._fit_arrays(columns, values, text, path, wanted, tangential, refined, confidence))
