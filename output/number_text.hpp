// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace mct::output {

/// 24,000,000
std::string count_text(std::uint64_t count);

/// "12.3 s", "2 min 5 s"
std::string seconds_text(double seconds);

/// A number with one decimal and a true minus sign, for labels: "−106.0"; "exact", "infinite".
std::string log2_label(double log2);

}  // namespace mct::output
