// What the JSON of every run says of the session that printed it.
#pragma once

#include <nlohmann/json.hpp>

namespace cannonade {

// Adds seconds, games_per_second, played, planned, complete, run_id, and stored where a result has
// it.
template <class Result>
void add_session(nlohmann::ordered_json& json, const Result& result) {
  json["seconds"] = result.seconds;
  json["games_per_second"] =
      result.seconds > 0 ? static_cast<double>(result.played) / result.seconds : 0.0;
  json["played"] = result.played;
  if constexpr (requires { result.stored; }) json["stored"] = result.stored;
  json["planned"] = result.planned;
  json["complete"] = result.complete;
  json["run_id"] = result.run_id;
}

}  // namespace cannonade
