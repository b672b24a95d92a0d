// A row of a file that may come from a stranger, read as what it must be: inside of the store.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace cannonade {

// A column as what it must be. `where` names file and record in the message.
class Columns {
 public:
  Columns(SQLite::Statement& row, const std::function<std::string()>& where)
      : row_(row), where_(where) {}

  [[nodiscard]] std::int64_t integer(int i, std::int64_t low, std::int64_t high,
                                     std::string_view what) const {
    const SQLite::Column column = row_.getColumn(i);
    if (!column.isInteger() || column.getInt64() < low || column.getInt64() > high) {
      refuse(fmt::format("its {} cannot be", what));
    }
    return column.getInt64();
  }
  void text(int i, std::size_t longest, std::string_view what, std::string& into) const {
    const SQLite::Column column = row_.getColumn(i);
    if (!column.isText() || static_cast<std::size_t>(column.getBytes()) > longest) {
      refuse(fmt::format("its {} is missing or too long", what));
    }
    into.assign(column.getText(), static_cast<std::size_t>(column.getBytes()));
  }
  [[nodiscard]] std::string text(int i, std::size_t longest, std::string_view what) const {
    std::string value;
    text(i, longest, what, value);
    return value;
  }
  // Valid until the next step.
  [[nodiscard]] std::span<const std::uint8_t> blob(int i, std::size_t longest,
                                                   std::string_view what) const {
    const SQLite::Column column = row_.getColumn(i);
    if (!column.isBlob() || static_cast<std::size_t>(column.getBytes()) > longest) {
      refuse(fmt::format("its {} are missing or too long", what));
    }
    return {static_cast<const std::uint8_t*>(column.getBlob()),
            static_cast<std::size_t>(column.getBytes())};
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw user_error(fmt::format("{}: {}", where_(), why));
  }

 private:
  SQLite::Statement& row_;
  const std::function<std::string()>& where_;
};

}  // namespace cannonade
