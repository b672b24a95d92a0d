#include "selfplay/bench_positions.h"

namespace cannonade {
namespace {

constexpr std::string_view kJanggi[] = {
    "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1",
    "rnba2bn1/5a3/4kc1c1/p2pp3R/6p2/7P1/PP1P1BP2/RC1N3C1/3K1A3/1B1A2N2 w - - 0 1",
    "1bn3R2/3Rak3/1c5c1/1p1p3p1/1C7/2P6/1P2PB3/2C1K4/4NAr2/1B7 w - - 0 1",
    "1nb1kabn1/9/1c2a2cr/3p2p1p/8r/2P6/P5P1P/1C3N1C1/N3AA3/4RK1BR w - - 0 1",
    "2b1a2b1/4k4/2na3C1/rp1Np1pp1/p8/8P/P1P1P4/3K3CR/N3AA3/2B4B1 w - - 0 1",
    "1b1aka1b1/3n5/7c1/1p2p1p2/c2p5/9/2P1PP3/RC5CR/4A4/1BNKA1B2 w - - 0 1",
    "3a2bn1/9/3ka2B1/3r5/1p7/3R5/PN1P5/6pN1/3c1K3/1B2A4 w - - 0 1",
    "9/4k4/9/1N7/9/9/9/9/1R4R2/N2A1K3 w - - 0 1",
    "3n1k3/2Ca5/5a3/3p5/p7b/6p2/9/9/5K3/4A1B2 w - - 0 1",
    "3a5/3k5/5a1P1/9/9/2p6/5b3/3A5/9/4BKN2 w - - 0 1",
    "9/3k5/4c4/9/9/R3c4/9/9/4K4/9 w - - 0 1",
    "B8/3C5/4k4/9/9/5R3/9/4AK3/9/9 w - - 0 1",
    "4k4/9/9/9/9/9/9/3K5/9/4Ap3 w - - 0 1",
};

constexpr std::string_view kXiangqi[] = {
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "rnba1a3/4k4/4b4/p1p3p2/4p3p/P8/1c6c/N2CBr3/R8/2BAK2R1 w - - 0 1",
    "r1bCkabnr/9/5c3/pcp1p1p1p/9/9/P1P1P1P1P/7C1/4K4/RNBA1ABNR w - - 0 1",
    "1Cbakabnr/9/r6c1/p1p1p1p1p/9/2P6/P3P1c1P/9/7C1/RNBAKABNR w - - 0 1",
    "rnbakabnr/9/6c2/p3p1pCp/1Cp6/9/P1P1P1P1P/4B4/9/RN1AKABcR w - - 0 1",
    "2bakabr1/8r/9/p1p1p1p1p/9/2c1P4/P5P1P/R4A3/8R/1NBAK1B2 w - - 0 1",
    "1rbakab2/9/6n2/1P3cC2/2p6/9/2r3P2/8B/4A4/1NB1K3R w - - 0 1",
    "3k1a1nr/7r1/8b/p7p/2p1p4/2B1P4/c1P5p/5C3/9/2B1K4 w - - 0 1",
    "3a1ab1r/1r2k4/4b2Cn/p1p1p1p1p/9/6Pc1/P1P1P3P/9/9/2BA1KB1R w - - 0 1",
    "1nba5/4k4/9/p7p/2p1Crp2/9/P1P1P1P1P/9/4A4/RNBAK1B2 w - - 0 1",
    "5k3/6n2/b8/9/2b6/9/9/3K5/9/3r5 w - - 0 1",
    "5k3/9/9/9/9/N8/9/3KB4/4A4/9 w - - 0 1",
    "9/5k3/5a3/9/4P4/6B2/9/3A5/3K5/9 w - - 0 1",
};

}  // namespace

std::span<const std::string_view> bench_positions(Game game) {
  if (game == Game::kJanggi) return kJanggi;
  return kXiangqi;
}

}  // namespace cannonade
