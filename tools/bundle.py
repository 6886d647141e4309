"""Makes programs and modules independent of the machine that built them: copies the shared libraries they need beside
them, lets them look there, and collects the licences. Needs Debian's patchelf and binutils, and dpkg-query, which knows
whose library it is. Used by tools/make_archive and python/routh_backend.py."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

# The C library is the system's: what is asked of it is a version, which lowest_glibc() finds.
SYSTEM = re.compile(r"^(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|mvec))\.so(\.\d+)*$")
# What every Python process shares with all the modules in it: two of these in one process get into each other's way.
OF_PYTHON = re.compile(r"^lib(stdc\+\+|gcc_s)\.so(\.\d+)*$")


class BundleError(Exception):
    """Something that cannot be bundled, with what to do about it."""


def run(*command):
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8").stdout
    except FileNotFoundError as error:
        raise BundleError(f"{command[0]} is not installed: install patchelf and binutils") from error
    except subprocess.CalledProcessError as error:
        raise BundleError(f"{' '.join(map(str, command))}: {error.stderr.strip()}") from error


def shared_libraries(binary, stays):
    """Name → path of every library that `binary` loads, directly or not, but for those that stay the system's."""
    found = {}
    for line in run("ldd", binary).splitlines():
        match = re.match(r"\s*(\S+) => (\S+|not found)", line)
        if not match or stays(match.group(1)):
            continue
        if not match.group(2).startswith("/"):
            raise BundleError(f"{binary} needs {match.group(1)}, which is not on this machine")
        found[match.group(1)] = pathlib.Path(match.group(2))
    return found


def needed(binary):
    return run("patchelf", "--print-needed", binary).split()


def bundle(binaries, folder, for_python=False):
    """Copies what the binaries load into `folder` and lets them, and the copies, look there. Returns name → path of the
    originals. In a Python process another module may bring a library of the same name: there the copies have names of
    their own."""
    def stays(name):
        return bool(SYSTEM.match(name) or for_python and OF_PYTHON.match(name))

    libraries = {}
    for binary in binaries:
        libraries.update(shared_libraries(binary, stays))
    folder.mkdir(parents=True, exist_ok=True)
    names = {}
    for name, path in sorted(libraries.items()):
        names[name] = name
        if for_python:
            stem, _, rest = name.partition(".so")
            names[name] = f"{stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}.so{rest}"
        copy = folder / names[name]
        shutil.copyfile(path.resolve(), copy)
        copy.chmod(0o755)
    for binary in [folder / name for name in names.values()] + list(binaries):
        # One change a call: patchelf 0.14 mixes up the names of several.
        wanted = []
        for name in needed(binary):
            wanted.append(names.get(name, name))
            if wanted[-1] != name:
                run("patchelf", "--replace-needed", name, wanted[-1], str(binary))
        if binary.parent == folder:
            run("patchelf", "--set-soname", binary.name, str(binary))
        # Of the libraries a binary loads, each looks for its own where it stands itself.
        place = os.path.relpath(folder, binary.parent)
        origin = "$ORIGIN" if place == "." else f"$ORIGIN/{place}"
        run("patchelf", "--set-rpath", origin, str(binary))
        if sorted(needed(binary)) != sorted(wanted) or run("patchelf", "--print-rpath", binary).strip() != origin:
            raise BundleError(f"patchelf did not write what it was told to into {binary}")
    return libraries


def lowest_glibc(binaries):
    """The least version (major, minor) of the GNU C library that has all that the binaries ask of it."""
    versions = set()
    for binary in binaries:
        for version in re.findall(r"\(?GLIBC_(\d+)\.(\d+)", run("objdump", "-T", str(binary))):
            versions.add((int(version[0]), int(version[1])))
    if not versions:
        raise BundleError("no binary asks anything of the GNU C library: is this Linux with glibc?")
    return max(versions)


def copy_licences(libraries, folder):
    """Copies the copyright file of every package that a library came from to folder/PACKAGE, and returns the table of
    the libraries as text."""
    rows = []
    for name, path in sorted(libraries.items()):
        # dpkg knows files by the path they were unpacked to, /lib being a link to /usr/lib since.
        for candidate in dict.fromkeys([str(path), str(path.resolve()), re.sub("^/usr/", "/", str(path.resolve()))]):
            try:
                owner = run("dpkg-query", "--search", candidate).split(":")[0]
                break
            except BundleError:
                owner = ""
        if not owner:
            raise BundleError(f"no package of this machine has {path}: its licence is unknown; build on plain Debian")
        licence = pathlib.Path("/usr/share/doc") / owner / "copyright"
        if not licence.is_file():
            raise BundleError(f"{licence} is missing: reinstall the package {owner}")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(licence, folder / owner)
        version = run("dpkg-query", "--show", "--showformat=${Version}", owner)
        rows.append(f"{name:32} {owner:24} {version}")
    return "\n".join(rows) + "\n"
