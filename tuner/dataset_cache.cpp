#include "tuner/dataset_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

#include "core/base/files.h"
#include "selfplay/parallel_loop.h"

namespace cannonade {
namespace {

static_assert(std::endian::native == std::endian::little, "the columns are written as they lie");

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr char kMagic[9] = "CNDROWS1";

struct Header {
  char magic[8] = {};
  std::uint32_t version = kDatasetCacheVersion;
  std::uint32_t block_bytes = kBlockBytes;
  std::uint64_t text_bytes = 0;
  std::uint64_t atoms = 0;
  std::uint64_t entries = 0;
  std::uint64_t rows = 0;
  std::uint64_t samples = 0;
  std::uint64_t max_phase = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t reserved[6] = {};
  std::uint64_t fingerprint = 0;
};
static_assert(sizeof(Header) == 128);

constexpr std::size_t kFingerprinted = sizeof(Header) - sizeof(std::uint64_t);

std::size_t blocks_of(std::size_t bytes) {
  return bytes / kBlockBytes + (bytes % kBlockBytes != 0 ? 1 : 0);
}

// The payload's columns in order, each with the number of its elements that the header gives.
template <class Columns, class Visit>
void for_each_column(Columns& c, const Header& h, Visit visit) {
  visit(c.atoms, h.atoms);
  visit(c.entries, h.entries);
  visit(c.row_begin, h.rows + 1);
  visit(c.phase_begin, h.max_phase + 2);
  visit(c.key, h.rows);
  visit(c.offset, h.rows);
  visit(c.scale, h.rows);
  visit(c.sample_begin, h.rows + 1);
  visit(c.samples, h.samples);
}

std::string to_text(const DatasetColumns& c) {
  return nlohmann::json{{"names", c.features.names},
                        {"group", c.features.group},
                        {"group_names", c.features.group_names},
                        {"origin", c.origin}}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::uint64_t> block_fingerprints(std::string_view payload) {
  std::vector<std::uint64_t> table(blocks_of(payload.size()));
  parallel_loop(std::size_t{0}, table.size(), [&](std::size_t block) {
    table[block] = fingerprint(payload.substr(block * kBlockBytes, kBlockBytes));
  });
  return table;
}

std::uint64_t header_fingerprint(std::string_view file, std::size_t blocks) {
  std::string bytes(file.substr(0, kFingerprinted));
  bytes += file.substr(sizeof(Header), blocks * sizeof(std::uint64_t));
  return fingerprint(bytes);
}

template <class T>
void append(std::string& out, const T* data, std::size_t count) {
  const std::size_t bytes = count * sizeof(T);
  if (bytes == 0) return;
  const std::size_t place = out.size();
  out.resize(place + bytes);
  std::memcpy(out.data() + place, data, bytes);
}

// What is wrong with the header of a file of `size` bytes, or nothing.
std::string fault(const Header& h, std::size_t size) {
  if (std::memcmp(h.magic, kMagic, sizeof h.magic) != 0) return "it is not a row cache";
  if (h.version != kDatasetCacheVersion || h.block_bytes != kBlockBytes) {
    return fmt::format("it has version {}, this program reads version {}", h.version,
                       kDatasetCacheVersion);
  }
  // Every count is bounded by the file's size first, so that the products below cannot overflow.
  for (const std::uint64_t count :
       {h.text_bytes, h.atoms, h.entries, h.rows, h.samples, h.max_phase, h.payload_bytes}) {
    if (count > size) return "it is truncated or its header is damaged";
  }
  std::uint64_t payload = h.text_bytes;
  for_each_column(
      static_cast<const DatasetColumns&>(DatasetColumns{}), h,
      [&](const auto& column, std::uint64_t count) { payload += count * sizeof(column[0]); });
  const std::uint64_t expected =
      sizeof(Header) + blocks_of(payload) * sizeof(std::uint64_t) + payload;
  if (payload != h.payload_bytes) return "its header is damaged: the sizes do not add up";
  if (expected != size) {
    return fmt::format("it has {} bytes where its header says {}: {}", size, expected,
                       size < expected ? "truncated" : "something follows its end");
  }
  return {};
}

Expected<Dataset> parse(std::string_view file) {
  Header h;
  if (file.size() < sizeof h) return Failure{"it is truncated: shorter than its header"};
  std::memcpy(&h, file.data(), sizeof h);
  if (std::string wrong = fault(h, file.size()); !wrong.empty()) return Failure{std::move(wrong)};
  const std::size_t blocks = blocks_of(h.payload_bytes);
  if (header_fingerprint(file, blocks) != h.fingerprint) return Failure{"its header is damaged"};
  const std::string_view payload = file.substr(file.size() - h.payload_bytes);
  const std::vector<std::uint64_t> found = block_fingerprints(payload);
  for (std::size_t block = 0; block < blocks; ++block) {
    std::uint64_t stated = 0;
    std::memcpy(&stated, file.data() + sizeof h + block * sizeof stated, sizeof stated);
    if (stated != found[block]) {
      return Failure{fmt::format("it is damaged in the 1 MiB after byte {}",
                                 file.size() - payload.size() + block * kBlockBytes)};
    }
  }
  DatasetColumns c;
  try {
    const auto text = nlohmann::json::parse(payload.substr(0, h.text_bytes));
    c.features.names = text.at("names").get<std::vector<std::string>>();
    c.features.group = text.at("group").get<std::vector<std::uint16_t>>();
    c.features.group_names = text.at("group_names").get<std::vector<std::string>>();
    c.origin = text.at("origin").get<std::string>();
  } catch (const nlohmann::json::exception& e) {
    return Failure{fmt::format("its list of features cannot be read: {}", e.what())};
  }
  c.max_phase = static_cast<std::uint16_t>(std::min<std::uint64_t>(h.max_phase, UINT16_MAX));
  std::size_t place = h.text_bytes;
  for_each_column(c, h, [&](auto& column, std::uint64_t count) {
    column.resize(count);
    const std::size_t bytes = count * sizeof(column[0]);
    if (bytes != 0) std::memcpy(static_cast<void*>(column.data()), payload.data() + place, bytes);
    place += bytes;
  });
  return Dataset::make(std::move(c));
}

}  // namespace

void write_dataset_cache(const std::filesystem::path& path, const Dataset& dataset) {
  const DatasetColumns& c = dataset.columns();
  const std::string text = to_text(c);
  Header h;
  std::memcpy(h.magic, kMagic, sizeof h.magic);
  h.text_bytes = text.size();
  h.atoms = c.atoms.size();
  h.entries = c.entries.size();
  h.rows = dataset.rows();
  h.samples = dataset.samples();
  h.max_phase = c.max_phase;
  h.payload_bytes = text.size();
  for_each_column(c, h, [&](const auto& column, std::uint64_t) {
    h.payload_bytes += column.size() * sizeof(column[0]);
  });
  const std::size_t blocks = blocks_of(h.payload_bytes);
  const std::size_t begin = sizeof h + blocks * sizeof(std::uint64_t);
  std::string file;
  file.reserve(begin + h.payload_bytes);
  file.resize(begin);
  append(file, text.data(), text.size());
  for_each_column(
      c, h, [&](const auto& column, std::uint64_t) { append(file, column.data(), column.size()); });
  const auto table = block_fingerprints(std::string_view(file).substr(begin));
  std::memcpy(file.data(), &h, sizeof h);
  if (blocks != 0) std::memcpy(file.data() + sizeof h, table.data(), blocks * sizeof table[0]);
  h.fingerprint = header_fingerprint(file, blocks);
  std::memcpy(file.data(), &h, sizeof h);
  write_file_atomically(path, file);
}

Expected<Dataset> read_dataset_cache(const std::filesystem::path& path, std::size_t max_bytes) {
  const Expected<std::string> file = read_file(path, max_bytes);
  if (!file) return Failure{file.error()};
  Expected<Dataset> parsed = parse(*file);
  if (!parsed) return Failure{fmt::format("{}: {}", path.string(), parsed.error())};
  return parsed;
}

}  // namespace cannonade
