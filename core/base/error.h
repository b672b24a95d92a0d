// Errors. Two kinds cross the edges of the libraries and programs tell them apart: a user's mistake
// (bad input; exit 2) and a bug or a broken machine (exit 3).
//
// Parsers return Expected<T>: a value, or a Failure whose message names the place. Where a failure
// cannot be handled on the spot, `value_or_throw` turns it into the one exception type, Error.
#pragma once

#include <cassert>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace cannonade {

enum class ErrorKind {
  kUser,      // bad input: exit code 2
  kInternal,  // a bug, or the machine failed us (disk full, lost child): exit code 3
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

[[nodiscard]] inline Error user_error(const std::string& message) {
  return {ErrorKind::kUser, message};
}
[[nodiscard]] inline Error internal_error(const std::string& message) {
  return {ErrorKind::kInternal, message};
}

// Why a parser refused its input, in one line.
struct Failure {
  std::string message;
};

// A value or a Failure.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}            // NOLINT
  Expected(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}  // NOLINT

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  [[nodiscard]] const T& value() const {
    assert(has_value());
    return std::get<0>(state_);
  }
  [[nodiscard]] T& value() {
    assert(has_value());
    return std::get<0>(state_);
  }
  const T& operator*() const { return value(); }
  T& operator*() { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  [[nodiscard]] const std::string& error() const {
    assert(!has_value());
    return std::get<1>(state_).message;
  }

  // The value; a user error whose message starts with `context` otherwise.
  [[nodiscard]] T value_or_throw(const std::string& context = {}) && {
    if (!has_value()) throw user_error(context.empty() ? error() : context + ": " + error());
    return std::get<0>(std::move(state_));
  }

 private:
  std::variant<T, Failure> state_;
};

}  // namespace cannonade
