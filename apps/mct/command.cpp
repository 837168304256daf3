// The list of subcommands.
#include "apps/mct/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apps/mct/spelling.hpp"
#include "mctensor/base/number_in.hpp"
#include "mctensor/error.hpp"

namespace mct::cli {
namespace {

/// Changes `value` to the form that CLI11 reads, if it is a whole number in decimal that T can
/// hold. Otherwise returns the reason why it is not.
template <class T>
std::string read_whole(std::string& value) {
  const auto number = number_in<T>(std::string_view(value).substr(value.starts_with('+')));
  if (!number)
    return fmt::format("{} is not a whole number from {} to {}", value,
                       std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  value = fmt::format("{}", *number);
  return {};
}

/// The same for an option of type `type`. An empty value is refused, because an unset variable of a
/// script must not mean "not given". CLI11 (2.1) by itself takes 010 for 8, -1 for 2^64 - 1 and
/// numbers that are too large for the largest, and lets NaN through all of its ranges.
std::string read_value(const std::string& type, std::string& value) {
  if (value.empty()) return "it is empty";
  if (type.starts_with("UINT")) return read_whole<std::uint64_t>(value);
  if (type.starts_with("INT")) return read_whole<std::int64_t>(value);
  if (!type.starts_with("FLOAT")) return {};
  const auto number = number_in<double>(std::string_view(value).substr(value.starts_with('+')));
  return number && !std::isnan(*number) ? "" : value + " is not a number";
}

/// Help shows the default, unless the description ends with a note on it in brackets: an enumerator
/// would be shown as a number, and an empty or zero value for "not given" would say nothing.
void show_default(CLI::Option& option) {
  if (option.get_description().ends_with(']')) return;
  option.capture_default_str();
  for (const char* const nothing : {"\"\"", "[]", "{}"})
    if (option.get_default_str() == nothing) option.default_str("");
}

void check_values(CLI::App& command) {
  for (CLI::Option* const option : command.get_options())
    if (option->get_items_expected_max() > 0) {
      show_default(*option);
      const std::string type = option->get_type_name();
      option->transform(CLI::Validator(  // before all other checks
          [type](std::string& value) { return read_value(type, value); }, std::string()));
    }
  for (CLI::App* const below : command.get_subcommands({})) check_values(*below);
}

[[noreturn]] void unknown_command(const std::string& word, const CLI::App& parent) {
  constexpr std::size_t longest = 40;  // of a word that is repeated
  std::vector<std::string> names;
  for (const CLI::App* const command : parent.get_subcommands({}))
    names.push_back(command->get_name());
  const std::string shown = word.substr(0, longest);
  const auto nearest =
      std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
        return edits_between(shown, a) < edits_between(shown, b);
      });
  const bool similar = edits_between(shown, *nearest) <= std::max<std::size_t>(2, shown.size() / 3);
  const std::string hint = similar ? fmt::format(" Did you mean '{}'?", *nearest) : "";
  throw DomainError(fmt::format("no command '{}'.{} There are {}.",
                                shown + (word.size() > longest ? "..." : ""), hint,
                                fmt::join(names, ", ")));
}

}  // namespace

/// The first entry makes the list, because the order in which files are initialized is not known.
std::map<std::string, Command::Add>& Command::entries() {
  static std::map<std::string, Add> list;
  return list;
}

Command::Command(const char* path, const Add& add) { entries().emplace(path, add); }

Command::Command(const char* path, void (*describe)(CLI::App&))
    : Command(path, [describe](CLI::App& command) {
        describe(command);
        command.require_subcommand(1);
        return Call();
      }) {}

void add_commands(CLI::App& app, int& exit_code) {
  for (const auto& [path, add] : Command::entries()) {  // "train" comes before "train gpt"
    const auto last_blank = path.rfind(' ');
    CLI::App* const parent =
        last_blank == std::string::npos ? &app : app.get_subcommand(path.substr(0, last_blank));
    CLI::App* const command = parent->add_subcommand(path.substr(last_blank + 1));
    if (const auto call = add(*command))
      command->callback([call, &exit_code] { exit_code = call(); });
  }
  check_values(app);
}

void require_known_command(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc && at->get_require_subcommand_min() > 0; ++i) {
    const std::string word = argv[i];
    if (word.starts_with('-')) return;  // an option: its value cannot be told from a command
    const auto named = at->get_subcommands([&](const CLI::App* c) { return c->check_name(word); });
    if (named.empty()) unknown_command(word, *at);
    at = named.front();
  }
}

}  // namespace mct::cli
