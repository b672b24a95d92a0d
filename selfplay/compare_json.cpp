// What a comparison tells, for programs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selfplay/compare.h"
#include "selfplay/session_json.h"

namespace cannonade {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson interval_json(const Interval& interval) {
  return OrderedJson::array({interval.low, interval.high});
}

OrderedJson arm_json(const ArmFigures& arm) {
  const std::uint64_t games = arm.games();
  const Interval score = score_interval(arm.cho);
  const Interval draws = wilson_interval(arm.cho.draws, games);
  const auto rate = [&](std::uint64_t count) {
    return games == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(games);
  };
  OrderedJson json{{"rules", arm.rules.id},
                   {"games", games},
                   {"wins", arm.cho.wins},
                   {"draws", arm.cho.draws},
                   {"losses", arm.cho.losses},
                   {"first_score", arm.cho.score()},
                   {"first_score_interval", interval_json(score)},
                   {"draw_rate", rate(arm.cho.draws)},
                   {"draw_rate_interval", interval_json(draws)},
                   {"mean_plies", rate(arm.plies)}};
  OrderedJson endings = OrderedJson::object();
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (arm.ending(reason) > 0) endings[std::string(reason_name(reason))] = arm.ending(reason);
  }
  json["endings"] = endings;
  json["mates"] = {{"cho", arm.mates[0]}, {"han", arm.mates[1]}};
  json["point_wins"] = {{"cho", arm.point_wins[0]}, {"han", arm.point_wins[1]}};
  return json;
}

OrderedJson difference_json(const PairedDifference& difference) {
  OrderedJson json{{"first", difference.first},
                   {"second", difference.second},
                   {"difference", difference.difference},
                   {"low", nullptr},
                   {"high", nullptr},
                   {"error", nullptr},
                   {"distinguishable", difference.distinguishable()},
                   {"pairs", difference.values},
                   {"openings", difference.openings},
                   {"pairs_needed", nullptr}};
  if (difference.spread) {
    json["low"] = difference.spread->interval.low;
    json["high"] = difference.spread->interval.high;
    json["error"] = difference.spread->error;
  }
  if (!difference.distinguishable()) {
    if (const auto needed = difference.values_needed()) json["pairs_needed"] = *needed;
  }
  return json;
}

OrderedJson figures_json(const PairedFigures& figures) {
  OrderedJson json = OrderedJson::object();
  for (std::size_t i = 0; i < kMeasures; ++i) {
    OrderedJson figure = difference_json(figures[i].difference);
    if (const auto& test = figures[i].mcnemar) {
      figure["mcnemar"] = {{"only_first", test->only_first},
                           {"only_second", test->only_second},
                           {"chi_squared", test->chi_squared},
                           {"exact_p", test->exact_p},
                           {"mid_p", test->mid_p}};
    }
    if (const auto& test = figures[i].signs) {
      figure["sign_test"] = {{"positive", test->positive},
                             {"negative", test->negative},
                             {"zero", test->zero},
                             {"p", test->p}};
    }
    json[std::string(measure_key(static_cast<Measure>(i)))] = std::move(figure);
  }
  return json;
}

OrderedJson differences_json(const Differences& differences) {
  OrderedJson json = OrderedJson::object();
  for (std::size_t i = 0; i < kMeasures; ++i) {
    json[std::string(measure_key(static_cast<Measure>(i)))] = difference_json(differences[i]);
  }
  return json;
}

OrderedJson level_json(const LevelEndings& level) {
  return {{"games", level.games},
          {"to_cho", level.cho},
          {"to_han", level.han},
          {"still_level", level.level},
          {"by_bonus_alone", level.by_bonus}};
}

OrderedJson margins_json(const MarginCounts& counts) {
  OrderedJson json = OrderedJson::array();
  for (const auto& [margin, games] : counts.margins) json.push_back({margin, games});
  return json;
}

OrderedJson rescored_json(const StrengthComparison& strength) {
  const WinnerChanges& winners = strength.winners;
  return {{"first_score", strength.rescored.score()},
          {"first_score_interval", interval_json(score_interval(strength.rescored))},
          {"by_rule", difference_json(strength.by_rule)},
          {"by_play", difference_json(strength.by_play)},
          {"level_endings", level_json(strength.level_rescored)},
          {"level_endings_played", level_json(strength.level_played)},
          {"margins", margins_json(strength.kja.margins)},
          {"margins_played", margins_json(strength.point_count.margins)},
          {"winner_changes",
           {{"games", winners.games},
            {"changed", winners.changed},
            {"explained_by_rescoring", winners.explained},
            {"changed_by_rescoring", winners.rescored},
            {"undone_by_play", winners.undone},
            {"changed_by_play", winners.by_play},
            {"same_play", winners.same_play}}}};
}

OrderedJson cross_json(const StrengthComparison& strength) {
  OrderedJson json = OrderedJson::object();
  for (std::size_t k = 0; k < kReasons; ++k) {
    OrderedJson row = OrderedJson::object();
    for (std::size_t p = 0; p < kReasons; ++p) {
      if (strength.endings[k][p] == 0) continue;
      row[std::string(reason_name(static_cast<Reason>(p)))] = strength.endings[k][p];
    }
    if (!row.empty()) json[std::string(reason_name(static_cast<Reason>(k)))] = std::move(row);
  }
  return json;
}

OrderedJson number_or_null(const std::optional<double>& number) {
  return number ? OrderedJson(*number) : OrderedJson();
}

OrderedJson bonus_json(const BonusCurve& bonus) {
  OrderedJson curve = OrderedJson::array();
  for (const BonusScore& point : bonus.curve) {
    curve.push_back({{"bonus", point.rule.bonus()},
                     {"class", point.rule.name()},
                     {"games", point.cho.games()},
                     {"first_score", point.score},
                     {"low", point.interval.low},
                     {"high", point.interval.high}});
  }
  OrderedJson json{
      {"value", nullptr},
      {"error", nullptr},
      {"low", number_or_null(bonus.crossing_low)},
      {"high", number_or_null(bonus.crossing_high)},
      {"band", OrderedJson::array({number_or_null(bonus.low), number_or_null(bonus.high)})},
      {"class", bonus.curve[bonus.fair].rule.name()},
      {"class_score", bonus.curve[bonus.fair].score}};
  if (bonus.crossing) {
    json["value"] = bonus.crossing->value;
    json["error"] = bonus.crossing->error;
  }
  json["curve"] = std::move(curve);
  return json;
}

OrderedJson fair_bonus_json(const BonusFigures& figures) {
  const BonusCurve* answer = figures.answer();
  if (answer == nullptr) return {{"value", nullptr}, {"low", nullptr}, {"high", nullptr}};
  OrderedJson json = bonus_json(*answer);
  json.erase("curve");
  json["by"] = figures.by_replay() ? "replay" : "rescoring";
  const auto add = [&](const char* key, const std::optional<BonusCurve>& bonus) {
    json[key] = bonus ? bonus_json(*bonus) : OrderedJson();
  };
  add("replay", figures.replayed);
  add("rescoring", figures.rescored_point_count);
  add("rescoring_kja", figures.rescored_kja);
  return json;
}

OrderedJson estimate_json(const Estimate& estimate) {
  const Interval interval = estimate.interval();
  return {{"value", estimate.value}, {"low", interval.low}, {"high", interval.high}};
}

OrderedJson words_json(const std::vector<std::size_t>& set_ups) {
  OrderedJson json = OrderedJson::array();
  for (const std::size_t set_up : set_ups) json.push_back(set_up_word(set_up));
  return json;
}

OrderedJson mix_json(const std::vector<double>& mix) {
  OrderedJson json = OrderedJson::object();
  for (std::size_t i = 0; i < mix.size(); ++i) json[set_up_word(i)] = mix[i];
  return json;
}

OrderedJson cells_json(const SetupCells& cells) {
  OrderedJson json = OrderedJson::array();
  for (std::size_t han = 0; han < cells.han(); ++han) {
    for (std::size_t cho = 0; cho < cells.cho(); ++cho) {
      const Trinomial& cell = cells.at(han, cho);
      json.push_back({{"han", set_up_word(han)},
                      {"cho", set_up_word(cho)},
                      {"games", cell.games()},
                      {"first_score", cell.games() > 0 ? OrderedJson(cell.score()) : OrderedJson()},
                      {"interval", interval_json(score_interval(cell))}});
    }
  }
  return json;
}

OrderedJson setups_json(const SetUpFigures& setups) {
  OrderedJson json{{"rules", rules_of(setups.rules).id},
                   {"table", cells_json(setups.cells)},
                   {"pooled", cells_json(setups.pooled)},
                   {"mirror_check",
                    {{"chi_squared", setups.mirror.chi_squared},
                     {"degrees", setups.mirror.degrees},
                     {"p", setups.mirror.p}}},
                   {"han_first", nullptr},
                   {"cho_first", nullptr},
                   {"simultaneous", nullptr}};
  if (setups.game) {
    const SetupGame& game = *setups.game;
    const SequentialGame& han = game.han_first;
    const SequentialGame& cho = game.cho_first;
    json["han_first"] = {{"declaration", set_up_word(han.declaration)},
                         {"answers", words_json(han.answers)},
                         {"value", han.value},
                         {"not_excluded", words_json(setups.han_left)}};
    json["cho_first"] = {{"declaration", set_up_word(cho.declaration)},
                         {"answers", words_json(cho.answers)},
                         {"value", cho.value},
                         {"not_excluded", words_json(setups.cho_left)}};
    json["simultaneous"] = {{"value", game.simultaneous.value},
                            {"han", mix_json(game.simultaneous.rows)},
                            {"cho", mix_json(game.simultaneous.columns)}};
    json["worth_of_choosing_last"] = {{"cho", game.cho_gains_by_last()},
                                      {"han", game.han_gains_by_last()}};
    OrderedJson answers = OrderedJson::object();
    for (std::size_t i = 0; i < kSetUps; ++i) {
      answers[set_up_word(i)] = words_json(setups.answers_left[i]);
    }
    json["answers_not_excluded"] = std::move(answers);
  }
  json["honest"] = nullptr;
  if (setups.honest) {
    json["honest"] = {{"han_first", estimate_json(setups.honest->han_first)},
                      {"cho_first", estimate_json(setups.honest->cho_first)},
                      {"simultaneous", estimate_json(setups.honest->simultaneous)}};
  }
  return json;
}

OrderedJson strength_json(const StrengthComparison& strength) {
  OrderedJson json{{"nodes", strength.nodes},
                   {"kja", arm_json(strength.kja)},
                   {"point_count", arm_json(strength.point_count)},
                   {"difference", figures_json(strength.figures)},
                   {"rescored", rescored_json(strength)},
                   {"cross_table", cross_json(strength)},
                   {"fair_bonus", fair_bonus_json(strength.bonus)}};
  if (strength.crossed) {
    json["crossed"] = {
        {"rules_for_kja_players", differences_json(strength.crossed->rules_for_kja_players)},
        {"rules_for_count_players", differences_json(strength.crossed->rules_for_count_players)},
        {"players_under_kja", differences_json(strength.crossed->players_under_kja)},
        {"players_under_count", differences_json(strength.crossed->players_under_count)}};
  }
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const CompareResult& result) {
  const Comparison& comparison = result.comparison;
  const StrengthComparison& last = comparison.last();
  OrderedJson json{{"nodes", last.nodes}};
  const OrderedJson main = strength_json(last);
  for (const char* key : {"kja", "point_count", "difference", "rescored", "fair_bonus"}) {
    json[key] = main.at(key);
  }
  OrderedJson setups = OrderedJson::array();
  for (const SetUpFigures& each : comparison.setups) setups.push_back(setups_json(each));
  json["setups"] = std::move(setups);
  OrderedJson strengths = OrderedJson::array();
  for (const StrengthComparison& strength : comparison.strengths) {
    strengths.push_back(strength_json(strength));
  }
  json["strengths"] = std::move(strengths);
  json["trend"] = comparison.trend ? differences_json(*comparison.trend) : OrderedJson();
  json["rows"] = comparison.rows;
  json["void_rows"] = comparison.void_rows;
  json["engines"] = result.engines;
  add_session(json, result);
  return json;
}

}  // namespace cannonade
