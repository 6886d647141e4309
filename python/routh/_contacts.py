"""Any number of contacts with friction at once."""
from __future__ import annotations

import operator
import os
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import InputError
from ._text import as_text

_Array = npt.NDArray[np.float64]


class ContactsDerivatives:
    """How the solution of contacts depends on v and μ, contacts open, stuck or slipping as they are.

    status                'exact'; 'one_sided' where contacts of ``border`` are about to change; 'none'
    impulse_by_velocity   ∂p/∂v, and velocity_by_velocity ∂v⁺/∂v: rows and columns as in v; of redundant contacts for
                          changes of v that the machine can make. δD acts as δv = δD p
    impulse_by_friction   ∂p/∂μ, and velocity_by_friction ∂v⁺/∂μ: a column for each contact
    impulse_unique        False: other impulses go with the same velocities; those of least norm are given
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self.status: str = data["status"]
        self.border: List[int] = data["border"]
        self.impulse_unique: bool = data["impulse_unique"]
        self.impulse_by_velocity: _Array = data["impulse_by_velocity"]
        self.velocity_by_velocity: _Array = data["velocity_by_velocity"]
        self.impulse_by_friction: _Array = data["impulse_by_friction"]
        self.velocity_by_friction: _Array = data["velocity_by_friction"]

    def __repr__(self) -> str:
        return f"<ContactsDerivatives: {self.status}>"


class ContactsSolution:
    """What `routh.contacts` finds. Vectors go by rows: `dimension` a contact, the normal first, bilateral rows last.

    status            'solved', 'not_solved' (the best point found) or 'infeasible' (``certificate`` or ``cases`` prove it)
    residual          ‖p − P_K(p − û)‖ / ‖v‖ with û = v⁺ + μ‖v⁺_t‖ n; ``tolerance`` is what was asked for
    impulse           p
    velocity          v⁺ = v + D p, relative to the surfaces
    iterations        steps taken
    states            of each contact 'open', 'sticks' or 'slips'; empty unless solved
    energy_change     of T: p·v⁺ − ½ pᵀD p, v⁺ in space; ``supplied`` is what moving surfaces gave
    impulse_unique    False: other impulses in the cones give the same velocity; None: not known
    velocity_unique   False: there is a second solution of another velocity; True: there is none; None: not known
    other_velocity    of that second solution; else None
    certificate       of an infeasible problem y, with y·(D p) ≤ 0 for every p in the cones and y·v < 0; else None
    cases             of an infeasible problem without such a y all that contacts can do, [{'modes': …, 'y': …}, …]
    tried             of a problem that is not solved: the methods, in words
    machine_velocity  q̇⁺, of a file with a mass matrix; else None
    derivatives       ContactsDerivatives where they were asked for; else None
    sentences         what a person should know beside the numbers
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self.dimension: int = data["dimension"]
        self.contacts: int = data["contacts"]
        self.status: str = data["status"]
        self.residual: float = data["residual"]
        self.tolerance: float = data["tolerance"]
        self.impulse: _Array = data["impulse"]
        self.velocity: _Array = data["velocity"]
        self.iterations: int = data["iterations"]
        self.states: List[str] = data["states"]
        self.energy_change: float = data["energy_change"]
        self.supplied: float = data["supplied"]
        self.impulse_unique: bool | None = data["impulse_unique"]
        self.velocity_unique: bool | None = data["velocity_unique"]
        self.other_velocity: Optional[_Array] = data["other_velocity"]
        self.certificate: Optional[_Array] = data["certificate"]
        self.cases: List[Dict[str, Any]] = data["cases"]
        self.tried: str = data["tried"]
        self.machine_velocity: Optional[_Array] = data["machine_velocity"]
        self.sentences: List[str] = data["sentences"]
        self.derivatives: Optional[ContactsDerivatives] = None
        if data.get("derivatives") is not None:
            self.derivatives = ContactsDerivatives(data["derivatives"])

    @property
    def solved(self) -> bool:
        """Whether the residual is within the tolerance."""
        return self.status == "solved"

    def __repr__(self) -> str:
        count = f"{self.contacts} contact{'' if self.contacts == 1 else 's'}"
        return f"<ContactsSolution of {count}: {self.status}, residual {self.residual:.1e}>"


def _blocks(matrix: Any, rows: int, dimension: int) -> Tuple[Any, Any, Any]:
    """Row starts, columns and values of a SciPy matrix, in blocks of dimension × dimension."""
    if tuple(matrix.shape) != (rows, rows):
        raise InputError(f"inertia: expected {rows}×{rows} numbers, found a matrix of shape {tuple(matrix.shape)}; "
                         "velocity has as many entries as inertia has rows")
    if np.dtype(matrix.dtype).kind not in "fiu":
        raise TypeError(f"inertia: expected real numbers, found dtype {matrix.dtype}")
    padded = -(-rows // dimension) * dimension
    if padded != rows:  # bilateral rows that fill no block
        matrix = matrix.tocsr(copy=True)
        matrix.resize((padded, padded))
    blocks = matrix.tobsr(blocksize=(dimension, dimension))
    if blocks is matrix:
        blocks = blocks.copy()
    blocks.sum_duplicates()
    blocks.sort_indices()
    return (blocks.indptr.astype(np.int32), blocks.indices.astype(np.int32),
            np.ascontiguousarray(blocks.data, dtype=np.float64).ravel())


def contacts(inertia: Any, velocity: Any = None, friction: Any = None, *, dimension: int = 3,
             surface_velocity: Any = None, bilateral: int = 0, slip: Any = None, tolerance: Optional[float] = None,
             iterations: Optional[int] = None, least_norm: bool = False, other_starts: Optional[int] = None,
             start: Any = None, derivatives: bool = False) -> ContactsSolution:
    """Impulses p in the friction cones and velocities v⁺ = v + D p with Signorini's condition and Coulomb's law.

    contacts(inertia, velocity, friction)   D as an array, or as a SciPy sparse matrix; v; one μ or one for each contact
    contacts(path)                          a file as for `routh contacts`, that of Siconos too; or its text or dictionary

    dimension         rows of a contact: 3 in space, 2 in the plane; the normal first
    surface_velocity  of moving surfaces, subtracted from the velocity
    bilateral         how many rows at the end are bilateral: v⁺ = 0
    slip              directions of slip, for accelerations: one for each contact, zeros where none is given
    tolerance         of the residual; 1e-10 when left out
    iterations        at most; 1000 when left out
    least_norm        of impulses that are not unique the least
    other_starts      from how many points a second velocity is looked for; a few, in small problems, when left out
    start             an impulse to begin from, such as the ``impulse`` of the last answer
    derivatives       whether those of the solution by v and μ are computed too

    A problem that is not solved, or infeasible, is no exception: see ``status``.
    """
    options: Dict[str, Any] = {"surface_velocity": surface_velocity, "slip": slip, "tolerance": tolerance,
                               "iterations": iterations, "least_norm": least_norm, "other_starts": other_starts,
                               "start": start, "derivatives": derivatives}
    if isinstance(inertia, (str, os.PathLike, Mapping)):
        given = {"velocity": velocity, "friction": friction, "surface_velocity": surface_velocity, "slip": slip}
        for name, value in given.items():
            if value is not None:
                raise TypeError(f"contacts(file, …) got an unexpected argument '{name}': the file says it")
        source: Union[str, "os.PathLike[str]", Mapping[str, Any]] = inertia
        return ContactsSolution(_core._contacts_of_file(*as_text(source, "problem"), options))
    if velocity is None or friction is None:
        raise TypeError("contacts(inertia, velocity, friction) needs all three")
    if dimension not in (2, 3):
        raise InputError(f"dimension = {dimension}: 3 in space or 2 in the plane is needed")
    rows = operator.index(bilateral)
    if rows < 0:
        raise InputError(f"bilateral = {rows}: a number of rows is needed")
    if hasattr(inertia, "tobsr"):
        inertia = _blocks(inertia, np.asarray(velocity).size, int(dimension))
    return ContactsSolution(_core._contacts_of_arrays(inertia, velocity, friction, int(dimension), rows, options))
