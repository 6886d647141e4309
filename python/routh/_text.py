"""Studies and problems as Python has them: paths, texts, dictionaries with arrays in them."""
from __future__ import annotations

import difflib
import json
import os
from typing import Any, List, Mapping, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError

Path = Union[str, "os.PathLike[str]"]
Source = Union[_core.Model, Path]


def masked(value: Any) -> bool:
    """Whether NumPy would drop a mask and take what lies under it."""
    return isinstance(value, np.ma.MaskedArray) and bool(np.any(value.mask))


def _plain(value: Any) -> Any:
    """What JSON does not know: arrays, NumPy's numbers, paths."""
    if masked(value):
        raise InputError("some entries of an array are masked; fill them, or leave their rows out")
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, range):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"expected numbers, texts, lists and dictionaries, found {type(value).__name__}")


def shown(path: Path) -> str:
    """A path as messages show it: a name that is no valid text must not break them."""
    return os.fsencode(path).decode("utf-8", "replace")


def encoded(path: Path) -> bytes:
    """A path as the system has it: names of files need not be UTF-8."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise InputError(f"the path {shown(path)!r} holds a NUL character")
    return name


def read_model(text: bytes, path: bytes) -> _core.Model:
    """A model from what pickle kept of it."""
    return _core._read_model(text, path)


def as_model(source: Source, what: str = "model") -> _core.Model:
    """A model, the path of a scene or robot file, or the text of one."""
    if isinstance(source, _core.Model):
        return source
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"{what}: expected a Model, a path or a text, found {type(source).__name__}")
    if not isinstance(source, str) or "\n" not in source:
        return _core.Model.from_file(source)
    start = source.lstrip()
    if not start.startswith("<"):
        return _core.Model.from_yaml(source)
    return _core.Model.from_mjcf(source) if "<mujoco" in start else _core.Model.from_urdf(source)


def _places(names: Tuple[str, ...], joint: str, joints: Tuple[str, ...]) -> Union[int, slice]:
    found = [k for k, name in enumerate(names) if name == joint or name.startswith(joint + ".")]
    if joint in joints and not found:
        raise InputError(f"the joint '{joint}' is fixed")
    if not found:
        near = difflib.get_close_matches(joint, [*joints, *names], 1)
        raise InputError(f"there is no joint '{joint}'" + (f"; did you mean '{near[0]}'?" if near else ""))
    return found[0] if len(found) == 1 else slice(found[0], found[-1] + 1)


def joint(self: _core.Model, name: str) -> Union[int, slice]:
    """Where the joint, or one of its coordinates, stands in q: ``q[model.joint("knee")]``. A slice of several."""
    return _places(self.coordinate_names, name, self.joints)


def dof(self: _core.Model, name: str) -> Union[int, slice]:
    """Where the joint, or one of its degrees of freedom, stands in v and in generalised forces. A slice of several."""
    return _places(self.dof_names, name, self.joints)


def compliance_text(restitution: Mapping[str, Any]) -> str:
    """A restitution with a law of contact force as the reader of files takes it."""
    return json.dumps({key: value for key, value in restitution.items() if key != "tangential"}, default=_plain)


def as_text(source: Union[Path, Mapping[str, Any]], name: str) -> Tuple[Optional[str], Union[str, bytes]]:
    """(text, its name in messages) of a dictionary or a text, (None, path) of a file."""
    if isinstance(source, Mapping):
        return json.dumps(dict(source), default=_plain, ensure_ascii=False, indent=1), f"<{name}>"
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        return source, f"<{name}>"
    if isinstance(source, (str, os.PathLike)):
        return None, encoded(source)
    raise TypeError(f"{name}: expected a path, a text or a dictionary, found {type(source).__name__}")


def _entries(name: str, array: npt.NDArray[np.float64], what: str) -> List[Tuple[str, npt.NDArray[np.float64]]]:
    """(column, values): arrays with more than one axis become a column for each entry."""
    if array.ndim <= 1:
        return [(name, array)]
    if array.ndim == 2:
        return [(f"{name}[{i}]", array[:, i]) for i in range(array.shape[1])]
    if array.ndim == 3:
        mirrored = name in ("delassus", "mass_matrix")
        if mirrored and not np.array_equal(array, np.swapaxes(array, 1, 2)):
            raise InputError(f"{what}: {name} is not symmetric")
        return [(f"{name}[{i}][{j}]", array[:, i, j]) for i in range(array.shape[1])
                for j in range(i if mirrored else 0, array.shape[2])]
    raise InputError(f"{what}: '{name}' has {array.ndim} axes; impacts come first, then at most two of a vector or matrix")


def columns_of(data: Any, what: str) -> Tuple[List[str], npt.NDArray[np.float64]]:
    """Names of columns and their rows, of a dictionary, a data frame or a structured array. ``what`` is its name in messages."""
    names: Any = None
    if isinstance(data, np.ndarray):
        names = data.dtype.names
    elif hasattr(data, "keys"):  # a data frame has them too
        names = list(data.keys())
    if not names:
        raise TypeError(f"{what}: expected a path, or arrays with names: a dictionary, a data frame, a structured array")
    columns: List[Tuple[str, npt.NDArray[np.float64]]] = []
    for name in names:
        if masked(data[name]):
            raise InputError(f"{what}: some entries of '{name}' are masked; fill them, or leave their rows out")
        array = np.asarray(data[name])
        if array.dtype.kind not in "fiu":
            raise TypeError(f"{what}: '{name}' has dtype {array.dtype}; expected real numbers")
        columns += _entries(str(name), array.astype(np.float64), what)
    rows = max((len(array) for _, array in columns if array.ndim == 1), default=0)
    if rows == 0:
        raise InputError(f"{what}: there are no rows")
    table = np.empty((rows, len(columns)))
    for k, (name, array) in enumerate(columns):
        if array.ndim == 1 and len(array) != rows:
            raise InputError(f"{what}: '{name}' has {len(array)} rows, others have {rows}")
        table[:, k] = array  # one number stands for all rows
    return [name for name, _ in columns], table
