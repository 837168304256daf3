// The list of subcommands.
#include "apps/mct/command.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace mct::cli {
namespace {

/// Made by the first entry: the order in which files are initialized is not known.
std::map<std::string, Command::Add>& entries() {
  static std::map<std::string, Command::Add> list;
  return list;
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
}

}  // namespace mct::cli
