#!/usr/bin/env python3
"""Checks what can be checked without a network of the vcpkg port, the Conan recipe and CITATION.cff.

usage: recipes.py ROOT

They parse; what they need stands in them; every option of CMake that they set is one of cmake/MCTensorOptions.cmake
or a part of CMake; every source that the Conan recipe takes along exists.

Exit codes: 0 no problem, 1 problems, 2 bad usage.
"""
import ast
import json
import re
import sys
from pathlib import Path

OPTION = re.compile(r"^(?:option|set)\((MCT_[A-Z0-9_]+)\b", re.MULTILINE)
USED = re.compile(r"\bMCT_(?:BUILD|WITH|CCACHE|CUDA|KERNELS)[A-Z0-9_]*")
FIELDS = {"vcpkg.json": ("name", "version", "description", "license", "dependencies", "features"),
          "CITATION.cff": ("cff-version", "message", "title", "version", "license", "authors")}
CALLS = ("vcpkg_cmake_configure", "vcpkg_cmake_install", "vcpkg_cmake_config_fixup", "vcpkg_install_copyright")


def option_problems(root, path):
    known = set(OPTION.findall((root / "cmake" / "MCTensorOptions.cmake").read_text("utf-8")))
    used = set(USED.findall((root / path).read_text("utf-8")))
    found = [f"{path}: {name} is not an option" for name in sorted(used - known)]
    return found if used else [f"{path}: sets no option"]


def port_problems(root):
    folder = Path("packaging/vcpkg")
    port = json.loads((root / folder / "vcpkg.json").read_text("utf-8"))
    found = [f"vcpkg.json: no {name}" for name in FIELDS["vcpkg.json"] if name not in port]
    text = (root / folder / "portfile.cmake").read_text("utf-8")
    found += [f"portfile.cmake: does not call {call}" for call in CALLS if f"{call}(" not in text]
    features = set(re.findall(r"^  (\w+) MCT_WITH_\w+", text, re.MULTILINE))
    if features != set(port.get("features", {})):
        found.append(f"portfile.cmake has the features {sorted(features)}, vcpkg.json {sorted(port['features'])}")
    missing = set(port.get("default-features", [])) - set(port.get("features", {}))
    found += [f"vcpkg.json: no feature {name}" for name in sorted(missing)]
    return found + option_problems(root, folder / "portfile.cmake")


def recipe_problems(root):
    path = Path("packaging/conan/conanfile.py")
    tree = ast.parse((root / path).read_text("utf-8"))
    values = {n.targets[0].id: ast.literal_eval(n.value) for n in tree.body if isinstance(n, ast.Assign)}
    found = [f"{path}: {pattern} does not exist" for pattern in values["SOURCES"]
             if not any(root.glob(pattern))]
    recipe = next(n for n in tree.body if isinstance(n, ast.ClassDef))
    methods = {n.name for n in recipe.body if isinstance(n, ast.FunctionDef)}
    wanted = {"set_version", "export_sources", "requirements", "generate", "build", "package", "package_info"}
    found += [f"{path}: no method {name}" for name in sorted(wanted - methods)]
    return found + option_problems(root, path)


def citation_problems(root):
    names = re.findall(r"^([a-z-]+):", (root / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    return [f"CITATION.cff: no {name}" for name in FIELDS["CITATION.cff"] if name not in names]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0])
    found = port_problems(root) + recipe_problems(root) + citation_problems(root)
    print("\n".join([*found, f"{len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
