// Functions that are called through a pointer, as a smaller std::function. A std::function can also
// be copied, and a program can read its target. For this the compiler makes some fifteen functions
// for each lambda; they take most of the time to compile a formula of one line. The types of this
// header need at most three functions.
#pragma once

#include <memory>
#include <type_traits>

namespace mct {

template <class Signature>
class FunctionRef;

/// Refers to the object that initializes it. That object must live as long as the FunctionRef. Use
/// it for arguments that a function calls but does not keep.
template <class R, class... Arguments>
class FunctionRef<R(Arguments...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_object_v<std::remove_reference_t<F>> &&
           std::is_invocable_r_v<R, F&, Arguments...>)
      // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): it takes no FunctionRef
      FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_(&call<std::remove_reference_t<F>>) {}

  R operator()(Arguments... arguments) const {
    return call_(object_, static_cast<Arguments&&>(arguments)...);
  }

 private:
  template <class F>
  static R call(void* object, Arguments... arguments) {
    return (*static_cast<F*>(object))(static_cast<Arguments&&>(arguments)...);
  }

  void* object_;
  R (*call_)(void*, Arguments...);
};

template <class Signature>
class OwnedFunction;

/// Holds a copy of the object that initializes it, on the heap. It can be moved, not copied. An
/// empty OwnedFunction must not be called.
template <class R, class... Arguments>
class OwnedFunction<R(Arguments...)> {
 public:
  OwnedFunction() = default;
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, OwnedFunction> &&
           std::is_invocable_r_v<R, std::decay_t<F>&, Arguments...>)
      // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): it takes no OwnedFunction
      OwnedFunction(F&& f)
      : object_(new std::decay_t<F>(static_cast<F&&>(f)), &destroy<std::decay_t<F>>),
        call_(&call<std::decay_t<F>>) {}

  explicit operator bool() const { return object_ != nullptr; }
  R operator()(Arguments... arguments) const {
    return call_(object_.get(), static_cast<Arguments&&>(arguments)...);
  }

 private:
  template <class F>
  static R call(void* object, Arguments... arguments) {
    return (*static_cast<F*>(object))(static_cast<Arguments&&>(arguments)...);
  }
  template <class F>
  static void destroy(void* object) {
    delete static_cast<F*>(object);
  }

  std::unique_ptr<void, void (*)(void*)> object_{nullptr, nullptr};
  R (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace mct
