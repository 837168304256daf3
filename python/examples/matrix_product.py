"""The inverse of Hilbert's matrix, of which double precision has no digit left, with f64x2."""
import numpy as np

import mctensor as mct

n = 10
i = np.arange(n)
hilbert = 1 / mct.array(i[:, None] + i + 1, "f64x2")  # 106 bits of every quotient

# Newton's iteration for the inverse, from Pan and Reif's start
inverse = hilbert.T / (abs(hilbert).sum(axis=0).max() * abs(hilbert).sum(axis=1).max())
for _ in range(100):
    inverse = inverse @ (2 * mct.eye(n) - hilbert @ inverse)

print("f64x2: |H X - 1| =", float(np.linalg.norm(hilbert @ inverse - mct.eye(n))))
plain = hilbert.to_numpy()
print("double: |H X - 1| =", np.linalg.norm(plain @ np.linalg.inv(plain) - np.eye(n)))
print("an entry, which is a whole number:", inverse[4, 5].to_strings(25).item())
