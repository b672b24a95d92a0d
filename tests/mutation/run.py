#!/usr/bin/env python3
"""Makes each fault of mutants.py and names the tests that notice it.

    tests/mutation/run.py [NUMBER ...]        all, or those rows

Works in a temporary copy of core/ and tests/; takes some 20 seconds a fault on one core. Prints a
Markdown table; exits 1 when a fault survives or no longer fits the source.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from mutants import MUTANTS  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CORE = ['base/files', 'board/attacks', 'board/movegen', 'board/perft', 'board/position', 'board/ruleset',
        'board/see', 'game/ending', 'game/history', 'game/points', 'notation/fen', 'notation/text',
        'notation/uci_move']
TESTS = ['core/judge_test', 'core/position_test', 'core/rules_test', 'core/see_test',
         'support/core_under_test', 'support/naive_board', 'support/naive_fen', 'support/naive_game',
         'support/naive_rules', 'support/naive_under_test', 'support/random_games',
         'support/random_walk', 'support/rule_cases']
# What has to be built again when a file changes; the tests see headers only through the library.
BUILDS = {'core/board/generator.h': ['board/movegen', 'board/perft']}
# From the cheapest to the dearest; the later ones only for what the earlier ones let pass.
FILTERS = [('CoreRules*:*PerftOf*', {}),
           ('*PositionsOf*:*DangerOf*:Position.*:*See*', {}),
           ('*JudgeOf*', {'CANNONADE_TEST_GAMES': '1600'})]
# Rules moved before others: (what moves, before what), regular expressions.
MOVES = {'repetition comes before bikjang':
         (r'  if \(rules\.bikjang &&.*?\n  \}\n', r'  if \(now\.passed && before'),
         'a double pass comes before repetition':
         (r'  if \(now\.passed && before\.passed\).*?\n', r'  const int second =')}


class Lab:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.tree = self.folder / 'tree'
        shutil.copytree(ROOT / 'core', self.tree / 'core')
        shutil.copytree(ROOT / 'tests', self.tree / 'tests')
        self.flags = ['-std=c++20', '-O2', '-march=native', '-DFMT_HEADER_ONLY', '-DNDEBUG',
                      f'-I{self.tree}', f'-DCANNONADE_TEST_DATA="{ROOT}/tests/data"']
        for name in TESTS:
            self.compile(f'tests/{name}')
        for name in CORE:
            self.compile(f'core/{name}')

    def object(self, name, mutant=False):
        return str(self.folder / (('mutant_' if mutant else '') + name.replace('/', '_') + '.o'))

    def compile(self, name, mutant=False):
        done = subprocess.run(['c++', *self.flags, '-c', str(self.tree / f'{name}.cpp'), '-o',
                               self.object(name, mutant)], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f'{name} does not compile: {done.stderr[:400]}')

    def failing_tests(self, changed):
        """Names of the failing tests with the files `changed` built anew."""
        objects = [self.object(f'tests/{name}') for name in TESTS]
        for name in CORE:
            if name in changed:
                self.compile(f'core/{name}', mutant=True)
            objects.append(self.object(f'core/{name}', name in changed))
        program = str(self.folder / 'tests')
        subprocess.run(['c++', *objects, '-lgtest', '-lgtest_main', '-lpthread', '-o', program],
                       check=True)
        for pattern, extra in FILTERS:
            try:
                done = subprocess.run([program, f'--gtest_filter={pattern}', '--gtest_brief=1'],
                                      capture_output=True, text=True, timeout=300,
                                      env={**os.environ, **extra})
            except subprocess.TimeoutExpired:
                return [f'{pattern} (does not end)']
            failed = sorted(set(re.findall(r'^\[  FAILED  \] ([\w/.]+)', done.stdout, re.M)))
            if done.returncode and not failed:
                failed = [f'{pattern} (stops)']
            if failed:
                return failed
        return []


def mutate(name, text, old, new):
    """The source with the fault, or None when it no longer fits."""
    if old is not None:
        return text.replace(old, new) if text.count(old) == 1 else None
    what, before = MOVES[name]
    found = re.search(what, text, re.S)
    if not found:
        return None
    rest = text.replace(found.group(0), '')
    place = re.search(before, rest)
    return rest[:place.start()] + found.group(0) + rest[place.start():] if place else None


def main():
    only = {int(word) for word in sys.argv[1:]}
    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(folder)
        if failed := lab.failing_tests([]):
            sys.exit(f'the unchanged source fails: {failed}')
        print('| # | fault | file | noticed by |\n|---|---|---|---|')
        for number, (name, file, old, new) in enumerate(MUTANTS, 1):
            if only and number not in only:
                continue
            path = lab.tree / file
            text = path.read_text()
            changed = mutate(name, text, old, new)
            if changed is None:
                failed = ['**DOES NOT FIT THE SOURCE**']
                survived += 1
            else:
                path.write_text(changed)
                failed = lab.failing_tests(BUILDS.get(file, [file[len('core/'):-len('.cpp')]]))
                path.write_text(text)
                if not failed:
                    failed = ['**NOTHING**']
                    survived += 1
            suites = sorted({re.sub(r'/\w+$', '', test) for test in failed})
            print(f'| {number} | {name} | {Path(file).name} | {", ".join(suites)} |', flush=True)
    sys.exit(1 if survived else 0)


if __name__ == '__main__':
    main()
