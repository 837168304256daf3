#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <regex>
#include <stdexcept>
#include <typeindex>
#include <utility>

#include "tests/cuda/ptx/from_ptx.hpp"

namespace mct::cuda::ptx {
namespace {

/// Null if it is not in the module.
const Entry* read_names(const Module& module, const std::type_info& program) {
  const std::string name = common_name(demangled(program.name()));
  const std::string kernel = "run_block<" + name + (name.ends_with('>') ? " >(" : ">(");
  for (const Entry& entry : module.entries)
    if (common_name(demangled(entry.name)).find(kernel) != std::string::npos) return &entry;
  return nullptr;
}

/// The same, of what was searched before without reading: each launch of a test asks.
const Entry* search_entry(const Module& module, const std::type_info& program) {
  static std::map<std::pair<const Module*, std::type_index>, const Entry*> known;
  const auto [at, is_new] = known.try_emplace({&module, program}, nullptr);
  if (is_new) at->second = read_names(module, program);
  return at->second;
}

}  // namespace

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return text ? text.get() : name;
}

std::string common_name(const std::string& name) {
  static const std::regex zeros(R"((, (\([\w:]+\)0|false))+\})");
  static const std::regex instruction_set(R"(\bisa_\w+::)");
  return std::regex_replace(std::regex_replace(name, zeros, "}"), instruction_set, "");
}

bool has_entry(const Module& module, const std::type_info& program) {
  return search_entry(module, program) != nullptr;
}

const Entry& find_entry(const Module& module, const std::type_info& program) {
  if (const Entry* entry = search_entry(module, program)) return *entry;
  throw std::runtime_error("not in the PTX: " + demangled(program.name()));
}

}  // namespace mct::cuda::ptx
