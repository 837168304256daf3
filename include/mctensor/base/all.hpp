// The base layer: files, the floating-point environment, pointers to functions, text for XML, names
// of enumeration values, numbers in texts, checks of positions, zip archives.
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
