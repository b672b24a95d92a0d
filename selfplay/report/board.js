// Boards as SVG, from FEN: janggi (octagons) and xiangqi (discs), with both scripts in every piece;
// which one shows is a class on the document (page.js). Points are numbered as in the program:
// rank by rank from the first mover's left, a1 = 0, i10 = 89.
'use strict';
const Cannonade = {};

(() => {
  const kFiles = 9, kRanks = 10, kCell = 40;
  const kLeft = 38, kTop = 26, kWidth = 384, kHeight = 426;

  const kHanja = {
    janggi: [
      {K: '楚', A: '士', B: '象', N: '馬', R: '車', C: '包', P: '卒'},
      {K: '漢', A: '士', B: '象', N: '馬', R: '車', C: '包', P: '兵'},
    ],
    xiangqi: [
      {K: '帥', A: '仕', B: '相', N: '傌', R: '俥', C: '炮', P: '兵'},
      {K: '將', A: '士', B: '象', N: '馬', R: '車', C: '砲', P: '卒'},
    ],
  };
  const kSides = {janggi: ['Cho', 'Han'], xiangqi: ['Red', 'Black']};
  const kKinds = {K: 'general', A: 'guard', B: 'elephant', N: 'horse', R: 'chariot', C: 'cannon', P: 'soldier'};
  // Janggi's pieces come in three sizes, by rank.
  const kRadius = {K: 19.2, A: 14, B: 17, N: 17, R: 17, C: 17, P: 14};

  function svg(name, attributes, parent) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.append(element);
    return element;
  }

  // A FEN's pieces: 90 letters, '' for an empty point.
  function parseFen(fen) {
    const cells = new Array(kFiles * kRanks).fill('');
    fen.split(' ')[0].split('/').forEach((row, fromTop) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= '1' && letter <= '9') file += Number(letter);
        else cells[(kRanks - 1 - fromTop) * kFiles + file++] = letter;
      }
    });
    return cells;
  }

  // "h10" to a point's number.
  function parsePoint(name) {
    return (Number(name.slice(1)) - 1) * kFiles + name.charCodeAt(0) - 97;
  }

  // "h3h10" to its two points.
  function parseMove(word) {
    const [, from, to] = /^([a-i]\d+)([a-i]\d+)$/.exec(word);
    return {from: parsePoint(from), to: parsePoint(to)};
  }

  // One drawn board. `label` is its text for screen readers.
  class Board {
    constructor(game, label) {
      this.game = game;
      this.flipped = false;
      this.cells = new Array(kFiles * kRanks).fill('');
      this.last = null;
      this.element = svg('svg', {viewBox: `0 0 ${kWidth} ${kHeight}`, role: 'img', class: game});
      this.setLabel(label);
      svg('rect', {class: 'wood', width: kWidth, height: kHeight, rx: 6}, this.element);
      this.drawLines();
      this.coordinates = svg('g', {'aria-hidden': 'true'}, this.element);
      this.marks = svg('g', {}, this.element);
      this.pieces = svg('g', {}, this.element);
      this.drawCoordinates();
    }

    setLabel(label) { this.element.setAttribute('aria-label', label); }

    at(point) {
      let file = point % kFiles, rank = Math.floor(point / kFiles);
      if (this.flipped) { file = kFiles - 1 - file; rank = kRanks - 1 - rank; }
      return {x: kLeft + file * kCell, y: kTop + (kRanks - 1 - rank) * kCell};
    }

    drawLines() {
      const right = kLeft + 8 * kCell, bottom = kTop + 9 * kCell, river = this.game === 'xiangqi';
      let path = '';
      for (let row = 1; row < 9; ++row) path += `M${kLeft} ${kTop + row * kCell}H${right}`;
      for (let file = 1; file < 8; ++file) {
        const x = kLeft + file * kCell;
        path += river ? `M${x} ${kTop}V${kTop + 4 * kCell}M${x} ${kTop + 5 * kCell}V${bottom}` : `M${x} ${kTop}V${bottom}`;
      }
      for (const top of [kTop, kTop + 7 * kCell]) {
        const x = kLeft + 3 * kCell, side = 2 * kCell;
        path += `M${x} ${top}l${side} ${side}M${x + side} ${top}l${-side} ${side}`;
      }
      svg('path', {class: 'grid', d: path}, this.element);
      svg('path', {class: 'grid ticks', d: this.tickPath()}, this.element);
      svg('rect', {class: 'frame', x: kLeft, y: kTop, width: right - kLeft, height: bottom - kTop}, this.element);
      if (river) {
        for (const [text, x] of [['楚河', 2], ['漢界', 6]]) {
          const name = svg('text', {class: 'river', x: kLeft + x * kCell, y: kTop + 4.5 * kCell + 6, 'aria-hidden': 'true'}, this.element);
          name.textContent = text;
        }
      }
    }

    // The corners around the points where cannons and soldiers start.
    tickPath() {
      let path = '';
      const points = [];
      for (const rank of [2, 7]) points.push([1, rank], [7, rank]);
      for (const rank of [3, 6]) for (let file = 0; file < kFiles; file += 2) points.push([file, rank]);
      for (const [file, rank] of points) {
        const x = kLeft + file * kCell, y = kTop + rank * kCell;
        for (const dx of [-1, 1]) {
          if (file + dx < 0 || file + dx >= kFiles) continue;
          for (const dy of [-1, 1]) path += `M${x + 3 * dx} ${y + 8 * dy}v${-5 * dy}h${5 * dx}`;
        }
      }
      return path;
    }

    drawCoordinates() {
      this.coordinates.replaceChildren();
      for (let file = 0; file < kFiles; ++file) {
        const text = svg('text', {class: 'coordinate', x: this.at(file).x, y: kHeight - 5}, this.coordinates);
        text.textContent = String.fromCharCode(97 + file);
      }
      for (let rank = 0; rank < kRanks; ++rank) {
        const text = svg('text', {class: 'coordinate', x: 10, y: this.at(rank * kFiles).y + 3.5}, this.coordinates);
        text.textContent = String(rank + 1);
      }
    }

    // `last` marks a move's two points: {from, to}, or null.
    show(cells, last) {
      this.cells = cells;
      this.last = last;
      this.pieces.replaceChildren();
      this.marks.replaceChildren();
      cells.forEach((letter, point) => { if (letter) this.drawPiece(letter, this.at(point)); });
      if (!last) return;
      const radius = kCell / 2 - .5;
      for (const [point, name] of [[last.from, 'last-from'], [last.to, 'last-to']]) {
        const {x, y} = this.at(point);
        svg('circle', {class: name, cx: x, cy: y, r: radius}, this.marks);
      }
    }

    flip() {
      this.flipped = !this.flipped;
      this.drawCoordinates();
      this.show(this.cells, this.last);
    }

    drawPiece(letter, {x, y}) {
      const kind = letter.toUpperCase(), side = letter === kind ? 0 : 1;
      const janggi = this.game === 'janggi', radius = janggi ? kRadius[kind] : 17.5;
      const piece = svg('g', {class: `piece ${side === 0 ? 'first' : 'second'}`, transform: `translate(${x} ${y})`}, this.pieces);
      const name = kind === 'A' && !janggi ? 'advisor' : kKinds[kind];
      svg('title', {}, piece).textContent = `${kSides[this.game][side]} ${name}`;
      const outline = (size, className) => {
        if (!janggi) return svg('circle', {class: className, r: size}, piece);
        const corners = [];
        for (let corner = 0; corner < 8; ++corner) {
          const angle = Math.PI * (corner + .5) / 4;
          corners.push(`${(size * Math.cos(angle)).toFixed(2)},${(size * Math.sin(angle)).toFixed(2)}`);
        }
        return svg('polygon', {class: className, points: corners.join(' ')}, piece);
      };
      outline(radius, 'face');
      // A second outline tells the sides apart without colour: both have it in xiangqi, where every
      // character differs.
      if (!janggi || side === 1) outline(radius - 2.6, 'ring');
      const size = radius * 1.25;
      const hanja = svg('text', {class: 'hanja', 'font-size': size.toFixed(1), y: (size * .365).toFixed(1)}, piece);
      hanja.textContent = kHanja[this.game][side][kind];
      const latin = svg('text', {class: 'latin', 'font-size': size.toFixed(1), y: (size * .345).toFixed(1)}, piece);
      latin.textContent = letter;
    }

    // Numbers on the points instead of pieces.
    showHeat({values, middle, decimals}) {
      this.element.classList.add('heat-board');
      const widest = Math.max(...values.map(value => value === null ? 0 : Math.abs(value - middle)));
      values.forEach((value, point) => {
        if (value === null) return;
        const {x, y} = this.at(point), depth = widest > 0 ? Math.abs(value - middle) / widest : 0;
        const group = svg('g', {class: 'heat-point'}, this.pieces);
        svg('circle', {class: 'ground', cx: x, cy: y, r: 18}, group);
        const disc = svg('circle', {cx: x, cy: y, r: 18}, group);
        disc.style.fill = `rgb(var(${value < middle ? '--below' : '--above'}) / ${(.05 + .5 * depth).toFixed(3)})`;
        svg('text', {x, y: y + 4}, group).textContent = Cannonade.number(value, decimals);
      });
    }
  }

  // Whether this browser has a font for the characters: two that look the same are two empty boxes.
  function hasHanja() {
    const looks = ['車', '象'].map(character => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 32;
      const context = canvas.getContext('2d', {willReadFrequently: true});
      context.font = '24px serif';
      context.fillText(character, 2, 26);
      return context.getImageData(0, 0, 32, 32).data.join();
    });
    return looks[0] !== looks[1];
  }

  // A number for people: a true minus sign, so many decimals, thousands set apart.
  function number(value, decimals) {
    const text = Math.abs(value).toLocaleString('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
    return value < 0 && /[1-9]/.test(text) ? '\u2212' + text : text;
  }

  Object.assign(Cannonade, {Board, parseFen, parseMove, hasHanja, number});
})();
