"""The Python blocks of docs/*.md: runs those of a page in order in one namespace, and compares what is printed.

    ```python
    print(1 + 1)
    ```
    ```text
    2
    ```

A block ```text right after one of Python is what it prints; without one it prints nothing. `…` stands for any text in a
line, and alone in a line for any lines. The blocks run in a folder in which `examples` is that of the repository.
PYTHONPATH leads to the package.

    python3 tests/docs/notebook.py --update [PAGE ...]

puts what is printed into the pages."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import console
from console import SOURCE

BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n*^```text\n(?P<shown>.*?)^```$)?", re.M | re.S)

RUNNER = """
import contextlib, io, json, sys, traceback
import matplotlib
matplotlib.use("Agg")
outputs, namespace = [], {"__name__": "notebook"}
for code in json.load(sys.stdin):
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        try:
            exec(compile(code, "page", "exec"), namespace)
        except BaseException:
            traceback.print_exc()
    outputs.append(text.getvalue())
json.dump(outputs, sys.stdout)
"""


def blocks(text):
    """[(match, code, expected output)]"""
    return [(found, found["code"], (found["shown"] or "").rstrip("\n")) for found in BLOCK.finditer(text)]


def run(codes):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "examples").symlink_to(SOURCE / "examples")
        result = subprocess.run([sys.executable, "-B", "-c", RUNNER], input=json.dumps(codes), capture_output=True,
                                text=True, encoding="utf-8", cwd=folder, timeout=600, check=False)
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        return ["\n".join(line.rstrip() for line in output.splitlines()) for output in json.loads(result.stdout)]


def update(page):
    text = page.read_text(encoding="utf-8")
    found = blocks(text)
    outputs = run([code for _, code, _ in found])
    for (match, code, expected), output in reversed(list(zip(found, outputs))):
        if console.agrees(expected, output + "\n" if output else ""):
            continue
        shown = f"```text\n{output}\n```" if output else ""
        rest = text[match.end():] if output else "\n" + text[match.end():].lstrip("\n")
        text = text[:match.start()] + f"```python\n{code}```\n{shown}" + (rest if rest.startswith("\n\n") else "\n\n" + rest.lstrip("\n"))
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--update"]:
        sys.exit(__doc__)
    for name in sys.argv[2:] or [str(path) for path in sorted((SOURCE / "docs").glob("*.md"))]:
        if blocks(pathlib.Path(name).read_text(encoding="utf-8")):
            update(pathlib.Path(name))
