"""A hierarchy in the hyperbolic plane: training, neighbours, a picture.

usage: embed_hierarchy.py [EDGES [PICTURE]]   (a list "child parent")
"""
import sys

from mctensor import embed

animals = [("dog", "canine"), ("wolf", "canine"), ("canine", "carnivore"), ("cat", "feline"),
           ("lion", "feline"), ("feline", "carnivore"), ("carnivore", "mammal"), ("horse", "mammal"),
           ("mammal", "animal"), ("eagle", "bird"), ("owl", "bird"), ("bird", "animal")]

edges = sys.argv[1] if len(sys.argv) > 1 else animals
embedding = embed.fit(edges, dim=2, seed=1, epochs=None if len(sys.argv) > 1 else 300)
report = embedding.evaluate()
print(f"{len(embedding)} nodes, mean rank {report['mean_rank']:.2f}, "
      f"mean average precision {report['mean_average_precision']:.3f}")
name = "dog" if edges is animals else embedding.names[0]
for other, distance in embedding.nearest(name, 3):
    print(f"{name} - {other}: {distance:.3f}")
if len(sys.argv) > 2:
    embedding.write_svg(sys.argv[2])
