// Products through integers: all that the library has.
#include "cuda/linalg/residues.cu"
