#!/usr/bin/env python3
"""Lays the headers that the library is compiled with in a folder, from PyPI: where no system package has them.

usage: headers.py FOLDER

Boost, nlohmann-json and xsimd come as packages of PyPI, the same for every processor. Images in which wheels are built
have an old Boost and none of the others (pyproject.toml, tool.cibuildwheel). With FOLDER in CMAKE_PREFIX_PATH the
project finds them as it finds those of a distribution.

Exit codes: 0 laid, 1 a package cannot be had or has no such headers, 2 bad usage.
"""
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

#: package of PyPI, the folder of headers in its wheel, and its name among ours (pythran has xsimd within it)
PACKAGES = (("boost-headers==1.85.0.post1", "boost_headers/include/boost/", "boost"),
            ("nlohmann-json==3.12.0", "nlohmann_json/include/nlohmann/", "nlohmann"),
            ("pythran==0.19.0", "pythran/xsimd/", "xsimd"))

#: nlohmann-json's users ask for its CMake package, which that of PyPI lacks
CONFIG = """add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
set_target_properties(nlohmann_json::nlohmann_json PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR}/../../../include")
"""
VERSION = """set(PACKAGE_VERSION @)
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
"""


def lay(wheel, inside, folder):
    """The number of files below `inside` of the wheel, which are now in the folder."""
    count = 0
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith(inside) and not name.endswith(("/", ".py")):
                path = folder / name[len(inside):]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))
                count += 1
    return count


def fetched(requirement, folder):
    """The wheel of a package, or None."""
    words = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--only-binary=:all:", "--dest", folder]
    if subprocess.run([*words, requirement], check=False).returncode:
        return None
    return next(Path(folder).glob("*.whl"), None)


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    prefix = Path(arguments[0]).resolve()
    for requirement, inside, name in PACKAGES:
        with tempfile.TemporaryDirectory() as folder:
            wheel = fetched(requirement, folder)
            if not wheel or not lay(wheel, inside, prefix / "include" / name):
                print(f"headers.py: {requirement}: {'no ' + inside if wheel else 'cannot be had'}", file=sys.stderr)
                return 1
        if name == "nlohmann":
            cmake = prefix / "share" / "cmake" / "nlohmann_json"
            cmake.mkdir(parents=True, exist_ok=True)
            (cmake / "nlohmann_jsonConfig.cmake").write_text(CONFIG, "utf-8")
            version = VERSION.replace("@", requirement.split("==")[1])
            (cmake / "nlohmann_jsonConfigVersion.cmake").write_text(version, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
