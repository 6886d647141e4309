"""Studies: many impacts or runs, on all cores."""
from __future__ import annotations

import html
import operator
import os
import pathlib
import sys
import time
import warnings
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError, InputWarning
from ._text import as_text, columns_of, encoded, shown

Path = Union[str, "os.PathLike[str]"]
Progress = Callable[[int, int], object]


class Failure(NamedTuple):
    """A sample without values: its number, the kind of fault, and the reason in words."""
    sample: int
    fault: str
    reason: str


class Measure:
    """One measure of a study, reduced. What the study did not ask for, or what has no value, is None.

    name, value             its name and its expression
    count, missing          how many samples have a value; how many have none although they did not fail, or failed
    mean, std               std divides by n − 1; of a single value there is none
    min, max                and the first samples that have them: min_sample, max_sample
    fraction                share of values that are not 0
    quantiles               {share: value}
    counts                  of a histogram, with its edges (one more) and the numbers below and above;
                            or of names, with names
    """

    def __init__(self, name: str, data: Dict[str, Any]) -> None:
        self.name = name
        self.value: str = data["value"]
        self.count: int = data["count"]
        self.missing: int = data["missing"]
        self.mean: Optional[float] = data.get("mean")
        self.std: Optional[float] = data.get("std")
        self.min: Optional[float] = data.get("min")
        self.max: Optional[float] = data.get("max")
        self.min_sample: Optional[int] = data.get("min_sample")
        self.max_sample: Optional[int] = data.get("max_sample")
        self.fraction: Optional[float] = data.get("fraction")
        self.quantiles: Dict[float, Optional[float]] = data["quantiles"]
        self.counts: Optional[npt.NDArray[np.int64]] = data.get("counts")
        self.edges: Optional[npt.NDArray[np.float64]] = data.get("edges")
        self.names: Tuple[str, ...] = tuple(data["names"])
        self.below: Optional[int] = data.get("below")
        self.above: Optional[int] = data.get("above")
        self._asked: List[str] = data["numbers"]

    def share(self, name: str) -> float:
        """Of a measure whose values are names: which part of the values is this one, in [0, 1]."""
        if name not in self.names:
            raise InputError(f"'{name}' is no value of '{self.name}'; there are {', '.join(self.names) or 'numbers only'}")
        if self.counts is None or self.count == 0:
            raise InputError(f"'{self.name}' was not counted, or has no values")
        return float(self.counts[self.names.index(name)]) / self.count

    def _rows(self) -> Iterator[Tuple[str, Optional[float]]]:
        for word in self._asked:
            yield word, getattr(self, word)
        for share, number in self.quantiles.items():
            yield f"quantile {share:g}", number
        if self.names and self.counts is not None and self.count > 0:
            for name, count in zip(self.names, self.counts):
                if count > 0:
                    yield name, float(count) / self.count

    def __repr__(self) -> str:
        rows = ", ".join(f"{word} {number:.6g}" for word, number in self._rows() if number is not None)
        return f"<Measure '{self.name}': {self.count} values{', ' + rows if rows else ''}>"


class StudyResult(Mapping[str, Measure]):
    """What `routh.sweep` gives: a mapping from the names of the measures to `Measure`.

    name, kind, method, seed    of the study; kind is 'impact', 'strike' or 'run'
    samples, failed, resumed    how many; how many have no values; how many came from a checkpoint
    parameters                  paths of what varied
    faults                      {kind of fault: how many}
    failures                    the first hundred of them, with reasons
    quantile_error              relative error of quantiles; 0: exact
    hash                        of everything that decides the numbers
    table                       every sample, where the study keeps a table; else None
    """

    def __init__(self, data: "_core._Sweep") -> None:
        self._data = data
        summary = data.summary()
        self.name: str = summary["name"]
        self.kind: str = summary["kind"]
        self.method: str = summary["method"]
        self.seed: int = summary["seed"]
        self.hash: str = summary["hash"]
        self.samples: int = summary["samples"]
        self.failed: int = summary["failed"]
        self.resumed: int = summary["resumed"]
        self.parameters: Tuple[str, ...] = tuple(summary["parameters"])
        self.quantile_error: float = summary["quantile_error"]
        self.faults: Dict[str, int] = summary["faults"]
        self.failures: List[Failure] = [Failure(*failure) for failure in summary["failures"]]
        self.measures: Dict[str, Measure] = {name: Measure(name, each) for name, each in summary["measures"].items()}
        self._warnings: List[str] = summary["warnings"]
        self._table: Optional[Dict[str, npt.NDArray[Any]]] = None

    @property
    def table(self) -> Optional[Dict[str, npt.NDArray[Any]]]:
        """{column: array with an entry for each sample}: the parameters, the measures, and 'fault'.

        Numbers are float64, NaN where a value is missing. Names are texts, None where missing; 'fault' is '' for a
        sample that did not fail. `pandas.DataFrame(result.table)` makes a data frame of it.
        """
        if self._table is None:
            rows = self._data.rows()
            if rows is None:
                return None
            table: Dict[str, npt.NDArray[Any]] = {name: rows[:, k] for k, name in enumerate(self.parameters)}
            for k, measure in enumerate(self.measures.values(), len(self.parameters)):
                column = rows[:, k]
                if measure.names:
                    words = np.array([*measure.names, None], dtype=object)
                    column = words[np.where(np.isnan(column), len(measure.names), column).astype(np.intp)]
                table[measure.name] = column
            faults = np.array(["", *_core._fault_names[1:]], dtype=object)
            table["fault"] = faults[rows[:, -1].astype(np.intp)]
            self._table = table
        return self._table

    def save(self, path: Path) -> None:
        """Writes the result: .h5, .csv (the table to NAME.samples.csv), .json or .html, as `routh sweep` does."""
        text = os.fspath(path)
        suffix = pathlib.Path(text).suffix.lower()
        if suffix == ".json":
            _core._write_file(path, self._data.json() + "\n")
            return
        self._data.write(*_files(text))

    def to_html(self, path: Optional[Path] = None) -> Optional[str]:
        """The result as a page with pictures: written to ``path``, or given as a text without it."""
        if path is None:
            return self._data.page()
        self._data.write(b"", b"", encoded(path))
        return None

    def __getitem__(self, name: str) -> Measure:
        if name not in self.measures:
            raise KeyError(f"{name}: the measures are {', '.join(self.measures)}")
        return self.measures[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __str__(self) -> str:
        lines = [f"{self.name or 'Study'}: {self.samples} samples ({self.method}), {self.failed} failed"]
        for failure in self.failures[:1]:
            lines.append(f"  the first, sample {failure.sample}: {failure.reason}")
        width = max(map(len, self.measures))
        for measure in self.measures.values():
            label = measure.name
            for word, number in measure._rows():
                lines.append(f"{label:{width}}  {word:<24}{'none' if number is None else format(number, '.6g'):>13}")
                label = ""
            if label:
                lines.append(f"{label:{width}}  {measure.count} values")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<StudyResult '{self.name}': {self.samples} samples, {self.failed} failed; {', '.join(self.measures)}>"

    def _repr_html_(self) -> str:
        page = html.escape(self._data.page(), quote=True)
        return f"<iframe srcdoc=\"{page}\" style='width:100%;height:480px;border:0'></iframe>"


def _files(output: Optional[Path]) -> Tuple[bytes, bytes, bytes]:
    """Paths of (HDF5, CSV, HTML), of which one is not empty."""
    if output is None:
        return b"", b"", b""
    text = os.fspath(output)
    kinds = [".h5", ".csv", ".html"]
    suffix = pathlib.Path(text).suffix.lower()
    suffix = {".hdf5": ".h5", ".htm": ".html"}.get(suffix, suffix)
    if suffix not in kinds:
        raise InputError(f"output: '{shown(text)}' ends in none of .h5, .csv, .html")
    first, second, third = (encoded(text) if suffix == kind else b"" for kind in kinds)
    return first, second, third


def _attach(study: Union[Path, Mapping[str, Any]]) -> Tuple[Union[Path, Mapping[str, Any]], Dict[str, str]]:
    """Models and arrays of samples in a dictionary become texts that stand for files."""
    attached: Dict[str, str] = {}
    if not isinstance(study, Mapping):
        return study, attached
    plain = dict(study)
    if isinstance(plain.get("scene"), _core.Model):
        attached["<scene>"] = plain["scene"].text
        plain["scene"] = "<scene>"
    sampling = plain.get("sampling")
    if isinstance(sampling, Mapping) and not isinstance(sampling.get("file"), (str, os.PathLike, type(None))):
        names, rows = columns_of(sampling["file"], "sampling.file")
        lines = [",".join(f'"{name}"' for name in names)] + [",".join(map(repr, row)) for row in rows.tolist()]
        attached["<samples>"] = "\n".join(lines) + "\n"
        plain["sampling"] = {**sampling, "file": "<samples>"}
    return plain, attached


class _Line:
    """A line on standard error with the share done and the time left, renewed a few times a second."""

    def __init__(self) -> None:
        self.begin = time.monotonic()
        self.next = self.begin + 0.5
        self.first: Optional[int] = None
        self.shown = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = done
        if now < self.next and not (self.shown and done == total):
            return
        self.next = now + 0.2
        rate = (done - self.first) / (now - self.begin)
        left = f", {(total - done) / rate:.0f} s left" if rate > 0 else ""
        end = "\n" if done == total else ""
        print(f"\r\033[K{100 * done / total:5.1f} % of {total} samples, {rate:.3g}/s{left}", end=end, file=sys.stderr,
              flush=True)
        self.shown = True


def sweep(study: Union[Path, Mapping[str, Any]], *, table: Optional[bool] = None, output: Optional[Path] = None,
          resume: bool = False, restart: bool = False, checkpoint: float = 5.0, threads: int = 0,
          progress: Union[bool, Progress, None] = None) -> StudyResult:
    """Runs a study: many impacts or runs with parameters that vary, on all cores.

    study        the path of a study file, or the study itself: a dictionary, or a text in YAML. The keys are those of
                 docs/study-file.md. A dictionary may hold arrays, a `Model` as its scene, and columns of arrays as the
                 file of the sampling method csv. Files that a text or a dictionary names are sought from the current
                 folder
    table        keep every sample, whatever the study says: `result.table`
    output       a file to write: .h5, .csv or .html. With .h5 or .csv a checkpoint stands beside it while the study
                 goes on: after an interrupt or a kill, the same call with resume=True goes on from there
    resume       go on from the checkpoint; begin where there is none
    restart      begin anew in spite of a checkpoint
    checkpoint   time between checkpoints [s]
    threads      how many; 0: one for each core. The result does not depend on it, to the last bit
    progress     a function that is called with (done, samples) now and then; True: a line on standard error;
                 None: that line where standard error is a terminal

    Failed samples are counted with their reasons and stop nothing. Ctrl-C ends the study, with a checkpoint where there
    is an output. The interpreter lock is released.
    """
    study, attached = _attach(study)
    text, path = as_text(study, "study")
    line: Optional[Progress] = progress if callable(progress) else None
    if progress is True or (progress is None and sys.stderr is not None and sys.stderr.isatty()):
        line = _Line()
    files = _files(output)
    try:
        threads = operator.index(threads)
    except TypeError:
        raise TypeError(f"threads: expected a whole number, found {type(threads).__name__}") from None
    try:
        data = _core._sweep(text, path, attached, table, files, (bool(resume), bool(restart)), checkpoint, threads,
                            line)
    except KeyboardInterrupt as interrupt:
        if (files[0] or files[1]) and hasattr(interrupt, "add_note"):
            interrupt.add_note("the checkpoint is kept: the same call with resume=True goes on from it")
        raise
    result = StudyResult(data)
    for warning in result._warnings:
        warnings.warn(warning, InputWarning, stacklevel=2)
    if result.failed == result.samples:
        warnings.warn(f"every sample failed; the first: {result.failures[0].reason}", InputWarning, stacklevel=2)
    return result
