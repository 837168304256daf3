"""Which files of a checkout differ from what others have: what a clean clone knows about its own past."""
import subprocess
from pathlib import Path

UPSTREAM = ("origin/HEAD", "origin/main", "main")


def git(root, *words):
    """What git says, or None where it refuses or is not there."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def commit(root, name):
    found = git(root, "rev-parse", "--verify", "--quiet", name + "^{commit}")
    return found.strip() if found else None


def base_of(root):
    """The commit to compare with: where this branch has left the upstream branch, or, on that branch itself, the first
    parent. None without history."""
    top = git(root, "rev-parse", "--show-toplevel")
    if top is None or Path(top.strip()).resolve() != root:
        return None  # an archive, unpacked in a folder of its own or in somebody's repository
    head = commit(root, "HEAD")
    upstream = next(filter(None, (commit(root, name) for name in UPSTREAM)), head)
    base = (git(root, "merge-base", "HEAD", upstream) or "").strip() if head else ""
    return base if base and base != head else commit(root, "HEAD^1")


def changed_files(root):
    """(base, the files whose text is another than there), deleted and new ones included; (None, None) without history,
    as in an archive or a clone of depth 1."""
    base = base_of(root)
    if base is None:
        return None, None
    names = git(root, "diff", "--name-only", "--no-renames", "-z", base, "--")
    new = git(root, "ls-files", "--others", "--exclude-standard", "-z")
    if names is None or new is None:
        return None, None
    return base, {Path(name) for name in (names + new).split("\0") if name}
