"""The oblique projection of a machine with constraints [Aghili 2019], from a model or from its matrices."""
from __future__ import annotations

import html
import json
import math
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._text import Source, as_model

_Array = npt.NDArray[np.float64]


class Projection:
    """What `routh.project` finds. Rows are the bilateral ones, then the unilateral ones.

    rank, rows           of A
    P, S, R              I − A⁺A; the part of a velocity that an impact takes; the reflection I − 2 S
    M_o, M_c, M_o_inverse  P M P, M_o + ν(I − P), M_o⁺
    nu, nu_best          ν used; the range of ν with the best condition of M_c, None where every ν is best
    condition, best_condition  of M_c with ν; the best there is
    acceleration         q̈ under force and drift
    constraint_force, multipliers  f = Aᵀλ, and λ of least norm; unique where ``multipliers_unique``
    velocity_after       q̇⁺ by (27), or (49) for several restitutions
    impulse, impulse_multipliers   of the constraints, and by rows, of least norm
    residual             what redundant rows and an external impulse leave of A q̇⁺ = −E A q̇⁻ [m/s]
    energy_before, energy_after, ratio, projected_energy  K⁻, K⁺, γ = K⁺/K⁻, what e = 0 would take [J]
    restitution          a dictionary: which restitutions gain no energy, (53) to (56); or None. ``consistent`` and
                         ``worst_growth`` on the velocities that loops admit, ``consistent_printed`` and
                         ``printed_eigenvalue`` as printed, ``consistent_lmi`` and ``lmi_scaling`` by the linear matrix
                         inequality, ``largest_scaling``, ``box``, ``nearest``
    coordinates, row_names, sentences  names; the answer in words
    data                 the whole answer
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self.data = data
        n = len(data["coordinates"])
        for key in ("P", "S", "R", "M_o", "M_c", "M_o_inverse"):
            setattr(self, key, np.array(data[key], dtype=float).reshape(n, n))
        self.rank: int = data["rank"]
        self.rows: int = data["rows"]
        self.nu: float = data["nu"]
        best = data["nu_best"]
        self.nu_best: Optional[Tuple[float, float]] = (best[0], best[1]) if best else None
        self.condition: float = data["condition"]
        self.best_condition: float = data["best_condition"]
        self.multipliers_unique: bool = data["multipliers_unique"]
        motion, impact = data["motion"], data["impact"]
        self.acceleration: _Array = np.array(motion["acceleration"], dtype=float)
        self.constraint_force: _Array = np.array(motion["constraint_force"], dtype=float)
        self.multipliers: _Array = np.array(motion["multipliers"], dtype=float)
        self.velocity_after: _Array = np.array(impact["velocity"], dtype=float)
        self.impulse: _Array = np.array(impact["impulse"], dtype=float)
        self.impulse_multipliers: _Array = np.array(impact["multipliers"], dtype=float)
        self.residual: float = impact["residual"]
        self.energy_before: float = impact["energy_before"]
        self.energy_after: float = impact["energy_after"]
        self.ratio: float = math.inf if impact["ratio"] is None else impact["ratio"]
        self.projected_energy: float = impact["projected_energy"]
        self.restitution: Optional[Dict[str, Any]] = data["restitution"]
        self.coordinates: List[str] = data["coordinates"]
        self.row_names: List[str] = data["row_names"]
        self.sentences: List[str] = data["words"]

    P: _Array
    S: _Array
    R: _Array
    M_o: _Array
    M_c: _Array
    M_o_inverse: _Array

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        return f"<Projection: rank {self.rank} of {self.rows} rows, {len(self.coordinates)} coordinates>"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences)


def project(model: Optional[Source] = None, state: Optional[_core.State] = None, *, mass_matrix: Any = None,
            unilateral: Any = None, bilateral: Any = None, velocity: Any = None, restitution: Any = None, force: Any = None,
            drift: Any = None, external_impulse: Any = None, nu: Optional[float] = None) -> Projection:
    """The oblique projection of a machine: constrained motion, constraint forces, impact, admissible restitutions.

    project(model, state=None)      loops are bilateral, contacts that touch unilateral rows
    project(mass_matrix=M, unilateral=A_u, bilateral=A_b, velocity=…, restitution=…, force=…)
                                    bare matrices: rows of n numbers, of any rank; ``force`` is u − h, ``drift`` Ȧ q̇ of
                                    all rows, ``restitution`` one number for each unilateral row, ``external_impulse`` i_u
    nu                              of M_c = P M P + ν (I − P); within its best range if None
    """
    matrices = dict(mass_matrix=mass_matrix, unilateral=unilateral, bilateral=bilateral, velocity=velocity,
                    restitution=restitution, force=force, drift=drift, external_impulse=external_impulse)
    if model is not None:
        given = [name for name, value in matrices.items() if value is not None]
        if given:
            raise TypeError(f"project(model, …) got an unexpected argument '{given[0]}'")
        return Projection(json.loads(_core._project_model(as_model(model), state, nu)))
    if state is not None:
        raise TypeError("state is for a model")
    if mass_matrix is None:
        raise TypeError("project() needs a model or a mass_matrix")
    return Projection(json.loads(_core._project_matrices(matrices, nu)))
