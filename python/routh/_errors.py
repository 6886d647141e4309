"""What goes wrong, as exceptions. The texts are those of the program `routh`."""
from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import Trajectory


_TOLD = re.compile(r"cannot \w+ (?:'(?P<quoted>.*)'|(?P<plain>.*)): (?P<reason>.*)", re.DOTALL)
_NUMBERS = {os.strerror(number): number for number in errno.errorcode}


class Error(Exception):
    """Whatever this package raises on its own account."""


class InputError(Error, ValueError):
    """Input that cannot be used. The text reads ``file:line:col: error: message; remedy`` when it came from a file.

    Attributes: ``message``, ``remedy``, ``file``, ``line``, ``column`` (lines and columns count from 1; 0: not known).
    """

    def __init__(self, text: str, message: str = "", remedy: str = "", file: str = "", line: int = 0,
                 column: int = 0) -> None:
        super().__init__(text)
        self.message = message or text
        self.remedy = remedy
        self.file = file
        self.line = line
        self.column = column


class FileError(Error, OSError):
    """A file that cannot be read or written.

    Attributes: ``filename`` and ``errno`` as of any OSError, None where the text does not tell them.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        told = _TOLD.match(text)
        if told is None:
            return
        name = told["quoted"] or told["plain"]
        self.filename = None if name.endswith("...") else name  # long names are cut
        self.strerror = told["reason"]
        if told["reason"] in _NUMBERS:
            self.errno = _NUMBERS[told["reason"]]

    def __str__(self) -> str:
        return str(self.args[0])  # OSError would show number and name in a form of its own


class SimulationError(Error, RuntimeError):
    """A run that could not go on. ``trajectory`` is what was computed before."""

    def __init__(self, text: str, trajectory: "Trajectory | None" = None) -> None:
        super().__init__(text)
        self.trajectory = trajectory


class DerivativeError(Error, ArithmeticError):
    """A run that has no derivative. ``notes`` say why and since when, as those of `routh.gradient` do."""

    def __init__(self, text: str, notes: "list[dict[str, object]] | None" = None) -> None:
        super().__init__(text)
        self.notes = notes or []


class SimulationWarning(UserWarning):
    """What a run says against itself: its account of energy, a shortcut it took, a doubt about its derivative."""


class InputWarning(UserWarning):
    """Something in a file that is allowed and seldom meant, or that is ignored."""
