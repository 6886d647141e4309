"""The package as it is staged and installed."""
import enum
import importlib.metadata
import inspect
import pathlib

import routh


def test_metadata():
    metadata = importlib.metadata.metadata("routh")
    assert metadata["Version"] == routh.__version__ == importlib.metadata.version("routh")
    recorded = {str(path) for path in importlib.metadata.files("routh")}
    package = pathlib.Path(routh.__file__).parent
    there = {f"routh/{path.name}" for path in package.iterdir() if path.is_file()}
    assert there <= recorded and "routh/py.typed" in there and "routh/_core.pyi" in there
    for path in importlib.metadata.files("routh"):
        assert path.hash is None or path.locate().stat().st_size == path.size


def described(thing):
    """The docstring without the line of types that pybind11 puts before it."""
    text = inspect.getdoc(thing) or ""
    first, _, rest = text.partition("\n")
    return rest.strip() if "->" in first else text.strip()


def test_every_public_name_has_a_docstring():
    missing = []
    for kind in routh.__all__:
        thing = getattr(routh, kind)
        if not inspect.isclass(thing) or issubclass(thing, (enum.Enum, BaseException)):
            continue
        for name, member in vars(thing).items():
            if name.startswith("_"):
                continue
            if not described(member.__func__ if isinstance(member, staticmethod) else member):
                missing.append(f"{kind}.{name}")
    assert missing == []


def test_everything_public_is_documented():
    for name in routh.__all__:
        thing = getattr(routh, name)
        if callable(thing):
            assert thing.__doc__, name
    for name in ("impact", "mass_matrix", "simulate", "State"):
        assert name in routh.__all__
    assert "[m/s]" in inspect.getdoc(routh.impact) and "[N s]" in routh.ImpactResult.impulse.__doc__
    assert routh.laws == ("energetic", "poisson", "newton", "unified", "classical")
    stub = (pathlib.Path(routh.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    for name in dir(routh._core):
        if not name.startswith("__"):
            assert f"class {name}" in stub or f"def {name}(" in stub or f"{name}:" in stub, name
    for kind in ("Trajectory", "Simulator", "Model", "ImpactResult", "ImpactBatch", "Event", "ModelBuilder", "JointBuilder"):
        described = stub.partition(f"class {kind}:")[2].partition("\nclass ")[0]
        for name in dir(getattr(routh, kind)):
            assert name.startswith("__") or f" {name}(" in described or f" {name}:" in described, f"{kind}.{name}"
