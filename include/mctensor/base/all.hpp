// Files, the floating-point environment, functions behind a pointer, text for XML, names of
// values, numbers in texts, positions in lists, zip archives.
#pragma once

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/byte_files.hpp"
#include "mctensor/base/environment.hpp"
#include "mctensor/base/functions.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/base/markup.hpp"
#include "mctensor/base/names.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/base/require_index.hpp"
#include "mctensor/base/text_lines.hpp"
#include "mctensor/base/zip_file.hpp"
