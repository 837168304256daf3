// Files, the floating-point environment, text for XML, numbers in texts, positions in lists.
#pragma once

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/environment.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/base/markup.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/base/require_index.hpp"
