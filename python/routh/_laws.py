"""What every law says of the same impact."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

if TYPE_CHECKING:
    from ._core import ImpactBatch, ImpactResult


class Laws(Dict[str, Any]):
    """The answers by the names of their laws, in the order of the documents; shown as a table.

    Of one impact they are `ImpactResult`, of a batch `ImpactBatch`.
    """

    def __repr__(self) -> str:
        return _text(_rows(self))

    def _repr_html_(self) -> str:
        head, *rows = _rows(self)
        cells = "".join(f"<th>{cell}</th>" for cell in head)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _vector(values: Any) -> str:
    return ", ".join(f"{value + 0.0:.4g}" for value in values)


def _row(name: str, result: ImpactResult) -> List[str]:
    if not result.ok:
        return [name, str(result.status), "", "", ""]
    gain = "" if result.consistent else "  gains energy"
    return [name, str(result.mode), _vector(result.relative_velocity), _vector(result.impulse),
            f"{result.energy_change + 0.0:.4g}{gain}"]


def _rows(laws: Dict[str, Any]) -> List[List[str]]:
    rows = [["law", "mode", "v after [m/s]", "impulse [N s]", "ΔE [J]"]]
    for name, answer in laws.items():
        rows.append(_row(name, answer) if hasattr(answer, "phases") else [name, repr(answer), "", "", ""])
    return rows


def _text(rows: List[List[str]]) -> str:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
