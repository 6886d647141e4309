"""Builds the wheel and the source tarball (PEP 517) by CMake, with nothing but the standard library: `pip wheel .`,
`pip install .`. What else it needs is listed in tools/setup.sh.

Settings of `pip wheel . --config-settings KEY=VALUE`:
  build-dir=DIR   a finished build of the project to take the module from; otherwise it is built in build/wheel
  bundle=yes      with every shared library the module needs, and their licences: for other machines than this one"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

import stage

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_SOURCES = {"build", ".git", "__pycache__", ".cache", ".vscode", ".idea", "node_modules"}


def version():
    return re.search(r"^project\(routh VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"),
                     re.MULTILINE).group(1)


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path(metadata_directory) / f"routh-{version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(stage.metadata_text(version()), encoding="utf-8")
    return info.name


def built_package(settings):
    """The folder with the package as CMake puts it together."""
    if settings.get("build-dir"):
        folder = (pathlib.Path(settings["build-dir"])).resolve() / "python"
        if not (folder / f"routh-{version()}.dist-info").is_dir():
            raise SystemExit(f"routh: error: {folder} has no package of version {version()}: build it, or leave out build-dir")
        return folder
    build = ROOT / "build" / "wheel"
    say = {"stdout": sys.stderr, "check": True}
    subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DROUTH_BUILD_TESTS=OFF",
                    "-DROUTH_BUILD_BENCH=OFF", "-DROUTH_BUILD_PYTHON=ON", "-DROUTH_MPI=OFF",
                    f"-DPython_EXECUTABLE={sys.executable}"], **say)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", build, "--target", "routh_python_package", "--parallel", jobs], **say)
    return build / "python"


def add_libraries(tree, info):
    """Puts the shared libraries that the module needs beside it. Returns the platform that will do."""
    sys.path.insert(0, str(ROOT / "tools"))
    import bundle
    modules = list((tree / "routh").glob("*.so"))
    libraries = bundle.bundle(modules, tree / "routh.libs", for_python=True)
    (info / "LIBRARIES").write_text(bundle.copy_licences(libraries, info / "licences"))
    least = bundle.lowest_glibc([*modules, *(tree / "routh.libs").iterdir()])
    return "manylinux_{}_{}_{}".format(*least, os.uname().machine)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = config_settings or {}
    source = built_package(settings)
    with tempfile.TemporaryDirectory() as work:
        tree = pathlib.Path(work)
        shutil.copytree(source / "routh", tree / "routh", ignore=shutil.ignore_patterns("__pycache__"))
        info = tree / f"routh-{version()}.dist-info"
        shutil.copytree(source / info.name, info)
        for name in ("INSTALLER", "RECORD"):
            (info / name).unlink(missing_ok=True)
        shutil.copyfile(ROOT / "LICENSE", info / "LICENSE")
        shutil.copyfile(ROOT / "cmake/debian/copyright", info / "copyright")
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        if settings.get("bundle") == "yes":
            platform = add_libraries(tree, info)
        elif settings.get("bundle") not in (None, "no"):
            raise SystemExit(f"routh: error: bundle={settings['bundle']}: it is yes or no")
        (info / "WHEEL").write_text(stage.wheel_text(platform))
        files = [path for path in tree.rglob("*") if path.is_file()]
        (info / "RECORD").write_text(stage.record(tree, files, info / "RECORD"))
        name = f"routh-{version()}-{stage.python_tag()}-{platform}.whl"
        # RECORD last, as the specification of wheels recommends; no times of today, so that equal files make equal wheels.
        ordered = sorted(tree.rglob("*"), key=lambda path: (path.parent == info, path == info / "RECORD", str(path)))
        with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
            for path in ordered:
                if path.is_file():
                    entry = zipfile.ZipInfo(path.relative_to(tree).as_posix(), (1980, 1, 1, 0, 0, 0))
                    entry.external_attr = (path.stat().st_mode & 0o777 | 0o100000) << 16
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    wheel.writestr(entry, path.read_bytes())
    return name


def source_files():
    """What git has; outside of a repository, as in an unpacked tarball, all but what a build leaves behind."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, stdout=subprocess.PIPE).stdout
        return sorted(ROOT / name.decode() for name in listed.split(b"\0") if name)
    return sorted(path for path in ROOT.rglob("*") if not NOT_SOURCES.intersection(path.relative_to(ROOT).parts))


def build_sdist(sdist_directory, config_settings=None):
    top = f"routh-{version()}"
    with open(pathlib.Path(sdist_directory) / f"{top}.tar.gz", "wb") as raw, \
            gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
        with tempfile.TemporaryDirectory() as work:
            about = pathlib.Path(work) / "PKG-INFO"
            about.write_text(stage.metadata_text(version()), encoding="utf-8")
            for path, name in [*((path, str(path.relative_to(ROOT))) for path in source_files()), (about, "PKG-INFO")]:
                if not (path.is_file() or path.is_symlink()):
                    continue
                entry = tar.gettarinfo(path, f"{top}/{name}")
                entry.uid = entry.gid = entry.mtime = 0
                entry.uname = entry.gname = "root"
                if entry.isreg():
                    with open(path, "rb") as content:
                        tar.addfile(entry, content)
                else:
                    tar.addfile(entry)
    return f"{top}.tar.gz"
