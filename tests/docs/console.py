"""The console blocks of docs/*.md: reads them, runs their commands, compares what is printed.

    ```console
    $ routh impact examples/kane.json --law energetic
    …

A line that begins with `$ ` is a command for bash, lines that begin with `> ` go on with it; the rest is what it prints,
standard error included. `…` stands for any text in a line, and alone in a line for any lines. Numbers with a point may
differ by rounding: by one in the last place shown, or by a billionth. The blocks of a page run
in order in one folder, in which `examples` and `papers` are those of the repository. After `console page` the block is
run only if the program holds the page of reports.

    ROUTH=PROGRAM python3 tests/docs/console.py --update [PAGE ...]

puts what the program prints into the blocks that do not agree."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("ROUTH_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
BLOCK = re.compile(r"^```console(?P<need> page)?\n(?P<body>.*?)^```$", re.M | re.S)
MARK = "\x1e"
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")


def commands(body):
    """[(lines of the command as shown, expected output)]"""
    found = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append(([line], []))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1][0].append(line)
        else:
            found[-1][1].append(line)
    return [(shown, "\n".join(output)) for shown, output in found]


def pattern(expected):
    """A regular expression for expected output with its wildcards, and a group for each of its numbers."""
    lines = []
    for line in expected.split("\n"):
        if line == "…":
            lines.append(r"(?:[^\n]*\n)*?")
            continue
        texts = [re.escape(text).replace("…", r"[^\n]*") for text in NUMBER.split(line)]
        lines.append(f"({NUMBER.pattern})".join(texts) + r"\n")
    return "".join(lines)


def near(expected, actual):
    """Whether two numbers as printed are the same to rounding."""
    digits, _, power = expected.partition("e")
    last_place = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    return abs(float(actual) - float(expected)) <= max(1e-9 * (1 + abs(float(expected))), 1.001 * last_place)


def agrees(expected, actual):
    if expected == "":
        return actual == ""
    match = re.fullmatch(pattern(expected), actual if actual.endswith("\n") else actual + "\n")
    return match is not None and all(map(near, NUMBER.findall(expected), match.groups()))


class Shell:
    """A folder in which the commands of a page run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / "work"
        programs = pathlib.Path(folder) / "bin"
        self.folder.mkdir()
        programs.mkdir()
        (programs / "routh").symlink_to(pathlib.Path(os.environ["ROUTH"]).resolve())
        for name in ("examples", "papers"):
            (self.folder / name).symlink_to(SOURCE / name)
        unwanted = ("NO_COLOR", "LANG", "LC_CTYPE")
        self.environment = {key: value for key, value in os.environ.items() if key not in unwanted}
        self.environment.update(PATH=f"{programs}:{os.environ['PATH']}", LC_ALL="C.UTF-8", TERM="xterm")

    def run(self, shown):
        """What each of the commands prints; $? of one is that of the one before."""
        script = ""
        for lines in shown:
            script += "\n".join(line[2:] for line in lines) + f"\n__status=$?; printf '{MARK}'; (exit $__status)\n"
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        return done.stdout.decode("utf-8").split(MARK)[:-1]


def has_page():
    """Whether the program holds the page of reports."""
    with tempfile.TemporaryDirectory() as folder:
        command = "$ routh impact -q examples/kane.json --html page.html > out 2>&1 && echo yes"
        return Shell(folder).run([[command]]) == ["yes\n"]


def examine(text, page_built):
    """Runs the blocks of a page; yields (match, commands, outputs)."""
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(folder)
        for block in BLOCK.finditer(text):
            if block["need"] and not page_built:
                continue
            listed = commands(block["body"])
            yield block, listed, shell.run([shown for shown, _ in listed])


def update(path, page_built):
    text = path.read_text(encoding="utf-8")
    parts, end = [], 0
    for block, listed, outputs in examine(text, page_built):
        body = ""
        for (shown, expected), actual in zip(listed, outputs):
            kept = expected + "\n" if expected and agrees(expected, actual) else actual
            body += "\n".join(shown) + "\n" + "".join(line.rstrip() + "\n" for line in kept.splitlines())
        parts += [text[end:block.start("body")], body]
        end = block.end("body")
    changed = "".join(parts) + text[end:]
    if changed != text:
        path.write_text(changed, encoding="utf-8")
        print(f"{path.name} changed")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--update"]:
        sys.exit(__doc__)
    built = has_page()
    for page in sys.argv[2:] or sorted(map(str, (SOURCE / "docs").glob("*.md"))):
        update(pathlib.Path(page), built)
