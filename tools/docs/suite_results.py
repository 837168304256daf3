"""What the precision suite has measured, by operation and type, from the JSON of `mct validate`."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "validation"))
from functions_page import DOMAINS, MEANINGS  # noqa: E402

# Functions whose name is not that of the suite's operation.
OPERATORS = {"operator+": "add", "operator-": "sub", "operator*": "mul", "operator/": "div"}
# A function that bears the name of another, by its header.
OVERLOADS = {"mctensor/math/hypot3.hpp": "hypot3"}
CORE = ("mctensor/eft/", "mctensor/expansion/", "mctensor/math/")
PRODUCTS = ("dot", "mv", "mm", "sum")


class SuiteResults:
    def __init__(self, path):
        data = json.loads(Path(path).read_text("utf-8"))
        if data.get("format") != "mctensor validation":
            raise ValueError(f"{path} is no result of `mct validate --json`")
        self.run = {key: data[key] for key in ("version", "compiler", "cpu", "seed", "checked_cases", "passed")}
        self.by_operation = {}
        for row in data["operations"]:
            self.by_operation.setdefault(row["operation"], []).append(row)

    def operation_of(self, declaration):
        """The suite's operation that measures a function, or None."""
        name = OVERLOADS.get(declaration.header) or OPERATORS.get(declaration.name, declaration.name)
        if name not in self.by_operation or declaration.kind != "function":
            return None
        expansions = declaration.header.startswith(CORE) and not declaration.scope.endswith("published")
        tensors = declaration.header.startswith("mctensor/linalg/") and name in PRODUCTS
        return name if expansions or tensors else None

    def domain(self, name):
        return DOMAINS.get(name)

    def meaning(self, name):
        return MEANINGS.get(name)

    def measured(self, name):
        """Rows (type, bound, largest error in the unit of the bound, cases)."""
        return [(row["type"], row["bound_text"], row["errors"]["max_error"], row["errors"]["cases"],
                 row["bound"]) for row in self.by_operation[name]]
