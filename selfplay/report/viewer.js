// The game viewer: a list of games that filters, a board that steps through the chosen one, and its
// scores by ply. Text from the data goes into the page as text only.
'use strict';

(() => {
  const kStepMilliseconds = 800;
  const kGraphLimit = 1500;  // centipawns; what lies beyond, mates too, is drawn at the edge

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === 'on') for (const [event, action] of Object.entries(value)) made.addEventListener(event, action);
      else if (value === true) made.setAttribute(key, '');
      else if (value !== false) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  const kIcons = {
    first: 'M3 3h2.2v14H3zM17 3v14L6.5 10z',
    back: 'M14 3v14L4 10z',
    play: 'M4.5 2v16L18 10z',
    pause: 'M4 3h4.5v14H4zM11.5 3H16v14h-4.5z',
    on: 'M6 3v14l10-7z',
    last: 'M17 3h-2.2v14H17zM3 3v14l10.5-7z',
    turn: 'M6.5 2L2 7h3.2v11h2.6V7H11zM13.5 18L18 13h-3.2V2h-2.6v11H9z',
  };
  function icon(name) {
    const kSvg = 'http://www.w3.org/2000/svg';
    const picture = document.createElementNS(kSvg, 'svg'), path = document.createElementNS(kSvg, 'path');
    picture.setAttribute('viewBox', '0 0 20 20');
    picture.setAttribute('aria-hidden', 'true');
    path.setAttribute('d', kIcons[name]);
    picture.append(path);
    return picture;
  }

  class Viewer {
    constructor(root, data) {
      this.root = root;
      this.data = data;
      this.game = null;
      this.ply = 0;
      this.timer = null;
      this.build();
      this.filter();
      if (data.games.length > 0) this.open(data.games[0]);
    }

    build() {
      const button = (name, label, action) => element('button', {type: 'button', 'aria-label': label, title: label, on: {click: action}}, icon(name));
      const choices = (label, values) => {
        const select = element('select', {'aria-label': label, on: {change: () => this.filter()}});
        for (const [value, text] of values) select.append(element('option', {value}, text));
        return select;
      };
      const games = this.data.games;
      const sides = [...new Set(this.data.rulesets.flatMap(({sides}) => [`${sides[0]}/0`, `${sides[1]}/1`]))];
      const reasons = [...new Set(games.map(game => game.reason))].sort();
      this.search = element('input', {type: 'search', placeholder: 'Find a player or number', 'aria-label': 'Find a player or a game number', on: {input: () => this.filter()}});
      this.winner = choices('Result', [['', 'All results'], ...sides.map(side => [side, `${side.split('/')[0]} won`]), ['drawn', 'Drawn'], ...(games.some(({winner}) => winner === null) ? [['none', 'No result']] : [])]);
      this.reason = choices('Ending', [['', 'All endings'], ...reasons.map(reason => [reason, reason])]);
      this.order = choices('Order', [['number', 'By number'], ['short', 'Shortest first'], ['long', 'Longest first']]);
      this.rules = choices('Rules', [['', 'All rules'], ...this.data.rulesets.map(({id}, place) => [String(place), id])]);
      this.rules.hidden = this.data.rulesets.length < 2;
      this.count = element('p', {class: 'viewer-count', 'aria-live': 'polite'});
      this.list = element('ul', {class: 'viewer-games', 'aria-label': 'Games'});
      this.list.addEventListener('keydown', event => this.listKey(event));
      this.byGame = new Map();
      for (const game of games) this.byGame.set(game, this.listEntry(game));

      this.boardBox = element('div', {});
      this.top = element('div', {class: 'viewer-who'});
      this.bottom = element('div', {class: 'viewer-who'});
      this.slider = element('input', {type: 'range', class: 'viewer-slider', min: 0, max: 0, step: 1, 'aria-label': 'Turn', on: {input: () => { this.stop(); this.go(Number(this.slider.value)); }}});
      this.play = button('play', 'Play', () => this.toggle());
      const controls = element('div', {class: 'viewer-controls', role: 'group', 'aria-label': 'Steps'},
          button('first', 'First position', () => this.step(-Infinity)), button('back', 'One turn back', () => this.step(-1)), this.play,
          button('on', 'One turn on', () => this.step(1)), button('last', 'Last position', () => this.step(Infinity)),
          button('turn', 'Turn the board', () => { this.board.flip(); this.who(); }));
      this.result = element('p', {class: 'viewer-result'});
      this.facts = element('p', {class: 'note-line viewer-facts'});
      this.state = element('p', {class: 'viewer-state', 'aria-live': 'polite'});
      this.canvas = element('canvas', {role: 'img', 'aria-label': 'Scores by turn'});
      this.graphBox = element('div', {class: 'viewer-graph'}, this.canvas);
      this.moves = element('ol', {class: 'viewer-moves', 'aria-label': 'Turns'});

      this.root.append(
          element('div', {class: 'viewer-list'},
              element('div', {class: 'viewer-filters'}, this.search, this.winner, this.reason, this.order, this.rules), this.count, this.list),
          element('div', {class: 'viewer-board'}, this.top, this.boardBox, this.bottom, this.slider, controls),
          element('div', {class: 'viewer-detail'}, this.result, this.facts, this.state, this.graphBox, this.moves));
      this.root.addEventListener('keydown', event => this.key(event));
      this.buildGraph();
    }

    // What a game is, in words.
    sides(game) { return this.data.rulesets[game.rules].sides; }
    players(game) { return game.players.map(place => this.data.players[place]); }
    turns(game) { return game.moves === '' ? [] : game.moves.split(' '); }
    resultText(game) { return this.data.results[game.result]; }

    listEntry(game) {
      const turns = this.turns(game).length, [first, second] = this.players(game);
      const entry = element('button', {type: 'button', on: {click: () => { this.stop(); this.open(game); }}},
          `${first} – ${second}`,
          element('small', {}, `#${game.id} · ${this.resultText(game)} · ${turns} ${turns === 1 ? 'turn' : 'turns'}`));
      return {item: element('li', {}, entry), entry, turns, text: `#${game.id} ${first} ${second}`.toLowerCase()};
    }

    filter() {
      const wanted = this.search.value.trim().toLowerCase(), winner = this.winner.value;
      const shown = this.data.games.filter(game => {
        const result = game.winner === null ? 'none' : game.winner < 0 ? 'drawn' : `${this.sides(game)[game.winner]}/${game.winner}`;
        return this.byGame.get(game).text.includes(wanted) && (winner === '' || winner === result) &&
            (this.reason.value === '' || this.reason.value === game.reason) &&
            (this.rules.value === '' || this.rules.value === String(game.rules));
      });
      const order = this.order.value, turns = game => this.byGame.get(game).turns;
      if (order !== 'number') shown.sort((a, b) => order === 'short' ? turns(a) - turns(b) : turns(b) - turns(a));
      this.list.replaceChildren(...shown.map(game => this.byGame.get(game).item));
      const all = this.data.games.length;
      this.count.textContent = shown.length === all ? '' : `${shown.length} of ${all} games`;
    }

    open(game, ply = 0) {
      if (this.game) this.byGame.get(this.game).entry.removeAttribute('aria-current');
      this.game = game;
      const {entry} = this.byGame.get(game);
      entry.setAttribute('aria-current', 'true');
      this.reveal(this.list, entry);
      const rules = this.data.rulesets[game.rules], fen = this.data.starts[game.start];
      this.firstMover = fen.split(' ')[1] === 'b' ? 1 : 0;
      // Every position of the game: moving pieces needs no rules.
      this.words = this.turns(game);
      this.positions = [{cells: Cannonade.parseFen(fen), last: null}];
      for (const word of this.words) {
        const last = Cannonade.parseMove(word), cells = this.positions[this.positions.length - 1].cells.slice();
        const piece = cells[last.from];
        cells[last.from] = '';
        cells[last.to] = piece;
        this.positions.push({cells, last});
      }
      this.scores = game.scores === '' ? [] : game.scores.split(' ').map(word => word === '.' ? null : Number(word));
      const flipped = this.board ? this.board.flipped : false;
      if (!this.board || this.board.game !== rules.game) {
        this.board = new Cannonade.Board(rules.game, '');
        if (flipped) this.board.flip();
        this.boardBox.replaceChildren(this.board.element);
      }
      this.result.textContent = this.resultText(game);
      const facts = [`Game ${game.id}`, rules.id, `${this.words.length} turns`];
      if (game.opening > 0) facts.push(`opening given to turn ${game.opening}`);
      if (game.points) facts.push(`points ${this.sides(game)[0]} ${game.points[0]}, ${this.sides(game)[1]} ${game.points[1]}`);
      if (game.note) facts.push(game.note);
      this.facts.textContent = facts.join(' · ');
      this.slider.max = this.words.length;
      this.listMoves();
      this.fillGraph();
      this.go(ply);
    }

    mover(ply) { return (ply + this.firstMover) % 2; }

    listMoves() {
      this.moveButtons = this.words.map((word, ply) => element('button', {
        type: 'button', class: ply < this.game.opening ? 'opening' : '', on: {click: () => { this.stop(); this.go(ply + 1); }},
      }, this.wordText(ply)));
      const rows = [];
      const lead = this.firstMover;  // the second side's first turn stands in its own column
      for (let slot = 0; slot < this.words.length + lead; slot += 2) {
        const cells = [slot, slot + 1].map(place => this.moveButtons[place - lead] || element('span', {}));
        rows.push(element('li', {}, element('span', {class: 'number'}, `${slot / 2 + 1}.`), ...cells));
      }
      this.moves.replaceChildren(...rows);
    }

    wordText(ply) {
      const {from, to} = this.positions[ply + 1].last;
      if (from === to) return 'pass';
      const taken = this.positions[ply].cells[to] !== '';
      const [, start, end] = /^([a-i]\d+)([a-i]\d+)$/.exec(this.words[ply]);
      return taken ? `${start}×${end}` : `${start}–${end}`;
    }

    who() {
      const sides = this.sides(this.game), names = this.players(this.game);
      const game = this.data.rulesets[this.game.rules].game;
      const ends = this.board.flipped ? [0, 1] : [1, 0];
      [this.top, this.bottom].forEach((place, end) => {
        const side = ends[end];
        const dot = element('span', {class: 'dot'});
        dot.style.background = `var(--${side === 0 ? 'first' : 'second'}-${game})`;
        const over = this.ply === this.words.length;
        const turn = !over && this.mover(this.ply) === side ? 'to move' : over && this.game.winner === side ? 'won' : '';
        place.replaceChildren(element('span', {class: 'name'}, dot, `${sides[side]}: ${names[side]}`), element('span', {class: 'turn'}, turn));
      });
    }

    // A score in words, from the first mover's view.
    scoreText(score) {
      const {mateScore, mateBound} = this.data, sides = this.sides(this.game);
      if (Math.abs(score) >= mateBound) {
        return `mate in ${Math.ceil((mateScore - Math.abs(score)) / 2)} for ${sides[score > 0 ? 0 : 1]}`;
      }
      return `${score > 0 ? '+' : ''}${Cannonade.number(score / 100, 2)} for ${sides[0]}`;
    }

    go(ply) {
      this.ply = Math.max(0, Math.min(this.words.length, ply));
      const {cells, last} = this.positions[this.ply];
      this.board.show(cells, last);
      this.slider.value = this.ply;
      let text = `Start, ${this.words.length} turns to come`;
      if (this.ply > 0) {
        text = `Turn ${this.ply}: ${this.sides(this.game)[this.mover(this.ply - 1)]} ${this.wordText(this.ply - 1)}`;
        const score = this.scores[this.ply - 1];
        if (score !== null && score !== undefined) text += `, ${this.scoreText(score)}`;
        if (this.ply === this.words.length) text += `. ${this.resultText(this.game)}.`;
      }
      this.state.textContent = text;
      this.slider.setAttribute('aria-valuetext', text);
      this.board.setLabel(`Board. ${text}`);
      this.who();
      if (this.current) this.current.removeAttribute('aria-current');
      this.current = this.moveButtons[this.ply - 1];
      if (this.current) {
        this.current.setAttribute('aria-current', 'true');
        this.reveal(this.moves, this.current);
      } else {
        this.moves.scrollTop = 0;
      }
      this.graph.draw();
    }

    // Scrolls the list only, never the page.
    reveal(list, entry) {
      const row = entry.closest('li');
      if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
      else if (row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = row.offsetTop + row.offsetHeight - list.clientHeight;
    }

    step(by) { this.stop(); this.go(by === Infinity ? this.words.length : by === -Infinity ? 0 : this.ply + by); }

    toggle() {
      if (this.timer) { this.stop(); return; }
      if (this.ply === this.words.length) this.go(0);
      this.playing(true);
      this.timer = setInterval(() => {
        this.go(this.ply + 1);
        if (this.ply === this.words.length) this.stop();
      }, kStepMilliseconds);
    }
    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.playing(false);
    }
    playing(on) {
      this.play.replaceChildren(icon(on ? 'pause' : 'play'));
      this.play.title = on ? 'Pause' : 'Play';
      this.play.setAttribute('aria-label', this.play.title);
    }

    key(event) {
      if (event.target.matches('input, select') || event.altKey || event.ctrlKey || event.metaKey || !this.game) return;
      const step = {ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity}[event.key];
      if (step === undefined) return;
      event.preventDefault();
      this.step(step);
    }

    // Up and down walk through the list.
    listKey(event) {
      const by = {ArrowUp: 'previousElementSibling', ArrowDown: 'nextElementSibling'}[event.key];
      const next = by && event.target.closest('li')?.[by];
      if (!next) return;
      event.preventDefault();
      next.firstElementChild.focus();
      next.firstElementChild.click();
    }

    buildGraph() {
      const viewer = this;
      const cursor = {
        id: 'cursor',
        afterDatasetsDraw({ctx, chartArea, scales}) {
          if (!viewer.game) return;
          const x = scales.x.getPixelForValue(viewer.ply);
          ctx.save();
          ctx.strokeStyle = Cannonade.charts.colour('--accent');
          ctx.lineWidth = 2;
          ctx.beginPath();
          ctx.moveTo(x, chartArea.top);
          ctx.lineTo(x, chartArea.bottom);
          ctx.stroke();
          ctx.restore();
        },
      };
      const config = {
        type: 'scatter',
        data: {datasets: [{label: '', data: []}, {label: '', data: []}]},
        plugins: [cursor],
        options: {
          animation: false, responsive: true, maintainAspectRatio: false,
          interaction: {mode: 'nearest', intersect: false, axis: 'x'},
          references: [{axis: 'y', value: 0, label: ''}],
          onClick: event => {
            if (!this.game) return;
            this.stop();
            this.go(Math.round(this.graph.scales.x.getValueForPixel(event.x)));
          },
          scales: {
            x: {type: 'linear', min: 0, max: 1, ticks: {precision: 0, maxRotation: 0}},
            y: {title: {display: true, text: 'score'}, ticks: {callback: Cannonade.charts.tickText, maxTicksLimit: 7}},
          },
          plugins: {
            legend: {position: 'bottom', labels: {usePointStyle: true, boxHeight: 6}},
            tooltip: {
              callbacks: {
                title: items => items.length > 0 ? `Turn ${items[0].parsed.x}` : '',
                label: item => this.scoreText(this.scores[item.parsed.x - 1]),
              },
            },
          },
        },
      };
      this.graph = Cannonade.charts.keep(this.canvas, config, datasets => datasets.forEach((dataset, side) => {
        const color = Cannonade.charts.seriesColour(side);
        Object.assign(dataset, {borderColor: color, backgroundColor: color, showLine: true, borderWidth: 1.8, pointRadius: 1.5, spanGaps: true,
                                pointStyle: side === 0 ? 'circle' : 'rectRot', borderDash: side === 0 ? [] : [5, 3]});
      }));
    }

    // Each side's own opinion, both seen from the first mover.
    fillGraph() {
      const known = this.scores.some(score => score !== null);
      this.graphBox.hidden = !known;
      const sides = this.sides(this.game);
      let reach = 100;
      [0, 1].forEach(side => {
        const dataset = this.graph.data.datasets[side];
        dataset.label = `seen by ${sides[side]}`;
        dataset.data = [];
        this.scores.forEach((score, ply) => {
          if (score === null || this.mover(ply) !== side) return;
          const held = Math.max(-kGraphLimit, Math.min(kGraphLimit, score));
          reach = Math.max(reach, Math.abs(held));
          dataset.data.push({x: ply + 1, y: held / 100});
        });
      });
      const {x, y} = this.graph.options.scales;
      x.max = Math.max(1, this.words.length);
      y.title.text = `score for ${sides[0]}`;
      y.max = Math.ceil(reach * 1.05 / 100);
      y.min = -y.max;
      this.graph.update('none');
    }

    // Opens the game of that number; whether there is one.
    openNumber(id) {
      const game = this.data.games.find(candidate => candidate.id === id);
      if (!game) return false;
      this.stop();
      for (const control of [this.search, this.winner, this.reason, this.rules]) control.value = '';
      this.filter();
      this.open(game);
      this.root.scrollIntoView({block: 'start'});
      return true;
    }
  }

  Cannonade.Viewer = Viewer;
})();
