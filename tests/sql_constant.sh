#!/bin/sh
# Fails on SQL that is put together at run time: every statement is a literal, and what it is about
# is bound to its parameters. sql_constant.sh SOURCE_DIR [FILE ...] (all sources when none is named)
set -u
cd "$1" || exit 2
shift
[ $# -gt 0 ] || set -- $(find core eval selfplay tuner -name '*.cpp' -o -name '*.h')
perl -0777 -ne '
  BEGIN { $bad = 0; $seen = 0 }
  my $text = $_;
  my $literal = qr/"(?:[^"\\]|\\.)*"/;
  my $literals = qr/$literal(?:\s*$literal)*/;
  # PRAGMA takes no parameters; these two have constants of the program. The schema is a table.
  my $known = qr/fmt::format\("PRAGMA (?:application_id|user_version) = \{\}", kStore\w+\)|object\.sql/;
  sub complain { my ($what) = @_; $what =~ s/\s+/ /g; print "$ARGV: SQL that is not constant: $what\n"; $bad = 1 }
  # Statements: a connection, then literals.
  while ($text =~ /\bStatement\s+\w+\s*\(([^;{]*)\)\s*;/g) {
    my $inside = $1; $seen++;
    complain($inside) unless $inside =~ /^\s*[\w.>-]+\s*,\s*$literals\s*$/;
  }
  # Executed at once: nothing (a prepared one), a literal, or one of two.
  while ($text =~ /[.>](?:exec|execAndGet|tryExec)\s*\(((?:[^()"]|$literal|\((?:[^()"]|$literal)*\))*)\)/g) {
    my $inside = $1; $seen++;
    complain($inside) unless $inside =~ /^\s*(?:$literals|[\w.> ]+\?\s*$literals\s*:\s*$literals|$known|)\s*$/;
  }
  # Anywhere: a verb of SQL in a text that is formatted or added to.
  my $verb = qr/(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|ATTACH|REPLACE|PRAGMA)\s/;
  while ($text =~ /((?:\w*format|append|\+=?)\s*\(?\s*"$verb[^"]*"[^;]{0,60}|"$verb[^"]*"(?:\s*$literal)*\s*\+[^;]{0,60})/g) {
    complain($1) unless $1 =~ /^fmt::format\(/ && $1 =~ $known or substr($text, $-[1] - 5, 80) =~ $known;
  }
  # Behind the back of the library.
  while ($text =~ /\b(sqlite3_(?:exec|prepare\w*|mprintf|get_table)\s*\([^;]*)/g) { complain($1) }
  END { unless ($seen) { print "no SQL was found: this check looks at nothing\n"; $bad = 1 } exit $bad }
' "$@"
