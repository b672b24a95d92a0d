// Janggi's .gib text, the format of Korean programs: blocks of `[키 "값"]` lines, a blank line,
// numbered turns; several games in a file.
#pragma once

#include <string_view>

#include "core/base/error.h"
#include "core/board/ruleset.h"
#include "core/notation/told_game.h"

namespace cannonade {

// Reads the games of a file that was decoded to UTF-8 (core/notation/text.h); `rules` must be a
// janggi rule set and outlive the call. Whatever the text, it ends with games and remarks; a block
// that has no usable start, no turns or whose `[판]` cannot be read is left out with a remark.
// Comments in braces and words in angle brackets are ignored.
//
// Results: 초 or 한 and how it won. A full win (완승) that the board does not show is a
// resignation, a win on points (점수승) that the board does not show an adjudication by points.
ImportCounts read_gib(std::string_view utf8, const Ruleset& rules, const GameSink& sink);

}  // namespace cannonade
