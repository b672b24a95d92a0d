#include "selfplay/progress.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace cannonade {
namespace {

constexpr std::chrono::milliseconds kRedraw{250};
constexpr std::chrono::seconds kLineEvery{60};
constexpr int kUsualWidth = 80;
constexpr int kBarWidth = 30;

int terminal_width(std::FILE* out) {
  winsize size{};
  if (::ioctl(::fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return size.ws_col;
}

// So many characters of UTF-8 at most.
void cut_to_width(std::string* line, int width) {
  int characters = 0;
  for (std::size_t i = 0; i < line->size(); ++i) {
    const bool begins = (static_cast<unsigned char>((*line)[i]) & 0xC0) != 0x80;
    if (begins && ++characters > width) {
      line->resize(i);
      return;
    }
  }
}

double share_done(const ProgressState& state) {
  if (state.planned == 0) return 1;
  return std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.planned));
}

double seconds_left(const ProgressState& state) {
  if (state.done >= state.planned) return 0;
  if (state.played == 0) return -1;
  return static_cast<double>(state.planned - state.done) / state.games_per_second();
}

std::string rate_text(const ProgressState& state) {
  const double rate = state.games_per_second();
  return rate >= 1 || rate == 0 ? fmt::format("{:.1f} games/s", rate)
                                : fmt::format("{:.1f} games/min", 60 * rate);
}

std::string score_text(const ProgressState& state) {
  std::string text = fmt::format("{} +{} ={} -{}", state.who, state.counts.wins, state.counts.draws,
                                 state.counts.losses);
  if (state.statistics && state.statistics->games > 0) {
    text +=
        fmt::format("   Elo {:+.1f} +- {:.1f}", state.statistics->elo, state.statistics->elo_error);
  }
  if (state.sprt) {
    text += fmt::format("   LLR {:.2f} ({:.2f}, {:.2f})", state.sprt->llr, state.sprt->lower,
                        state.sprt->upper);
    if (state.sprt->verdict != Verdict::kContinue) {
      text += fmt::format(" {}", name_of(state.sprt->verdict));
    }
  }
  return text;
}

std::string endings_text(const ProgressState& state) {
  std::vector<std::pair<std::uint64_t, std::string_view>> endings;
  for (std::size_t i = 0; i < state.endings.size(); ++i) {
    if (state.endings[i] > 0) {
      endings.emplace_back(state.endings[i], reason_name(static_cast<Reason>(i)));
    }
  }
  std::stable_sort(endings.begin(), endings.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  words.reserve(endings.size());
  for (const auto& [count, name] : endings) words.push_back(fmt::format("{} {}", name, count));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  constexpr double kLongest = 1e9;
  const long long whole = std::llround(std::min(seconds, kLongest));
  const long long days = whole / 86'400;
  const long long hours = whole / 3'600 % 24;
  const long long minutes = whole / 60 % 60;
  if (days > 0) return fmt::format("{} d {} h", days, hours);
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::vector<std::string> progress_block(const ProgressState& state, int width) {
  const double share = share_done(state);
  const auto filled = static_cast<std::size_t>(std::lround(share * kBarWidth));
  std::vector<std::string> lines{
      state.title,
      fmt::format("[{}{}] {:5.1f} %  {}/{} games  {}  ETA {}", std::string(filled, '#'),
                  std::string(kBarWidth - filled, '-'), 100 * share, state.done, state.planned,
                  rate_text(state), duration_text(seconds_left(state))),
      score_text(state)};
  const std::string endings = endings_text(state);
  if (!endings.empty()) lines.push_back(endings);
  for (std::string& line : lines) cut_to_width(&line, width);
  return lines;
}

std::string progress_line(const ProgressState& state) {
  std::string line =
      fmt::format("{}: {}/{} games ({:.1f} %), {}, ETA {}, {}", state.title, state.done,
                  state.planned, 100 * share_done(state), rate_text(state),
                  duration_text(seconds_left(state)), score_text(state));
  const std::string endings = endings_text(state);
  return endings.empty() ? line : line + ", " + endings;
}

ProgressPrinter::ProgressPrinter(bool quiet, std::FILE* out)
    : style_(quiet                          ? ProgressStyle::kQuiet
             : ::isatty(::fileno(out)) != 0 ? ProgressStyle::kLive
                                            : ProgressStyle::kLines),
      out_(out) {}

void ProgressPrinter::show(const ProgressState& state) {
  if (style_ == ProgressStyle::kQuiet) return;
  const auto now = Clock::now();
  if (!last_) {
    last_ = now;
    if (style_ == ProgressStyle::kLines) return;
  } else if (now - *last_ < (style_ == ProgressStyle::kLive
                                 ? std::chrono::duration_cast<Clock::duration>(kRedraw)
                                 : std::chrono::duration_cast<Clock::duration>(kLineEvery))) {
    return;
  }
  last_ = now;
  draw(state);
}

void ProgressPrinter::finish(const ProgressState& state) {
  if (style_ != ProgressStyle::kLive) return;
  draw(state);
  lines_on_screen_ = 0;
  last_.reset();
}

void ProgressPrinter::draw(const ProgressState& state) {
  std::string text;
  if (style_ == ProgressStyle::kLive) {
    // Up to the block's first line and clear to the end of the screen.
    if (lines_on_screen_ > 0) text += fmt::format("\x1b[{}F\x1b[J", lines_on_screen_);
    const std::vector<std::string> lines = progress_block(state, terminal_width(out_));
    lines_on_screen_ = lines.size();
    for (const std::string& line : lines) text += line + "\n";
  } else {
    text = progress_line(state) + "\n";
  }
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
}

}  // namespace cannonade
