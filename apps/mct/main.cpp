// The program `mct`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "apps/mct/command.hpp"
#include "apps/mct/version.hpp"
#include "mctensor/base/environment.hpp"
#include "mctensor/error.hpp"

namespace {

constexpr int unusable = 2;

/// Set when main() ends by itself.
bool ended = false;

/// OpenMP's runtime calls exit(1) where the system gives it no threads; but 1 is the code of a
/// violated bound.
void end_early() {
  if (ended) return;
  std::fputs("mct: the threads could not be started; OMP_NUM_THREADS chooses fewer\n", stderr);
  std::fflush(nullptr);
  std::_Exit(unusable);
}

/// The suite would call a changed rounding mode a defect of every operation.
void check_machine() { mct::check_environment("mct"); }

/// "mct train gpt", as far as the command line was understood.
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

int run(CLI::App& app, int argc, char** argv) {
  int exit_code = 0;
  mct::cli::add_commands(app, exit_code);
  app.parse_complete_callback(check_machine);  // --help works whatever the environment says
  try {
    mct::cli::require_known_command(app, argc, argv);
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    // --help and --version are not errors; everything else the command line can get wrong is
    return app.exit(error) == 0 ? 0 : unusable;
  } catch (const mct::Error& error) {
    return fail(app, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(app, fmt::format("'{}': {}", error.path1().string(), error.code().message()));
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
  std::atexit(end_early);
  CLI::App app("MCTensor: multi-component floating-point", "mct");
  app.require_subcommand(1);
  app.set_version_flag("--version", mct::cli::version_text());
  const int exit_code = run(app, argc, argv);
  ended = true;
  return exit_code;
}
