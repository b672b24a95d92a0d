// selfplay export: a store's games as PGN, EPD or CSV.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "selfplay/command_line.h"
#include "selfplay/commands.h"
#include "selfplay/export_games.h"

namespace cannonade {

int export_command(int argc, char** argv) {
  ExportOptions chosen;
  std::filesystem::path out;
  std::vector<std::string> stores;
  bool columns = false;
  bool wxf = false;
  bool plain = false;
  bool json = false;
  CommandLine line(
      "selfplay export",
      "Writes the games of a store in index order. PGN turns are UCI words, or columns:\n"
      "Korean for janggi (79졸78), Chinese for xiangqi (炮二平五). EPD has a line for every\n"
      "position of a game, with its result.",
      "selfplay export run.db --format pgn --out run.pgn --columns");
  line.add_operands("RUN.db", stores, 1);
  SettingsTable& options = line.options();
  options
      .add("format", chosen.format,
           {{"pgn", ExportFormat::kPgn}, {"epd", ExportFormat::kEpd}, {"csv", ExportFormat::kCsv}},
           "what to write")
      .required();
  options.add_path("out", out, "the file to write").required();
  options.add("columns", columns, "write PGN turns in the game's own columns");
  options.add("wxf", wxf, "write PGN turns of xiangqi as WXF (C2=5)");
  options.add("no_scores", plain, "leave the engines' scores out of PGN");
  options.add("json", json, "print one JSON object");
  if (!line.parse(argc, argv)) return 0;
  if (stores.size() != 1) throw user_error("export: one store at a time (merge joins several)");
  if ((columns || wxf) && chosen.format != ExportFormat::kPgn) {
    throw user_error("export: --columns and --wxf are for --format pgn");
  }
  if (columns && wxf) throw user_error("export: either --columns or --wxf");
  if (columns) chosen.style = MoveStyle::kColumns;
  if (wxf) chosen.style = MoveStyle::kWxf;
  chosen.scores = !plain;

  const Store store = Store::open_read_only(stores[0]);
  const std::uint64_t games = export_games(store, chosen, out);
  const std::uint64_t planned = store.run().shard.owned_below(store.run().games);
  if (json) {
    const nlohmann::ordered_json object{{"run", store.id()},
                                        {"games", games},
                                        {"planned", planned},
                                        {"complete", store.complete()},
                                        {"out", out.string()}};
    fmt::print("{}\n", object.dump());
    return 0;
  }
  fmt::print("{} games written to {}", games, out.string());
  if (games < planned) fmt::print(" ({} were planned)", planned);
  fmt::print("\n");
  return 0;
}

}  // namespace cannonade
