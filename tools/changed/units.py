"""The compilations of a build, and which files of the project each of them sees."""
import hashlib
import json
import os
import re
import shlex
import subprocess
from pathlib import Path

# a header; the page that a generated source is from
NAMED = re.compile(r'^[ \t]*#[ \t]*(?:include|line[ \t]+\d+)[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
# where CMake compiles several sources as one (UNITY_BUILD)
JOINED = re.compile(r'^#include "([^"\n]+[.]cpp)"$', re.MULTILINE)
OUTPUT = re.compile(r"(?:^|/)CMakeFiles/([^/]+)\.dir/")
# how the build goes about it: precompiled headers, files of dependencies, colours
HABITS = {"-Winvalid-pch", "-fpch-preprocess", "-fdiagnostics-color", "-MD", "-MMD"}


class Unit:
    """One compilation: its source, the target that it belongs to, the compiler's words without source and result."""

    def __init__(self, root, entry, source):
        words = shlex.split(entry["command"])
        self.source = Path(entry["directory"], source).resolve()
        self.directory = entry["directory"]
        at = words.index("-o")
        self.target = OUTPUT.search(words[at + 1]).group(1)
        del words[at:at + 2]
        while "-include" in words:  # a precompiled header: without it a source must include what it uses
            at = words.index("-include")
            del words[at:at + 2]
        written = Path(entry["directory"], entry["file"])
        words = [w for w in words if w not in HABITS and w != "-c" and Path(entry["directory"], w) != written]
        options = next(i for i, word in enumerate(words) if word.startswith("-"))
        self.compiler, self.options = words[options - 1], words[options:]  # what stands before is a launcher
        self.path = Path(os.path.relpath(self.source, root))
        self.name = str(self.path if self.path.parts[0] not in ("..", "build") else Path(self.target, self.path.name))


def read_units(database, root):
    """The units of compile_commands.json; joined sources one by one."""
    for entry in json.loads(Path(database).read_text(encoding="utf-8")):
        path = Path(entry["directory"], entry["file"])
        if " -o " in entry["command"] and OUTPUT.search(entry["command"]):
            joined = JOINED.findall(path.read_text(encoding="utf-8")) if "Unity" in path.parts else []
            yield from (Unit(root, entry, source) for source in joined or [entry["file"]])


class Sources:
    """The project's files as text, and what each names."""

    def __init__(self, root, changed):
        self.root, self.changed = root, changed
        self.texts, self.names, self.steps, self.versions = {}, {}, {}, {}

    def text(self, path):
        if path not in self.texts:
            file = self.root / path
            self.texts[path] = file.read_text(encoding="utf-8") if file.is_file() else ""  # deleted
        return self.texts[path]

    def named(self, path):
        """The project's files that a file includes, those that the change has deleted with them."""
        if path not in self.names:
            found = self.names[path] = []
            for name in NAMED.findall(self.text(path)):
                for place in (path.parent, Path("include"), Path()):
                    target = Path(os.path.normpath(place / name))
                    if target in self.changed or (target.parts[0] != ".." and (self.root / target).is_file()):
                        found.append(target)
                        break
        return self.names[path]

    def seen(self, path):
        """{file: how many steps lead to it} of everything that a source sees, itself included."""
        if path not in self.steps:
            steps, waiting = {path: 0}, [path]
            for at in waiting:
                for target in self.named(at):
                    if target not in steps:
                        steps[target] = steps[at] + 1
                        waiting.append(target)
            self.steps[path] = steps
        return self.steps[path]

    def version(self, program):
        """What a compiler says of itself, and the one that nvcc uses."""
        if program not in self.versions:
            self.versions[program] = b"".join(
                subprocess.run([name, "--version"], capture_output=True, check=False).stdout for name in (program, "c++"))
        return self.versions[program]

    def content(self, unit, program, rules):
        """A hash of all that the outcome depends on, without the place of this copy of the project. Headers of other
        libraries are not read: after they are exchanged, --all."""
        digest = hashlib.sha256(self.version(program) + rules)
        digest.update("\0".join(unit.options).replace(str(self.root), "").encode())
        for path in sorted(self.seen(unit.path)):
            digest.update(f"\0{path}\0{self.text(path)}".encode())
        return digest.hexdigest()[:32]
