// Pictures of embeddings.
#pragma once

#include "mctensor/pictures/disk.hpp"
#include "mctensor/pictures/picture.hpp"
