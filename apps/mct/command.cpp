// The list of subcommands.
#include "apps/mct/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "apps/mct/spelling.hpp"
#include "mctensor/error.hpp"

namespace mct::cli {
namespace {

/// Made by the first entry: the order in which files are initialized is not known.
std::map<std::string, Command::Add>& entries() {
  static std::map<std::string, Command::Add> list;
  return list;
}

/// What a script passes for an unset variable must not mean "not given".
void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* const option : command.get_options())
    if (option->get_items_expected_max() > 0)
      option->check([](const std::string& value) { return value.empty() ? "it is empty" : ""; });
  for (CLI::App* const below : command.get_subcommands({})) refuse_empty_values(*below);
}

[[noreturn]] void unknown_command(const std::string& word, const CLI::App& parent) {
  constexpr std::size_t longest = 40;  // of what is repeated
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

Command::Command(const char* path, Add add) { entries().emplace(path, add); }

void add_commands(CLI::App& app, int& exit_code) {
  for (const auto& [path, add] : entries()) {  // "train" comes before "train gpt"
    const auto last_blank = path.rfind(' ');
    CLI::App* const parent =
        last_blank == std::string::npos ? &app : app.get_subcommand(path.substr(0, last_blank));
    add(*parent, exit_code);
  }
  refuse_empty_values(app);
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
