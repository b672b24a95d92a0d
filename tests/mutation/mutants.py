"""Faults that generators and judges of these games make, each as an edit of the source.

A row: what is wrong, the file, the text as it stands (once), the text that makes it wrong. run.py
makes each edit in a copy of the tree, builds the tests of the rules and names those that fail. A
row whose texts are None moves a rule before another (MOVES in run.py).
"""

G = 'core/board/generator.h'
A = 'core/board/attacks.cpp'
P = 'core/board/position.cpp'
M = 'core/board/movegen.cpp'
S = 'core/board/see.cpp'
H = 'core/game/history.cpp'
E = 'core/game/ending.cpp'

MUTANTS = [
    ('a cannon with nothing between forbids no point',G,'        result.to |= path;  // whoever steps in becomes the screen','        ;'),
    ("one's own cannon stepping in counts as a screen",G,'  if (p.at(move.from()).kind() == PieceKind::kCannon) cannons |= to;\n',''),
    ("the screen that moves away still stands",G,'  const Bitboard occupied = (p.occupied() & ~from) | to;','  const Bitboard occupied = p.occupied() | to;'),
    ('of two pieces between only the lower is bound',G,'      case 2:\n        result.from |= blockers;','      case 2:\n        result.from |= square_bit(blockers.first());'),
    ('of two pieces between one may take the other',G,'d.in_check || d.from.has(move.from()) ||','d.in_check || (d.from.has(move.from()) && !d.from.has(move.to())) ||'),
    ('two pieces between bind though none is looked at for being a cannon',G,'if (blockers.count() == 1 && (kGame == Game::kXiangqi || !(blockers & cannons))) return true;','if (blockers.count() == 1) return true;'),
    ('two pieces with a cannon among them bind nobody',G,'      case 2:\n        result.from |= blockers;','      case 2:\n        if (kGame == Game::kXiangqi || !(blockers & p.cannons())) result.from |= blockers;'),
    ('taking the cannon between makes no screen',G,'          result.to |= blockers;  // J13: taking the cannon in between makes the taker a screen','          ;'),
    ('a cannon behind a cannon gives check',G,'if (kGame == Game::kXiangqi || !(blockers & p.cannons())) {\n          result.in_check','if (true) {\n          result.in_check'),
    ('the xiangqi general binds nobody',G,'  if constexpr (kGame == Game::kXiangqi) chariots |= p.pieces(kEnemy, PieceKind::kGeneral);  // X11\n  for (Bitboard b = chariots & view.here.lines; b;) over','  for (Bitboard b = chariots & view.here.lines; b;) over'),
    ('generals may step to face each other in xiangqi',G,'  if constexpr (kGame == Game::kXiangqi) chariots |= p.pieces(kEnemy, PieceKind::kGeneral);  // X11\n  for (Bitboard b = chariots & view.here.lines & remaining','  for (Bitboard b = chariots & view.here.lines & remaining'),
    ("a horse's leg does not bind",G,'    over(view.horse_path[b.pop()]);','    if ((view.horse_path[b.pop()] & occupied).empty()) result.in_check = true;'),
    ("an elephant's points do not bind",G,'      over(view.elephant_path[b.pop()]);','      if ((view.elephant_path[b.pop()] & occupied).empty()) result.in_check = true;'),
    ("only the elephant's first point is looked at",A,'view.elephant_path[from] = square_bit(leap.leg) | square_bit(leap.eye);','view.elephant_path[from] = square_bit(leap.leg);'),
    ("only the elephant's second point is looked at",A,'view.elephant_path[from] = square_bit(leap.leg) | square_bit(leap.eye);','view.elephant_path[from] = square_bit(leap.eye);'),
    ('a bound piece may not take the attacker',G,'  return !attacked<kGame, ~kSide>(p, view, occupied, cannons, ~to);','  return !attacked<kGame, ~kSide>(p, view, occupied, cannons, kFullBoard);'),
    ('the general hides behind itself',G,'(p.occupied() & ~square_bit(p.general(kSide))) | square_bit(to)','p.occupied() | square_bit(to)'),
    ('a protected piece next to the general may be taken',G,'  return !attacked<kGame, ~kSide>(p, general_view(kGame, to)','  if (!p.at(to).empty()) return true;\n  return !attacked<kGame, ~kSide>(p, general_view(kGame, to)'),
    ('a cannon taken by the general still screens nothing',G,'(p, general_view(kGame, to), occupied, p.cannons(),','(p, general_view(kGame, to), occupied, Bitboard{},'),
    ('palace diagonals carry no check',A,'        (game == Game::kJanggi && diagonal.has(from))) {','        false) {'),
    ('a cannon in the palace centre is a screen',G,'if (occupied.has(centre) && !cannons.has(centre) && cannon_targets.has(corner)) {','if (occupied.has(centre) && cannon_targets.has(corner)) {'),
    ('a chariot passes the palace centre',G,'if (centre != kNoSquare && occupied.has(centre)) diagonal = square_bit(centre);\n        for','for'),
    ('legs are seen from the target',A,'if (leap.target == square) view.horse_path[from] = square_bit(leap.leg);','if (leap.target == square) view.horse_path[from] = square_bit(static_cast<Square>(square + from - leap.leg));'),
    ('a side in check may pass',G,'kKind != MoveKind::kCaptures && !d.in_check && p.rules()','kKind != MoveKind::kCaptures && p.rules()'),
    ('captures carry the pass',G,'      is_janggi(kGame) && kKind != MoveKind::kCaptures && !d','      is_janggi(kGame) && !d'),
    ('the counted ply forgets the pass',G,'is_janggi(kGame) && p.rules().passing, sink);\n  return sink.count()','false, sink);\n  return sink.count()'),
    ('a soldier gives no check',G,'    result.in_check = true;\n  }\n  for (Bitboard b = p.pieces(kEnemy, PieceKind::kCannon)','  }\n  for (Bitboard b = p.pieces(kEnemy, PieceKind::kCannon)'),
    ("steps are free whatever the elephants hold",G,'    holders |= p.pieces(kEnemy, PieceKind::kElephant) & view.steps.elephants;',''),
    ('is_legal forgets the forbidden points',M,'    if (!d.in_check && !d.from.has(from) && !d.to.has(to)) return true;','    if (!d.in_check && !d.from.has(from)) return true;'),
    ('is_legal lets a cannon take a cannon',M,'      if constexpr (kGame == Game::kJanggi) return jumps;','      if constexpr (kGame == Game::kJanggi) return jumps || (p.at(to).kind() == PieceKind::kCannon && chariot_attacks<kGame>(from, p.occupied()).has(to));'),
    ('unmake puts the captured piece last in its list',P,'      lists_[code][undo.captured_slot] = to;\n      slots_[to] = undo.captured_slot;','      lists_[code][undo.captured_slot] = moved;\n      slots_[moved] = undo.captured_slot;\n      lists_[code][counts_[code] - 1] = to;\n      slots_[to] = static_cast<std::uint8_t>(counts_[code] - 1);'),
    ('unmake forgets the count of quiet turns',P,'  no_capture_ = undo.no_capture;',''),
    ('the key forgets the captured piece',P,'      key_ ^= zobrist::kKeys.piece[code][to];\n',''),
    ('key_after forgets the captured piece',P,'  return key ^ zobrist::kKeys.piece[captured][move.to()];','  return key;'),
    ('a pass resets the count of quiet turns',P,'    undo.captured = Piece();','    undo.captured = Piece();\n    no_capture_ = 0;'),
    ('the cheapest taker is the dearest but one',S,'PieceKind::kHorse,   PieceKind::kCannon, PieceKind::kChariot','PieceKind::kHorse,   PieceKind::kChariot, PieceKind::kCannon'),
    ('cannons take cannons in an exchange',S,'attackers_to(p, to, occupied, on_target == PieceKind::kCannon)','attackers_to(p, to, occupied, false)'),
    ('the second occurrence ends the game',E,'  const int first = second < 0 ? -1 : history.previous_occurrence(second);','  const int first = second;'),
    ('a checker is only asked of its last turn',H,'  for (; i > since; i -= 2) {','  for (; i > last() - 2; i -= 2) {'),
    ("of two perpetual checkers nobody loses in janggi",E,'  if (history.back().in_check) return ~to_move;','  if (mover_checked && !other_checked) return ~to_move;'),
    ('in xiangqi the last checker loses though both check',E,'    if (mover_checked == other_checked) return std::nullopt;\n',''),
    ('occurrences are looked for beyond the last capture only',H,'i >= current.last_capture','i > current.last_capture'),
    ('a mate that leaves the generals facing is drawn',E,'  if (has_no_turn(position, dangers)) {  // J21, X13\n    return','  if (has_no_turn(position, dangers) && !(rules.bikjang && history.last() > 0 && history[history.last() - 1].facing && history.back().facing)) {  // J21, X13\n    return'),
    ('facing once is enough for bikjang',E,'before.facing && now.facing','now.facing'),
    ('repetition comes before bikjang',E,None,None),
    ('a double pass comes before repetition',E,None,None),
    ('120 quiet turns need one more',E,'position.no_capture() >= rules','position.no_capture() > rules'),
    ('guards count as pieces that can mate',E,'.count() - 1 - position.count(side, PieceKind::kGuard);','.count() - 1;'),
    ('a pass by one side is a double pass',E,'if (now.passed && before.passed)','if (now.passed)'),
    ('bikjang is decided by points',E,'    return Outcome{std::nullopt, Reason::kBikjang, false};','    return level_outcome(position, Reason::kBikjang);'),
]
