#include "mctensor/distributed/agreement.hpp"

#include <bit>
#include <set>
#include <span>
#include <string_view>

#include "mctensor/error.hpp"
#include "mctensor/version.h"

namespace mct::distributed {

namespace {

/// Names and values, each with a 0 byte after it.
std::string packed(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings)
    for (const std::string& word : {name, value}) {
      text += word.substr(0, word.find('\0'));
      text += '\0';
    }
  return text;
}

Settings unpacked(std::string_view text) {
  Settings settings;
  const auto next_word = [&] {
    const std::size_t end = text.find('\0');
    std::string word(text.substr(0, end));
    text.remove_prefix(end + 1);
    return word;
  };
  while (!text.empty()) {
    const std::string name = next_word();
    settings[name] = next_word();
  }
  return settings;
}

std::string value_of(const Settings& settings, const std::string& name) {
  const auto found = settings.find(name);
  return found == settings.end() ? "missing" : found->second;
}

/// The differences between the settings of a rank and of rank 0, without names that were listed
/// before.
std::string differences(const Settings& first, const Settings& other, std::size_t rank,
                        std::set<std::string>& told) {
  std::string text;
  Settings names = first;
  names.insert(other.begin(), other.end());
  for (const auto& [name, value] : names) {
    const std::string here = value_of(other, name);
    const std::string there = value_of(first, name);
    if (here == there || !told.insert(name).second) continue;
    if (!text.empty()) text += "; ";
    text += name;
    text += " is " + here;
    text += " on rank " + std::to_string(rank);
    text += " and " + there;
    text += " on rank 0";
  }
  return text;
}

}  // namespace

void require_agreement(Communicator& ranks, const Settings& settings) {
  const std::string own = packed(settings);
  const auto all = ranks.all_gather(std::span<const char>(own.data(), own.size()));
  const std::string_view text(all.values.data(), all.values.size());
  const Settings first = unpacked(text.substr(0, all.counts[0]));
  std::set<std::string> told;
  std::string message;
  std::size_t begin = 0;
  for (std::size_t r = 0; r < all.counts.size(); begin += all.counts[r++]) {
    const auto part = differences(first, unpacked(text.substr(begin, all.counts[r])), r, told);
    if (part.empty()) continue;
    message += (message.empty() ? "" : "; ") + part;
  }
  if (!message.empty()) throw DomainError("the processes differ: " + message);
}

Settings library_settings() {
  const bool is_little = std::endian::native == std::endian::little;
  return {{"version of MCTensor", MCT_VERSION},
          {"byte order", is_little ? "little" : "big"},
          {"bits of a double", std::to_string(8 * sizeof(double))},
          {"bits of a size", std::to_string(8 * sizeof(std::size_t))}};
}

}  // namespace mct::distributed
