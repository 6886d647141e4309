"""Studies and problems as Python has them: paths, texts, dictionaries with arrays in them."""
from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Tuple, Union

import numpy as np


def _plain(value: Any) -> Any:
    """What JSON does not know: arrays, NumPy's numbers, paths."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"expected numbers, texts, lists and dictionaries, found {type(value).__name__}")


def as_text(source: Union[str, "os.PathLike[str]", Mapping[str, Any]], name: str) -> Tuple[Optional[str], str]:
    """(text, its name in messages) of a dictionary or a text, (None, path) of a file."""
    if isinstance(source, Mapping):
        return json.dumps(dict(source), default=_plain, ensure_ascii=False, indent=1), f"<{name}>"
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        return source, f"<{name}>"
    if isinstance(source, (str, os.PathLike)):
        return None, os.fspath(source)
    raise TypeError(f"{name}: expected a path, a text or a dictionary, found {type(source).__name__}")
