# shellcheck shell=bash disable=SC2034
# Sourced by run, test and bench: installs what is missing, configures and builds.
# Everything here talks on stderr, so that the output of ./run is the program's alone.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)

build_packages=(
  g++ cmake ninja-build                                      # compiler and build
  libeigen3-dev                                              # linear algebra
  libfmt-dev libcli11-dev                                    # text and command line
  libyaml-cpp-dev nlohmann-json3-dev libsimdjson-dev         # problem files and streams
  libdsdp-dev libblas-dev liblapack-dev gfortran             # semidefinite programs
  libhdf5-dev                                                # runs on disk
  libtbb-dev                                                 # studies on all cores
  libcairo2-dev fonts-dejavu-core zlib1g-dev                 # pictures as PNG and PDF, and a font for them
)
# bash, the shell of these scripts, is essential on Debian; python3 runs checks and tests of the program.
test_packages=(libgtest-dev clang libclang-rt-dev clang-format-14 python3 python3-markdown-it pkg-config gcc)
# Other engines: measured against by ./bench, compared with by ./test; both go on without them.
engine_packages=(libmujoco-dev libsimbody-dev libsiconos-numerics-dev libsiconos-kernel-dev libbullet-dev libfcl-dev)
# Open MPI: studies over many machines by routh-mpi; everything else does without it.
mpi_packages=(libopenmpi-dev openmpi-bin)
# Node.js builds the page of reports; the program does without it where it is missing. A browser tests the page.
page_packages=(nodejs npm)
# The Python package, which the build does without where they are missing, and what tests it.
python_packages=(python3-dev pybind11-dev python3-numpy)
python_test_packages=(python3-pytest mypy python3-matplotlib)
browser_packages=(chromium)
# Compiles the engine of pages that compute (0.8 GB): ./run --play and ./test.
engine_compiler_packages=(emscripten)
# tools/make_packages, and tools/check_packages, which makes bare systems.
packaging_packages=(dpkg-dev patchelf binutils gzip python3-markdown-it)
package_check_packages=(lintian debootstrap)

say() { printf '==> %s\n' "$*" >&2; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Sets the array `missing` to those of the given packages that are not installed.
find_missing() {
  local package known
  missing=()
  # dpkg-query fails when one of them is unknown; what it prints about the others still counts.
  known=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    if ! grep -qxF -- "$package installed" <<<"$known"; then missing+=("$package"); fi
  done
}

# apt_get ARGUMENT...: as root, directly or through sudo. The caller has checked that one of the two is possible.
apt_get() {
  if [[ $(id -u) -eq 0 ]]; then
    DEBIAN_FRONTEND=noninteractive apt-get "$@" >&2
  else
    sudo env DEBIAN_FRONTEND=noninteractive apt-get "$@" >&2
  fi
}

have_package_lists() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

# try_install PURPOSE PACKAGE...: installs what is missing. Returns 1, with the reason in `reason`, when it cannot.
try_install() {
  local purpose=$1 missing=()
  shift
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    reason="there is no apt-get here to look for the packages needed ($purpose): $*"
    return 1
  fi
  find_missing "$@"
  if [[ ${#missing[@]} -eq 0 ]]; then return 0; fi

  if [[ $(id -u) -ne 0 ]] && ! command -v sudo >/dev/null; then
    reason="missing packages ($purpose): ${missing[*]}; installing them needs root or sudo"
    return 1
  fi
  say "installing ($purpose): ${missing[*]}"
  have_package_lists || apt_get update || true
  if apt_get install -y --no-install-recommends "${missing[@]}"; then return 0; fi
  say "that failed; fetching fresh package lists and trying once more"
  if apt_get update && apt_get install -y --no-install-recommends "${missing[@]}"; then return 0; fi
  reason="apt-get could not install ($purpose): ${missing[*]}; its messages stand above"
  return 1
}

# need PURPOSE PACKAGE...: installs what is missing, or ends with a sentence that says what to do.
need() {
  local reason=""
  try_install "$@" || die "$reason.
Install them by hand and start again; with the libraries from elsewhere, build by \`cmake --preset release\`."
}

# Node.js with npm, if they can be had. One that came from elsewhere may hold npm: then Debian's would get in its way.
want_node() {
  local reason=""
  if command -v node >/dev/null && command -v npm >/dev/null; then return 0; fi
  try_install "to build the page of reports, optional" "${page_packages[@]}" ||
    say "going on without the page of reports (\`routh report\`, \`--html\`): $reason"
}

# want_python [PACKAGE...]: what the Python package is built with, and further packages, if they can be had.
want_python() {
  local reason=""
  try_install "for the Python package, optional" "${python_packages[@]}" "$@" ||
    say "going on without the Python package, or without its tests: $reason"
}

# A browser to test the page in, if it can be had.
want_browser() {
  local reason=""
  if command -v chromium >/dev/null; then return 0; fi
  try_install "to test the page of reports, optional" "${browser_packages[@]}" ||
    say "going on without tests of the page in a browser: $reason"
}

# Open MPI, if it can be had.
want_mpi() {
  local reason=""
  try_install "for studies over many machines, optional" "${mpi_packages[@]}" ||
    say "going on without routh-mpi: $reason"
}

# The compiler of pages that compute, if it can be had.
want_emscripten() {
  local reason=""
  if command -v em++ >/dev/null; then return 0; fi
  try_install "to compile the engine of pages that compute, optional" "${engine_compiler_packages[@]}" ||
    say "going on without pages that compute (\`routh play\`): $reason"
}

# configure PRESET [CMAKE-ARGUMENT...]: shows CMake's messages only when it fails.
configure() {
  local preset=$1 log
  shift
  log="$root/build/$preset-configure.log"
  mkdir -p "$root/build"
  if ! (cd "$root" && cmake --preset "$preset" "$@") >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
}

# build PRESET [TARGET...]: every target when none is named.
build() {
  local preset=$1
  shift
  say "building (preset $preset)"
  # An empty page is one that npm failed to build: try again.
  find "$root/build/$preset/apps" -maxdepth 1 -name page.html -size 0 -delete 2>/dev/null || true
  (cd "$root" && cmake --build --preset "$preset" --parallel "$jobs" ${1:+--target "$@"}) >&2
}

# Whether the tests can be configured: ./run and ./bench do not install GoogleTest, but keep the tests where it is.
tests_possible() {
  local missing=()
  find_missing libgtest-dev python3
  if [[ ${#missing[@]} -eq 0 ]]; then echo ON; else echo OFF; fi
}
