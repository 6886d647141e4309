"""What the documentation writes passes mypy's strictest checks."""
import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
import routh

model = routh.Model.from_file("scene.yaml")
simulator = routh.Simulator(model)
simulator.add_event("low", lambda state: state.q[0])
simulator.add_event("fast", lambda state: float(state.v[0] - 1), stop=True)
routh.simulate(model, events=[("low", lambda state: state.q[0])])
routh.simulate(model, events={"low": lambda state: state.q[0]})
D = np.eye(2)
routh.impact(D, [-1, 0], 0.5, {"table": [[0, 1], [1, 0.5]]})
routh.impact(D, [-1, 0], 0.5, {"normal": 0.1, "tangential": 0.2})
routh.impact(D, [-1, 0], {"static": 0.5, "kinetic": 0.4}, np.linspace(0, 1, 5))
state = routh.State([1, 2], [3, 4])
state.q = [1.0, 2.0]
state.q[0] = 3
simulator.force = [1, 2]
reveal_type(state.q)
reveal_type(model.state.v)
reveal_type(routh.simulate(model).q)
reveal_type(routh.sweep("study.yaml")["x"].std)
"""


def test_programs_of_users(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    # mypy runs elsewhere: relative folders would leave it without the package, and everything would be Any.
    folders = [os.path.abspath(folder) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    answer = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir",
                             str(tmp_path / "cache"), "program.py"], cwd=tmp_path, capture_output=True, text=True,
                            env={**os.environ, "MYPYPATH": os.pathsep.join(folders)}, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    array = "numpy.ndarray[Any, numpy.dtype[numpy.floating[numpy._typing._64Bit]]]"
    found = [line.split('"')[1] for line in answer.stdout.splitlines() if "Revealed type" in line]
    assert found == [array, array, array, "Union[builtins.float, None]"], answer.stdout
