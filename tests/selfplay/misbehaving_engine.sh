#!/bin/sh
# An engine for tests: speaks just enough UCI (or UCCI) to be asked for a turn, then does what its
# first word says. Further words: a file to note its starts in.
mode=$1
[ -n "${2:-}" ] && echo start >>"$2"
while read -r line; do
  case $line in
    uci)
      case $mode in
        no-handshake) ;;
        dies-at-start) echo "no licence found" >&2; exit 4 ;;
        deaf) exec sleep 1000 ;;
        many-options)
          echo "option name Early type string default x"
          long=$(head -c 100000 /dev/zero | tr '\0' n)
          for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "option name $long$i type string"; done
          echo "option name Late type string default x"
          echo uciok ;;
        *)
          echo "id name misbehaving"
          echo "option name Hash type spin default 16 min 1 max 64"
          echo "option name Long Name type string default x"
          echo "option name UCI_Variant type combo default xiangqi var xiangqi var janggi var janggitraditional"
          echo uciok ;;
      esac ;;
    ucci) echo "option usemillisec type check"; echo ucciok ;;
    isready) echo readyok ;;
    setoption*) echo "$line" >&2 ;;
    quit) exit 0 ;;
    position*) echo "$line" >&2 ;;
    go*)
      echo "$line" >&2
      case $mode in
        good) echo "info depth 3 seldepth 5 multipv 1 score cp 34 nodes 1234 pv a4a5"
              echo "info depth 4 multipv 2 score cp -900 nodes 1300 pv a4b4"
              echo "info depth 4 score cp 99 upperbound nodes 1400"
              echo "info string score cp 5"
              echo "bestmove a4a5 ponder a7a6" ;;
        mate) echo "info depth 9 score mate -2 nodes 7"; echo "bestmove a4a5" ;;
        ucci) echo "info depth 2 score 17 pv b2e2"; echo "bestmove b2e2" ;;
        crlf) printf 'bestmove a4a5\r\n' ;;
        silence) ;;
        chatter) while :; do echo "info string still thinking"; done ;;
        flood) head -c 3000000 /dev/zero | tr '\0' x ;;
        garbage) echo "bestmove q9z9" ;;
        illegal) echo "bestmove a4a9" ;;
        none) echo "bestmove (none)" ;;
        resign) echo "bestmove resign" ;;
        exit) echo "assertion failed" >&2; exit 3 ;;
        segv) kill -SEGV $$ ;;
        slow) sleep 0.3; echo "bestmove a4a5" ;;
      esac ;;
  esac
done
