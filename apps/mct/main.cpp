// The program `mct`.
#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "apps/mct/command.hpp"
#include "apps/mct/version.hpp"
#include "mctensor/base/environment.hpp"
#include "mctensor/error.hpp"

namespace {

constexpr int unusable = 2;

/// If a standard stream is closed, the next file that is opened would take its number (Linux takes
/// the lowest free one), and printed text would go to that file. So a closed stream is replaced by
/// one that cannot be written to, or read from, so that any attempt gives an error.
void hold_standard_streams() {
  for (const int stream : {0, 1, 2})
    if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) < 0)
      std::_Exit(unusable);
}

/// With a changed rounding mode, the suite would report a defect of every operation.
void check_machine() { mct::check_environment("mct"); }

/// Values of options in the usual form: {auto,tab} where CLI11 says ENUM:{auto,tab}, and FLOAT in
/// [0 - 1] where it says FLOAT:FLOAT in [0 - 1]. Exit codes are in the commands' own help, not in
/// lists of commands.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_subcommand(const CLI::App* command) const override {
    std::string about = command->get_description();
    about.erase(std::min(about.size(), about.find("Exit code:")));
    about.erase(about.find_last_not_of(" \n") + 1);
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true), about, column_width_);
    return out.str();
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string out = CLI::Formatter::make_option_opts(option);
    const std::size_t names = out.find("ENUM:{");
    if (names != std::string::npos) out.erase(names, 5);
    for (const std::string_view type : {"INT", "UINT", "FLOAT"})
      if (out.starts_with(fmt::format(" {0}:{0} in ", type))) out.erase(1, type.size() + 1);
    return out;
  }
};

/// The command as far as the command line was understood, such as "mct train gpt".
std::string command_path(const CLI::App& app) {
  std::string path = app.get_name();
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    path += ' ' + at->get_name();
  }
  return path;
}

int fail(const CLI::App& app, const std::string& message) {
  fmt::print(stderr, "{}: {}\n", command_path(app), message);
  return unusable;
}

/// Returns `exit_code` if all output was written.
int after_printing(const CLI::App& app, int exit_code) {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  const std::string reason = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
  return fail(app, "cannot write to the standard output" + reason);
}

int run(CLI::App& app, int argc, char** argv) {
  int exit_code = 0;
  mct::cli::add_commands(app, exit_code);
  app.footer(  // after the commands, which would inherit it
      "mct COMMAND --help has the options of a command, mostly with examples. Tutorials: "
      "docs/index.md.\n\n"
      "Examples:\n"
      "  mct validate --report report             check everything against MPFR: some minutes\n"
      "  mct embed taxonomy.csv -o out            points, a picture and a page of 'child parent' "
      "lines");
  app.parse_complete_callback(check_machine);  // --help works whatever the environment says
  try {
    mct::cli::require_known_command(app, argc, argv);
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    // --help and --version are not errors; all other exceptions of the parser are errors
    return app.exit(error) == 0 ? 0 : unusable;
  } catch (const mct::Error& error) {
    return fail(app, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(app, fmt::format("'{}': {}", error.path1().string(), error.code().message()));
  } catch (const std::system_error& error) {  // of fmt, if the buffer cannot be written
    if (std::ferror(stdout) != 0) return after_printing(app, unusable);
    return fail(app, error.what());
  } catch (const std::bad_alloc&) {
    return fail(app, "out of memory");
  } catch (const std::exception& error) {
    return fail(
        app, fmt::format("stopped by an error that is a defect of this program: {}", error.what()));
  } catch (...) {
    return fail(app, "stopped by an error that is a defect of this program");
  }
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  CLI::App app(
      "MCTensor: numbers that are sums of several floats, checked against MPFR; embeddings of "
      "hierarchies\nin hyperbolic space; training in 16 bits.",
      "mct");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.set_version_flag("--version", mct::cli::version_text());
  const int exit_code = after_printing(app, run(app, argc, argv));
  return exit_code;
}
