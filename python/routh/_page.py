"""Runs as pages for a browser and for notebooks."""
from __future__ import annotations

import html
import os
import pathlib
from typing import Optional, Union

from . import _core
from ._errors import FileError

PAGE = pathlib.Path(__file__).with_name("page.html")


def has_page() -> bool:
    """Whether this package holds the page of reports, which Node.js builds."""
    return PAGE.is_file() and PAGE.stat().st_size > 0


def to_html(self: _core.Trajectory, path: Union[str, "os.PathLike[str]", None] = None) -> Optional[str]:
    """The run as one HTML page with a 3-D replay, plots and events: written to ``path``, or given as a text without it.

    Nothing is fetched from a network.
    """
    if not has_page():
        raise FileError("this package was built without the page of reports: install the packages nodejs and npm and "
                        "build again")
    page = _core._make_page(PAGE.read_text(encoding="utf-8"), self._document())
    if path is None:
        return page
    _core._write_file(path, page)
    return None


def repr_html(self: _core.Trajectory) -> str:
    """A table of the run and, where the page is there, the page in a frame."""
    energy = self.energy
    rows = {"time": f"{self.time[0]:g} to {self.time[-1]:g} s" if len(self) else "no samples", "samples": len(self),
            "events": len(self.events), "impacts": self.statistics["impacts"], "status": self.status,
            "energy": f"{energy.initial:.6g} → {energy.total:.6g} J, dissipated {energy.dissipated:.6g} J, "
                      f"supplied {energy.supplied:.6g} J, corrected {energy.corrected:.1e} J, "
                      f"balance {energy.balance:.1e} J"}
    if self.warnings:
        rows["warnings"] = "; ".join(self.warnings)
    table = "".join(f"<tr><th style='text-align:left'>{key}</th><td style='text-align:left'>{html.escape(str(value))}</td>"
                    "</tr>" for key, value in rows.items())
    text = f"<h4>{html.escape(self.name)}</h4><table>{table}</table>"
    if has_page() and len(self):
        page = html.escape(to_html(self) or "", quote=True)
        text += f"<iframe srcdoc=\"{page}\" style='width:100%;height:640px;border:0'></iframe>"
    return text
