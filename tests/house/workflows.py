#!/usr/bin/env python3
"""Checks what can be checked without a network of .github/workflows, and of what they build (pyproject.toml).

usage: workflows.py ROOT

They are YAML without a key twice; every key is one that GitHub knows (which ignores no other, but refuses the file);
each job says where it runs and for how long at most, and depends on jobs that are there; what is in a matrix is used
by its name; actions are pinned to a commit, programs from PyPI to a version; every `./run` command and option, and
every file that cibuildwheel's settings name, exists; no address is named and no password. cibuildwheel begins with the
oldest Python that the package allows, and tries the oldest NumPy. The archive of the sources takes folders by their
place: a name alone would be found in build, too.

Exit codes: 0 no problem, 1 problems, 2 bad usage, 77 skipped: no PyYAML.
"""
import re
import sys
import tomllib
from pathlib import Path

try:
    import yaml
except ImportError:
    print("skipped: PyYAML not found (Debian: python3-yaml)")
    sys.exit(77)

WORKFLOW = {"name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs"}
JOB = {"name", "permissions", "needs", "if", "runs-on", "environment", "concurrency", "outputs", "env", "defaults",
       "steps", "timeout-minutes", "strategy", "continue-on-error", "container", "services"}
STEP = {"id", "if", "name", "uses", "run", "working-directory", "shell", "with", "env", "continue-on-error",
        "timeout-minutes"}
STRATEGY = {"matrix", "fail-fast", "max-parallel"}
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")


class Loader(yaml.SafeLoader):
    """Refuses a key that a mapping has already; `on` is no truth."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"{', '.join(sorted(twice))} twice", node.start_mark)
        return super().construct_mapping(node, deep)


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def unknown(where, mapping, known):
    if not isinstance(mapping, dict):
        return [f"{where}: no mapping"]
    return [f"{where}: unknown key '{key}'" for key in mapping if key not in known]


def texts(value):
    """All texts within a value of YAML or TOML."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return [str(value)]
    return [text for item in value for text in texts(item)]


def run_problems(root, text):
    """Commands `./run NAME --option` that the script does not have."""
    script = (root / "run").read_text("utf-8")
    commands = set(re.findall(r"^  ([a-z]+)\) shift", script, re.MULTILINE))
    found = []
    for name, options in re.findall(r"\./run ([\w-]+)((?: --[\w-]+)*)", text):
        body = re.search(rf"^command_{name}\(\) {{$(.*?)^}}$", script, re.MULTILINE | re.DOTALL)
        if name not in commands or not body:
            found.append(f"there is no ./run {name}")
            continue
        found += [f"./run {name} has no {option}" for option in options.split()
                  if not re.search(rf"(?<![\w-]){option}(?![\w-])", body.group(1))]
    return found


def step_problems(root, step):
    found = unknown("step", step, STEP)
    if ("uses" in step) == ("run" in step):
        found.append("step: neither or both of uses and run")
    if "uses" in step and not PINNED.fullmatch(str(step["uses"])):
        found.append(f"{step['uses']}: not pinned to a commit")
    command = str(step.get("run", ""))
    found += [f"{program}: not pinned to a version" for program in re.findall(r"pipx run (\S+)", command)
              if not re.fullmatch(r"[\w-]+==[\d.]+", program)]
    return found + run_problems(root, command)


def job_problems(root, job, others):
    found = unknown("job", job, JOB) + [f"no {key}" for key in ("runs-on", "timeout-minutes", "steps") if key not in job]
    needs = job.get("needs", [])
    found += [f"needs {name}, which is no job" for name in ([needs] if isinstance(needs, str) else needs)
              if name not in others]
    strategy = job.get("strategy", {})
    found += unknown("strategy", strategy, STRATEGY)
    matrix = strategy.get("matrix", {})
    known = {key for key in matrix if key not in ("include", "exclude")}
    known |= {key for row in matrix.get("include", []) for key in row}
    used = set(re.findall(r"matrix\.(\w+)", " ".join(texts(job))))
    found += [f"the matrix has no {name}" for name in sorted(used - known)]
    found += [f"nothing uses {name} of the matrix" for name in sorted(known - used)]
    return found + [problem for step in job.get("steps", []) for problem in step_problems(root, step)]


def workflow_problems(root, file):
    text = file.read_text("utf-8")
    try:
        workflow = yaml.load(text, Loader)
    except yaml.YAMLError as problem:
        return [f"no YAML: {problem}"]
    found = unknown("workflow", workflow, WORKFLOW) + [f"no {key}" for key in ("on", "jobs", "permissions")
                                                       if key not in workflow]
    if "secrets." in text or "password" in "".join(texts(workflow)):
        found.append("a password: publishing needs none")
    if "://" in text:
        found.append("names an address")
    jobs = workflow.get("jobs", {})
    if not isinstance(jobs, dict):
        return [*found, "jobs: no mapping"]
    return found + [f"{name}: {problem}" for name, job in jobs.items() for problem in job_problems(root, job, jobs)]


def wheel_problems(root):
    with open(root / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)
    settings = project["tool"]["cibuildwheel"]
    words = " ".join(texts(settings))
    found = [f"{path} does not exist" for path in re.findall(r"\{project\}/([\w./-]+)", words)
             if not (root / path).exists()]
    if "://" in words:
        found.append("names an address")
    sources = project["tool"]["scikit-build"]["sdist"]["include"]
    found += [f"sdist.include: no {name} in the top folder" for name in sources
              if not name.startswith("/") or not (root / name[1:]).exists()]
    found += [f"sdist.include: without {name}" for name in ("/pyproject.toml", "/CMakeLists.txt", "/LICENSE", "/README.md")
              if name not in sources]
    pythons = [int(minor) for minor in re.findall(r"cp3(\d+)-", " ".join(settings["build"]))]
    oldest = int(re.fullmatch(r">=3\.(\d+)", project["project"]["requires-python"]).group(1))
    stable = int(project["tool"]["scikit-build"]["wheel"]["py-api"].removeprefix("cp3"))
    if pythons != list(range(oldest, pythons[-1] + 1)) or stable not in pythons:
        found.append(f"builds for {pythons}, not from 3.{oldest} on and with 3.{stable}")
    promise = next(d.partition(">=")[2] for d in project["project"]["dependencies"] if d.startswith("numpy>="))
    tried = [text for row in settings.get("overrides", []) if row["select"] == f"cp3{oldest}-*"
             for text in row.get("test-requires", [])]
    if f"numpy=={promise}.0" not in tried:
        found.append(f"NumPy {promise}.0, the oldest promised, is not tried")
    return found


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0])
    files = sorted((root / ".github" / "workflows").glob("*.yml"))
    found = [f"{file.name}: {problem}" for file in files for problem in workflow_problems(root, file)]
    found += [f"pyproject.toml: {problem}" for problem in wheel_problems(root)]
    if [file.name for file in files] != ["tests.yml", "wheels.yml"]:
        found.append(f"workflows are {[file.name for file in files]}")
    print("\n".join([*found, f"{len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
