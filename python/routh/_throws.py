"""Recorded throws: parameters of a scene from them, a scene beside them, and the distribution of their paths."""
from __future__ import annotations

import json
import math
import os
import pathlib
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError
from ._fit import Estimate
from ._text import Path, Source, as_model, encoded, shown

Range = Tuple[Optional[float], Optional[float]]


def _numbers(values: Optional[Mapping[str, float]]) -> List[Tuple[str, float]]:
    return [(path, float(value)) for path, value in (values or {}).items()]


def _ranges(values: Optional[Mapping[str, Tuple[float, float]]]) -> List[Tuple[str, float, float]]:
    return [(path, float(low), float(high)) for path, (low, high) in (values or {}).items()]


def _place(data: Path) -> bytes:
    if not isinstance(data, (str, os.PathLike)):
        raise TypeError(f"data: expected the path of a CSV file or a folder of them, found {type(data).__name__}")
    return encoded(data)


class Identification:
    """What `routh.identify` finds under one law; `others` holds the laws that did worse.

    law           its name; None: as the scene says
    parameters    an `Estimate` of each, by path
    deviation     standard errors, by path; correlation: of the estimates, in the same order
    error         of the throws at the estimate: mean, median, position [m], rotation [rad], failed
    held_out      mean error of throws, each at the estimate from the others
    behind        how far its held-out loss is behind the best law's, with its standard error
    remarks       in sentences: what the data cannot tell, and what is wrong in them
    data          the whole answer; `save(path)` writes it, for `routh.predict` and `routh predict --estimate`
    """

    def __init__(self, data: Dict[str, Any], place: int = 0) -> None:
        self.data = data
        law = data["laws"][place]
        self.law: Optional[str] = law["law"]
        self.parameters = {path: Estimate(it["value"], it["low"], it["high"], it["determination"])
                           for path, it in law["parameters"].items()}
        self.deviation: Dict[str, float] = {path: it["deviation"] for path, it in law["parameters"].items()}
        size = len(self.parameters)
        self.correlation: npt.NDArray[np.float64] = np.reshape(law["correlation"], (size, size))
        self.error: Dict[str, Any] = law["error"]
        self.held_out: float = law["held_out"]["mean"]
        self.behind: Tuple[float, float] = (law["held_out"]["behind"], law["held_out"]["behind_deviation"])
        self.remarks: List[str] = data["remarks"]
        self.others = [Identification(data, k) for k in range(1, len(data["laws"]))] if place == 0 else []

    def save(self, path: Path) -> None:
        """Writes what `routh identify -o` does."""
        _core._write_file(path, json.dumps(self.data) + "\n")

    def __getitem__(self, path: str) -> Estimate:
        return self.parameters[path]

    def __str__(self) -> str:
        lines = [f"{path}: {estimate}" for path, estimate in self.parameters.items()]
        lines.append(f"mean error {self.error['mean']:.4g}, of throws held out {self.held_out:.4g}")
        return "\n".join(lines + [f"- {remark}" for remark in self.remarks])


class _Pages:
    """An answer with its rows and its page."""

    def __init__(self, answer: Tuple[str, str, str]) -> None:
        text, self._csv, self._html = answer
        self.data: Dict[str, Any] = json.loads(text)
        self.throws: List[Dict[str, Any]] = self.data["throws"]
        self.remarks: List[str] = self.data["remarks"]

    def save(self, path: Path) -> None:
        """Writes a row for each throw (.csv), the page (.html) or the whole answer (.json)."""
        texts = {".csv": self._csv, ".html": self._html, ".json": json.dumps(self.data) + "\n"}
        suffix = pathlib.Path(path).suffix.lower()
        if suffix not in texts:
            raise InputError(f"'{shown(path)}' ends in none of {', '.join(texts)}")
        _core._write_file(path, texts[suffix])

    def to_html(self) -> str:
        """The page."""
        return self._html


class Validation(_Pages):
    """What `routh.validate` finds.

    error       mean, median, position [m], rotation [rad], failed; `interval` of the mean
    bounces     histograms `run` and `measured`, `chi_square`, `freedom`
    same_face   throws that end on the face that was measured
    throws      a dictionary for each; worst: names of those that are missed most
    remarks     what is wrong in the data; data: the whole answer; `save(path)`, `to_html()`
    """

    def __init__(self, answer: Tuple[str, str, str]) -> None:
        super().__init__(answer)
        self.error: Dict[str, Any] = self.data["error"]
        self.interval: Tuple[float, float] = tuple(self.data["interval"])  # type: ignore[assignment]
        self.bounces: Dict[str, Any] = self.data["bounces"]
        self.same_face: int = self.data["same_face"]
        self.worst: List[str] = self.data["worst"]

    def __repr__(self) -> str:
        return f"<Validation of {len(self.throws)} throws: mean error {self.error['mean']:.4g}>"


class Prediction(_Pages):
    """What `routh.predict` finds.

    forecasts       by name ('face', 'bounces', 'region', 'jam'): outcomes, and where recordings go on `log_score`,
                    `base_rate`, `better` (share and interval), `reliability`
    probability(name)   an array (throws, outcomes)
    throws          a dictionary for each: probabilities by outcome, what was measured, `end` of the centre
    remarks, data, save(path), to_html()
    """

    def __init__(self, answer: Tuple[str, str, str]) -> None:
        super().__init__(answer)
        self.forecasts: Dict[str, Dict[str, Any]] = {each["name"]: each for each in self.data["forecasts"]}

    def probability(self, name: str) -> npt.NDArray[np.float64]:
        """Of each outcome of each throw."""
        outcomes = self.forecasts[name]["outcomes"]
        return np.array([[one[name][outcome] for outcome in outcomes] for one in self.throws])

    def __repr__(self) -> str:
        return f"<Prediction of {len(self.throws)} throws, {self.data['draws']} draws of each>"


def identify(data: Path, scene: Source, sought: Mapping[str, Tuple[float, float]], *,
             given: Optional[Mapping[str, float]] = None, laws: Union[str, Sequence[str], None] = None,
             loss: str = "robust", confidence: float = 0.95, leave_out_bad: bool = False,
             threads: int = 0) -> Identification:
    """Parameters of a scene from recordings of throws, with intervals; laws compared by throws held out.

    data            the path of a CSV file (time and the coordinates of the body's joint), or of a folder of them
    scene           a model, a path or a text
    sought          by path the range in which it is sought: {"surfaces.floor.friction": (0, 0.6)}
    given           by path another value than the scene's
    laws            one or several for every impact of one contact; by default as the scene says
    loss            'robust', or 'mean'
    leave_out_bad   leave out files that cannot be used; the remarks name them

    Ctrl-C ends it; the interpreter lock is released.
    """
    wanted = [laws] if isinstance(laws, str) else None if laws is None else list(laws)
    return Identification(json.loads(_core._identify_throws(
        as_model(scene, "scene"), _place(data), _ranges(sought), _numbers(given), wanted, loss, confidence,
        leave_out_bad, threads)))


def validate(data: Path, scene: Source, *, given: Optional[Mapping[str, float]] = None, law: Optional[str] = None,
             confidence: float = 0.95, leave_out_bad: bool = False, threads: int = 0) -> Validation:
    """A scene beside recordings of throws: errors, bounces, faces, the throws that are missed most.

    Arguments as those of `identify`; law: in place of the surfaces' laws.
    """
    return Validation(_core._validate_throws(as_model(scene, "scene"), _place(data), _numbers(given), law, confidence,
                                             leave_out_bad, threads))


def predict(data: Path, scene: Source, ranges: Optional[Mapping[str, Tuple[float, float]]] = None, *,
            estimate: Union[Path, None] = None, given: Optional[Mapping[str, float]] = None,
            regions: Optional[Mapping[str, Sequence[Range]]] = None, law: Optional[str] = None,
            duration: Optional[float] = None, draws: int = 64, seed: int = 0, widen: float = 1.0,
            leave_out_bad: bool = False, threads: int = 0) -> Prediction:
    """The distribution of the paths of throws, given what flight and parameters leave uncertain; scored where known.

    ranges      by path (low, high): drawn evenly from it
    estimate    in their place: the file that `Identification.save` or `routh identify -o` wrote
    regions     by name the ranges of x, y (and z) of the centre at the end; None in a range: no end
    duration    [s] that is run; None: as long as the recording. draws: of each throw
    widen       the starts' standard deviations times this
    """
    if ranges and estimate is not None:
        raise InputError("ranges and an estimate exclude each other: the one says how uncertain a parameter is")
    places = [(name, [-math.inf if low is None else float(low) for low, _ in box],
               [math.inf if high is None else float(high) for _, high in box])
              for name, box in (regions or {}).items()]
    return Prediction(_core._predict_throws(
        as_model(scene, "scene"), _place(data), _ranges(ranges), _numbers(given),
        None if estimate is None else _place(estimate), places, law, duration, draws, seed, widen, leave_out_bad, threads))
