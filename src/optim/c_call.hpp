// How functions of C call C++: no exception leaves them, and arguments are checked.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "mctensor/c_api.h"
#include "mctensor/error.hpp"
#include "mctensor/optim/strategy.hpp"

namespace mct::optim_detail {

/// What went wrong in the last call of this thread that failed, even where there is no memory for
/// the text.
void remember_error(const char* text) noexcept;

/// No exception may leave a C function.
template <class Work>
int guarded(const Work& work) noexcept {
  try {
    work();
    return MCT_OK;
  } catch (const MemoryError& error) {
    remember_error(error.what());
    return MCT_FAILED;
  } catch (const DeviceError& error) {
    remember_error(error.what());
    return MCT_NO_DEVICE;
  } catch (const Error& error) {
    remember_error(error.what());
    return MCT_BAD_ARGUMENT;
  } catch (const std::exception& error) {
    remember_error(error.what());
    return MCT_FAILED;
  }
}

template <class Enum>
Enum choice(int value, int count, const char* name) {
  if (value < 0 || value >= count)
    throw DomainError(std::string(name) + " " + std::to_string(value) + " is not from 0 to " +
                      std::to_string(count - 1));
  return Enum(value);
}

template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw DomainError(std::string(name) + " is null");
  return *pointer;
}

inline optim::Strategy strategy_given(const char* strategy) {
  return optim::strategy_from_name(&given(strategy, "strategy"));
}
inline optim::Format format_given(int format) { return choice<optim::Format>(format, 2, "format"); }

/// More than any list of tensors has; what is below it overflows no size in bytes.
inline constexpr std::int64_t most_structures = std::int64_t(1) << 40;

/// Throws DomainError naming the array of `count` structures unless 0 <= count <= most_structures,
/// and if it is null although it has some.
template <class T>
void require_array(const T* array, std::int64_t count, const char* name) {
  if (count < 0)
    throw DomainError("the number of " + std::string(name) + ", " + std::to_string(count) +
                      ", is negative");
  if (count > most_structures)
    throw DomainError("the number of " + std::string(name) + ", " + std::to_string(count) +
                      ", is above 2^40");
  if (count > 0) given(array, name);
}

}  // namespace mct::optim_detail
