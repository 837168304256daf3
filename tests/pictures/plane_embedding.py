"""Trees in the half-plane with all digits, as files that `mct draw` reads."""
import fractions
import json
import struct

Fraction = fractions.Fraction


def read_children(path):
    """The children of each node of a list of a closure: those with the most ancestors are lowest."""
    ancestors = {}
    for line in open(path, encoding="utf-8"):
        child, ancestor = line.rstrip("\n").split("\t")
        ancestors.setdefault(child, []).append(ancestor)
        ancestors.setdefault(ancestor, [])
    children = {node: [] for node in ancestors}
    for node, above in ancestors.items():
        if above:
            children[max(above, key=lambda a: len(ancestors[a]))].append(node)
    return children


def layout(children, root):
    """x and height of every node: a node stands over its interval, at a sixteenth of its width,
    which its children share as they have nodes below them, in 64 parts, so that numbers have few
    bits; an only child has a half. Of very many children the last stand beside it."""
    order = [root]
    for node in order:
        order.extend(children[node])
    size = {}
    for node in reversed(order):
        size[node] = 1 + sum(size[child] for child in children[node])
    interval = {root: (Fraction(-8), Fraction(16))}
    for node in order:
        left, width = interval[node]
        for child in children[node]:
            part = max(1, 64 * size[child] // (size[node] - 1))
            share = width * (Fraction(part, 64) if part < 64 else Fraction(1, 2))
            interval[child] = (left, share)
            left += share
    return {node: (left + width / 2, float(width / 16)) for node, (left, width) in interval.items()}


def components_of(x, count):
    parts = []
    for _ in range(count):
        parts.append(float(x))
        x -= Fraction(parts[-1])
    assert x == 0, "needs more components"
    return parts


def write(path, points, components=3):
    """Writes {name: (x, height)} as an xmc-half-space of two dimensions."""
    planes = [components_of(x, components) for x, _ in points.values()]
    coordinates = b"".join(
        struct.pack("<dd", parts[k], height if k == 0 else 0)
        for k in range(components)
        for parts, (_, height) in zip(planes, points.values()))
    text = "".join(name + "\n" for name in points).encode()
    text += b"\0" * (-len(text) % 8)
    header = json.dumps({
        "__metadata__": {"mctensor.embedding": "1", "model": "xmc-half-space", "dimensions": "2",
                         "components": str(components), "factors": "1", "radius": "1"},
        "coordinates": {"dtype": "F64", "shape": [components, len(points), 2],
                        "data_offsets": [0, len(coordinates)]},
        "names": {"dtype": "I64", "shape": [len(text) // 8],
                  "data_offsets": [len(coordinates), len(coordinates) + len(text)]},
    }).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + coordinates + text)


def write_mammals(data, embedding, edges, chain=100):
    """The mammals, a chain of nodes below the dog that goes log 2 and more down with each, which ends
    in two leaves, and a name that markup must not obey. Returns the points."""
    children = read_children(data / "wordnet_mammals.tsv")
    above = "dog.n.01"
    for k in range(chain):
        children[above].append(f"deep_{k}")
        above = f"deep_{k}"
        children[above] = []
    for name in ("deep_left", "deep_right", "</script><b a='\"'>&amp;"):
        children[above].append(name)
        children[name] = []
    points = layout(children, "mammal.n.01")
    write(embedding, points)
    with open(edges, "w", encoding="utf-8") as file:
        for parent, below in children.items():
            file.writelines(f"{child}\t{parent}\n" for child in below)
    return points
