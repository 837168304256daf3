"""The modules of the package import each other in one direction."""
import ast
import graphlib
import pathlib
import re
import subprocess
import sys

PACKAGE = pathlib.Path(__file__).parents[1] / "mctensor"


def imported(path, names):
    """The modules of the package that a file imports, inside functions too."""
    folder = path.parent.relative_to(PACKAGE.parent).parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            module = ".".join([*folder[:len(folder) - node.level + 1], *filter(None, [node.module])])
            for name in [f"{module}.{alias.name}" for alias in node.names] + [module]:
                if name in names:
                    yield name


def test_no_module_imports_itself_through_others():
    files = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
             for path in PACKAGE.rglob("*.py")}
    # the package's own __init__ imports them all, and is what `from .` names beside a module
    graph = {name: {n for n in imported(path, files) if n != "mctensor"} for name, path in files.items()}
    assert graph["mctensor._numpy"] >= {"mctensor._array", "mctensor.linalg", "mctensor._functions"}
    assert "mctensor.optim" in graph["mctensor.torch"]
    order = list(graphlib.TopologicalSorter(graph).static_order())
    assert order.index("mctensor._array") < order.index("mctensor._numpy") < order.index("mctensor")


def test_the_module_needs_neither_a_driver_nor_pytorch():
    done = subprocess.run([sys.executable, "-c", "import mctensor; print(open('/proc/self/maps').read())"],
                          capture_output=True, text=True, check=True)
    assert "_core" in done.stdout
    assert not re.search("libcuda|libnvidia|libtorch", done.stdout)
