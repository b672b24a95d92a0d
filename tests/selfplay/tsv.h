// Reads the tab-separated tables of worked examples in the tests' data folder.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/files.h"

namespace cannonade::test {

using Row = std::vector<std::string>;

inline Row split(const std::string& line, char separator) {
  Row fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

// Rows in order, the header first; comments (#) and empty lines left out.
inline std::vector<Row> read_tsv(const std::string& name) {
  std::istringstream in(read_file(std::string(CANNONADE_TEST_DATA) + "/" + name).value_or_throw());
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line[0] != '#') rows.push_back(split(line, '\t'));
  }
  if (rows.empty()) throw std::runtime_error(name + " is empty");
  return rows;
}

}  // namespace cannonade::test
