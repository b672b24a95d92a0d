#include "selfplay/run_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "core/base/files.h"

namespace cannonade {
namespace {

std::string identity(const RunInfo& run) {
  std::string text =
      fmt::format("command = {}\nrules = {}\nseed = {}\n", run.command, run.rules, run.seed);
  for (std::size_t i = 0; i < run.engines.size(); ++i) {
    text += fmt::format("engine {} = {} {}\n", i + 1, run.engines[i].name, run.engines[i].hash);
  }
  return text + run.settings;
}

std::map<std::string, std::string> by_key(const std::string& identity_text) {
  std::map<std::string, std::string> lines;
  for (std::size_t at = 0; at < identity_text.size();) {
    const std::size_t end = std::min(identity_text.find('\n', at), identity_text.size());
    const std::string line = identity_text.substr(at, end - at);
    const std::size_t equals = line.find(" = ");
    if (!line.empty()) {
      lines[line.substr(0, equals)] = equals == std::string::npos ? "set" : line.substr(equals + 3);
    }
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::uint64_t Shard::owned_below(std::uint64_t games) const {
  const std::uint64_t round = 2 * static_cast<std::uint64_t>(count);
  const std::uint64_t before = 2 * static_cast<std::uint64_t>(index - 1);
  const std::uint64_t rest = games % round;
  return games / round * 2 + (rest > before ? std::min<std::uint64_t>(rest - before, 2) : 0);
}

Expected<Shard> parse_shard(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  if (index.ec == std::errc() && index.ptr != end && *index.ptr == '/') {
    const auto count = std::from_chars(index.ptr + 1, end, shard.count);
    if (count.ec == std::errc() && count.ptr == end && shard.index >= 1 &&
        shard.index <= shard.count && shard.count <= kMaxShards) {
      return shard;
    }
  }
  return Failure{fmt::format("'{}' is not a shard I/N with 1 <= I <= N <= {}", text.substr(0, 40),
                             kMaxShards)};
}

std::string run_id(const RunInfo& run) {
  return fingerprint_hex(identity(run));
}

std::string run_differences(const RunInfo& there_run, const RunInfo& here_run) {
  const auto there = by_key(identity(there_run));
  const auto here = by_key(identity(here_run));
  std::vector<std::string> found;
  for (const auto& [key, value] : there) {
    const auto other = here.find(key);
    if (other == here.end()) {
      found.push_back(fmt::format("{} is {} there and not set here", key, value));
    } else if (other->second != value) {
      found.push_back(fmt::format("{} is {} there and {} here", key, value, other->second));
    }
  }
  for (const auto& [key, value] : here) {
    if (!there.contains(key)) {
      found.push_back(fmt::format("{} is not set there and {} here", key, value));
    }
  }
  constexpr std::size_t kNamed = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kNamed); ++i) {
    text += (i > 0 ? "; " : "") + found[i];
  }
  if (found.size() > kNamed) text += fmt::format("; and {} more", found.size() - kNamed);
  return text;
}

}  // namespace cannonade
