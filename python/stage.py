"""Puts the package together: --package gets the files of --source and the page; beside it stands the metadata of a wheel."""
import argparse
import base64
import hashlib
import pathlib
import shutil
import sysconfig

METADATA = """Metadata-Version: 2.1
Name: routh
Version: {version}
Summary: Rigid multibody systems with frictional impact
Author: The Routh developers
License: Apache-2.0
Keywords: multibody,impact,friction,contact,robotics,mechanics,simulation
Classifier: Development Status :: 4 - Beta
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Physics
Classifier: Typing :: Typed
Requires-Python: >=3.9
Requires-Dist: numpy
Provides-Extra: plot
Requires-Dist: matplotlib; extra == 'plot'
Description-Content-Type: text/markdown

"""


def metadata_text(version):
    description = pathlib.Path(__file__).with_name("DESCRIPTION.md").read_text(encoding="utf-8")
    return METADATA.format(version=version) + description


def python_tag():
    abi = sysconfig.get_config_var("py_version_nodot")
    return f"cp{abi}-cp{abi}"


def wheel_text(platform):
    return f"Wheel-Version: 1.0\nGenerator: routh\nRoot-Is-Purelib: false\nTag: {python_tag()}-{platform}\n"


def write(path, content):
    if not path.is_file() or path.read_bytes() != content:
        path.write_bytes(content)


def record(root, files, own):
    """Lines `path,sha256=…,size`; that of RECORD itself has neither."""
    lines = []
    for path in sorted(files):
        content = path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode("ascii").rstrip("=")
        lines.append(f"{path.relative_to(root).as_posix()},sha256={digest},{len(content)}\n")
    return "".join(lines) + f"{own.relative_to(root).as_posix()},,\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("version", "source", "package", "page"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    source, package = pathlib.Path(options.source), pathlib.Path(options.package)
    package.mkdir(parents=True, exist_ok=True)
    wanted = {path.name: path.read_bytes() for path in source.iterdir() if path.suffix in (".py", ".pyi", ".typed")}
    page = pathlib.Path(options.page) if options.page else None
    if page and page.is_file() and page.stat().st_size > 0:
        wanted["page.html"] = page.read_bytes()
    for old in package.iterdir():
        if old.is_file() and old.suffix != ".so" and old.name not in wanted:
            old.unlink()
    for name, content in wanted.items():
        write(package / name, content)
    info = package.parent / f"routh-{options.version}.dist-info"
    for old in package.parent.glob("routh-*.dist-info"):
        if old != info:
            shutil.rmtree(old)
    info.mkdir(exist_ok=True)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    write(info / "METADATA", metadata_text(options.version).encode())
    write(info / "WHEEL", wheel_text(platform).encode())
    write(info / "INSTALLER", b"cmake\n")
    files = [path for path in package.iterdir() if path.is_file()] + [info / n for n in ("METADATA", "WHEEL", "INSTALLER")]
    write(info / "RECORD", record(package.parent, files, info / "RECORD").encode())


if __name__ == "__main__":
    main()
