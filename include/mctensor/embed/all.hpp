// Trees and their embeddings.
#pragma once

#include "mctensor/embed/sarkar.hpp"
#include "mctensor/embed/tree.hpp"
