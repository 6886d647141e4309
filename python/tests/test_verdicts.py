"""diagnose and map against the formulas of a sliding contact."""
import math

import numpy as np
import pytest

import routh

D = np.array([[1.0, 0.6], [0.6, 0.9]])


def contact(mu, vt=1.0, f=(-9.0, 0.0), **more):
    return dict(delassus=D, contact_velocity=[0.0, vt], friction=mu, restitution=0.0, free_acceleration=f, **more)


def expected(mu, vt, fn):
    """v̇_n = A λ + B with A = a − μ c σ, B = f_n [Liu 2007, Table 1]."""
    A = D[0, 0] - mu * D[0, 1] * math.copysign(1, vt)
    if A > 0:
        return "slides" if fn < 0 else "detaches"
    return "false cohesion" if fn > 0 else "jams"


@pytest.mark.parametrize("mu", [0.2, 1.0, 1.6, 1.8, 3.0])
@pytest.mark.parametrize("vt", [1.0, -1.0])
@pytest.mark.parametrize("fn", [-9.0, 4.0])
def test_sliding_contact(mu, vt, fn):
    diagnosis = routh.diagnose(**contact(mu, vt, (fn, 0.0)))
    assert diagnosis.verdict == expected(mu, vt, fn)
    (one,) = diagnosis.contacts
    assert one["slip"]["A"] == pytest.approx(D[0, 0] - mu * D[0, 1] * vt)
    assert diagnosis.sentences[0][0] in str(diagnosis) and diagnosis.verdict in repr(diagnosis)
    assert "<p>" in diagnosis._repr_html_()


def test_several_contacts_together(examples):
    """A slide held at two points: rest above friction 1, slip until 20/19, by hand."""
    model = routh.Model.from_file(examples.parent / "tests/data/scenes/statics/two_point_jam.yaml")
    diagnosis = routh.diagnose(model)
    assert diagnosis.verdict == "must hold" and diagnosis.together is not None
    factor = diagnosis.together["hold"]["factor"]
    assert 1.2 * factor["rest_from"] == pytest.approx(1, abs=1e-9)
    assert 1.2 * factor["only_rest_from"] == pytest.approx(20 / 19, abs=1e-9)
    assert diagnosis.reasons[0].startswith("Must hold") and str(diagnosis).startswith("All together:\nMust hold")
    assert str(diagnosis).count("if it were alone") == 2 and "must hold" in repr(diagnosis)


def test_jamming_friction_is_said():
    (one,) = routh.diagnose(**contact(2.0)).contacts
    assert one["thresholds"]["jamming_friction"] == pytest.approx(D[0, 0] / D[0, 1])


def test_a_machine(examples):
    model = routh.Model.from_file(examples / "liu_arm.yaml")
    diagnosis = routh.diagnose(model)
    assert diagnosis.verdict == "jams" and diagnosis.contacts[0]["contact"] in str(diagnosis)
    quick = routh.diagnose(model, model.state, law="poisson", search=False)
    assert quick.verdict == "jams"
    apart = routh.Model.from_file(examples / "superball.yaml")
    state = apart.state
    if not routh.find_touches(apart, state):
        assert routh.diagnose(apart, state).verdict is None and str(routh.diagnose(apart, state)) == "Nothing touches."


def test_map_of_a_contact():
    chart = routh.map(contact(0.5), x=("friction", 0.0, 3.0), y=("free-acceleration.n", -10.0, 10.0), points=(61, 41))
    assert chart.kinds.shape == chart.numbers.shape == (41, 61) and chart.show == "verdict"
    assert len(chart.x) == 61 and chart.evaluations > 0
    for row in range(0, 41, 5):
        for column in range(61):
            if abs(chart.y[row]) > 1e-9 and abs(chart.x[column] - 1 / 0.6) > 1e-9:
                assert chart.names[chart.kinds[row, column]] == expected(chart.x[column], 1.0, chart.y[row])
    jam = chart.names.index("jams")
    edges = [line for a, b, line in chart.curves if {a, b} == {jam, chart.names.index("slides")}]
    assert edges and np.allclose(np.concatenate(edges)[:, 0], 1 / 0.6, atol=1e-4)  # a boundary between grid points
    assert chart.share("jams") == pytest.approx(0.5 * (3 - 1 / 0.6) / 3, abs=0.03)


def test_map_of_a_number():
    chart = routh.map(contact(0.5), ("friction", 0.0, 1.0), ("restitution", 0.0, 1.0), "A", points=5)
    assert chart.names == () and chart.kinds.shape == (5, 5)
    np.testing.assert_allclose(chart.numbers, np.broadcast_to(1 - 0.6 * chart.x, (5, 5)))


def test_map_of_a_machine(examples):
    model = routh.Model.from_file(examples / "liu_arm.yaml")
    dof = model.dof_names[0]
    chart = routh.map(model, ("friction", 0.0, 1.5), (f"position.{dof}", 0.4, 1.0), points=20, threads=2)
    alone = routh.map(model, ("friction", 0.0, 1.5), (f"position.{dof}", 0.4, 1.0), points=20, threads=1, state=model.state)
    np.testing.assert_array_equal(chart.kinds, alone.kinds)
    assert "jams" in {chart.names[k] for k in np.unique(chart.kinds) if k >= 0}
    fixed = routh.map(model, ("restitution", 0.0, 1.0), (f"position.{dof}", 0.4, 1.0), points=6, fixed={"friction": 0.0})
    assert not (fixed.kinds == fixed.names.index("jams")).any()  # nothing jams without friction


def test_plots():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot
    verdict = routh.map(contact(0.5), ("friction", 0.0, 3.0), ("free-acceleration.n", -10.0, 10.0), points=12)
    figure = verdict.plot()
    assert isinstance(figure, matplotlib.figure.Figure)
    axes = figure.axes[0]
    assert len(axes.get_legend().get_texts()) >= 3
    number = routh.map(contact(0.5), ("friction", 0.0, 1.0), ("restitution", 0.0, 1.0), "A", points=5)
    axes = matplotlib.pyplot.figure().add_subplot()
    assert number.plot(axes) is axes.get_figure()
    assert axes.get_title() == "A"
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("change, error, text", [
    (dict(x=("colour", 0, 1)), routh.InputError, "variable 'colour' is unknown; there are"),
    (dict(x=("friction", 1, 0)), routh.InputError, "not a range"),
    (dict(x=("friction", 0, math.nan)), routh.InputError, "not a range"),
    (dict(show="beauty"), routh.InputError, "show: 'beauty' is unknown; there are verdict"),
    (dict(points=1), routh.InputError, "points"),
    (dict(points=(10, 10**9)), (routh.InputError, TypeError), ""),
    (dict(threads=-1), routh.InputError, "threads"),
    (dict(fixed={"colour": 1.0}), routh.InputError, "colour"),
    (dict(contact="foot"), TypeError, "for a model"),
    (dict(source=dict(delassus=D)), TypeError, "contact_velocity is missing"),
    (dict(source=contact(0.5, colour=1)), TypeError, "unexpected argument 'colour'"),
    (dict(source=contact(0.5, f=(1, 2, 3))), routh.InputError, "free_acceleration: expected 2 numbers"),
    (dict(source=contact(math.nan)), routh.InputError, "friction.static: nan"),
    (dict(law="hooke"), routh.InputError, "unknown"),
])
def test_mistakes(change, error, text):
    arguments = dict(source=contact(0.5), x=("friction", 0.0, 1.0), y=("restitution", 0.0, 1.0), points=4) | change
    with pytest.raises(error, match=text):
        routh.map(**arguments)


def test_mistakes_in_diagnose(examples):
    model = routh.Model.from_file(examples / "liu_arm.yaml")
    with pytest.raises(TypeError, match="unexpected argument 'friction'"):
        routh.diagnose(model, friction=1)
    with pytest.raises(TypeError, match="for a model"):
        routh.diagnose(state=model.state)
    with pytest.raises(routh.InputError, match="not a batch"):
        routh.diagnose(delassus=np.array([D, D]), contact_velocity=[0.0, 1.0], friction=0, restitution=0)
    with pytest.raises(routh.InputError, match="contact: 'foot' is unknown; contacts within 10 m"):
        routh.map(model, ("friction", 0.0, 1.0), ("restitution", 0.0, 1.0), contact="foot")
