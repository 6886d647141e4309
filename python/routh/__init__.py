"""Rigid multibody dynamics with frictional impact.

    import numpy as np, routh
    D = np.array([[0.33652, 0.50710], [0.50710, 0.81345]])
    routh.impact(D, [-0.26840, -0.53435], friction=(0.51, 0.5), restitution=0.7)

    model = routh.Model.from_file("kane.yaml")
    run = routh.simulate(model, until=2)
    run.plot()

Contact vectors have the normal first, and a negative normal velocity approaches. SI units and radians throughout.
"""
from ._core import (BodyBuilder, ClosedContact, Contact, Data, DerivativeBorder, DerivativeStatus, EnergyAccount, Event, EventContact, ForceBuilder, ImpulseBuilder,
                    ImpactBatch, ImpactDerivatives, ImpactResult, JointBuilder, LoopBuilder, Mode, Model, ModelBuilder, ShapeBuilder,
                    SimultaneousImpact, Simulator, SpringBuilder, State, Status, Strike, SurfaceBuilder, Trajectory, __version__,
                    acceleration, angular_jacobian, applied_force, bias, body_pose, body_poses, contact_jacobian,
                    difference, energy, find_contacts, find_touches, forward_dynamics, gravity_force, impact, integrate,
                    inverse_dynamics, laws, load, loops, mass_matrix, momentum, point_jacobian, point_velocity, warning_names)
from ._compliance import CompliantImpact, ContactLaw
from ._contacts import ContactsDerivatives, ContactsSolution, contacts
from ._diagnosis import Diagnosis, diagnose
from ._errors import DerivativeError, Error, FileError, InputError, InputWarning, SimulationError, SimulationWarning
from ._fit import Estimate, Fit, LawFit, fit
from ._gradient import Gradient, Sensitivity, gradient, jvp, vjp
from ._hold import Hold, hold
from ._map import Map, map
from ._page import has_page, repr_html as _repr_html, to_html as _to_html
from ._plot import plot_trajectory as _plot_trajectory
from ._project import Projection, project
from ._simulate import simulate
from ._sweep import Failure, Measure, StudyResult, sweep
from ._throws import Identification, Prediction, Validation, identify, predict, validate
from ._text import dof as _dof, joint as _joint

setattr(Trajectory, "to_html", _to_html)
setattr(Trajectory, "_repr_html_", _repr_html)
setattr(Trajectory, "plot", _plot_trajectory)
setattr(Model, "joint", _joint)
setattr(Model, "dof", _dof)

__all__ = ["__version__", "acceleration", "angular_jacobian", "applied_force", "bias", "body_pose", "body_poses",
           "BodyBuilder", "ClosedContact", "CompliantImpact", "Contact", "ContactLaw", "contact_jacobian", "contacts", "ContactsDerivatives", "ContactsSolution", "Data", "DerivativeBorder", "DerivativeError", "DerivativeStatus", "diagnose", "Diagnosis", "difference",
           "energy", "EnergyAccount", "Error", "Estimate", "Event", "EventContact", "Failure", "FileError",
           "find_contacts", "find_touches", "Fit", "fit", "ForceBuilder", "ImpulseBuilder", "forward_dynamics", "Gradient", "gradient", "gravity_force",
           "has_page", "Hold", "hold", "Identification", "identify", "impact", "ImpactBatch", "ImpactDerivatives", "ImpactResult", "InputError", "InputWarning", "integrate",
           "inverse_dynamics", "JointBuilder", "jvp", "LawFit", "laws", "load", "LoopBuilder", "loops", "Map", "map",
           "mass_matrix", "Measure", "Mode", "Model", "ModelBuilder", "momentum", "point_jacobian", "point_velocity",
           "predict", "Prediction", "project", "Projection", "Sensitivity", "ShapeBuilder", "simulate", "SimulationError", "SimulationWarning", "Simulator", "SimultaneousImpact", "SpringBuilder", "State", "Status", "Strike",
           "StudyResult", "SurfaceBuilder", "sweep", "Trajectory", "validate", "Validation", "vjp", "warning_names"]
