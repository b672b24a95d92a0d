// Brings a report page to life: draws what its data hold, makes its tables sort, switches the pieces'
// script, follows links to games.
'use strict';

(() => {
  const data = JSON.parse(document.getElementById('page-data').textContent);
  const collator = new Intl.Collator('en', {numeric: true, sensitivity: 'base'});

  // Tables: a button in every head; the first click sorts numbers from the top, words from A.
  function prepareTable(wrapper) {
    const body = wrapper.querySelector('tbody'), heads = [...wrapper.querySelectorAll('thead th')];
    const shown = Number(wrapper.dataset.shown);
    let folded = shown > 0 && body.rows.length > shown;
    const fold = () => [...body.rows].forEach((row, place) => { row.hidden = folded && place >= shown; });
    if (folded) {
      const more = document.createElement('button');
      more.type = 'button';
      more.className = 'more';
      const label = () => { more.textContent = folded ? `Show all ${body.rows.length} rows` : `Show the first ${shown} rows`; };
      more.addEventListener('click', () => { folded = !folded; fold(); label(); });
      label();
      wrapper.querySelector('.scroll').after(more);
      fold();
    }
    if (body.rows.length < 2) return;
    heads.forEach((head, column) => {
      const title = head.querySelector('.head'), button = document.createElement('button');
      button.type = 'button';
      button.append(...title.childNodes);
      title.append(button);
      head.setAttribute('aria-sort', 'none');
      button.addEventListener('click', () => {
        const before = head.getAttribute('aria-sort');
        const falling = before === 'none' ? head.classList.contains('num') : before === 'ascending';
        heads.forEach(other => other.setAttribute('aria-sort', 'none'));
        head.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
        sortRows(body, column, falling ? -1 : 1);
        fold();
      });
    });
  }

  // By number where a cell has one, else by its words, numbers in them counting as numbers; cells without
  // a number come last in a column of numbers, whichever the direction.
  function sortRows(body, column, direction) {
    const rows = [...body.rows].map(row => {
      const cell = row.cells[column];
      return {row, number: cell.dataset.sort === undefined ? null : Number(cell.dataset.sort), text: cell.textContent.trim()};
    });
    rows.sort((a, b) => {
      if (a.number !== null && b.number !== null) return direction * (a.number - b.number);
      if (a.number !== null || b.number !== null) return a.number !== null ? -1 : 1;
      return direction * collator.compare(a.text, b.text);
    });
    body.append(...rows.map(({row}) => row));
  }

  // The pieces' script: the reader's choice, kept where the browser keeps things for files; letters
  // where there is no font for the characters.
  function prepareScripts() {
    const buttons = [...document.querySelectorAll('button[data-script]')];
    if (buttons.length === 0) return;
    const kKey = 'cannonade-pieces';
    const use = script => {
      document.documentElement.classList.toggle('latin', script === 'latin');
      for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.script === script));
    };
    let chosen = null;
    try { chosen = localStorage.getItem(kKey); } catch { /* not kept here */ }
    use(chosen === 'latin' || chosen === 'hanja' ? chosen : Cannonade.hasHanja() ? 'hanja' : 'latin');
    for (const button of buttons) {
      button.closest('.scripts').hidden = false;
      button.addEventListener('click', () => {
        use(button.dataset.script);
        try { localStorage.setItem(kKey, button.dataset.script); } catch { /* not kept here */ }
      });
    }
  }

  function drawBoards() {
    for (const box of document.querySelectorAll('[data-board]')) {
      const {game, fen, from, to} = data.boards[Number(box.dataset.board)];
      const board = new Cannonade.Board(game, `Position ${fen}`);
      board.show(Cannonade.parseFen(fen), from === '' ? null : Cannonade.parseMove(from + to));
      box.replaceChildren(board.element);
    }
    for (const box of document.querySelectorAll('[data-heat]')) {
      const heat = data.heats[Number(box.dataset.heat)];
      const board = new Cannonade.Board(heat.game, 'Values by point');
      board.showHeat(heat);
      box.replaceChildren(board.element);
    }
  }

  function prepareGames() {
    const viewers = new Map();
    for (const root of document.querySelectorAll('[data-viewer]')) {
      const games = data.viewers[Number(root.dataset.viewer)];
      viewers.set(games.name, new Cannonade.Viewer(root, games));
    }
    const follow = () => {
      const link = /^#game-(.+)-(\d+)$/.exec(location.hash);
      if (link) viewers.get(link[1])?.openNumber(link[2]);
    };
    addEventListener('hashchange', follow);
    // A second click on the same link changes no address.
    document.addEventListener('click', event => {
      const link = event.target.closest?.('a[href^="#game-"]');
      if (link && link.getAttribute('href') === location.hash) follow();
    });
    follow();
  }

  // What is folded away would be missing on paper.
  function prepareMade() {
    const made = [...document.querySelectorAll('details.made')];
    let closed = [];
    addEventListener('beforeprint', () => {
      closed = made.filter(details => !details.open);
      for (const details of closed) details.open = true;
    });
    addEventListener('afterprint', () => { for (const details of closed) details.open = false; });
  }

  prepareScripts();
  document.querySelectorAll('.table').forEach(prepareTable);
  Cannonade.charts.start();
  for (const canvas of document.querySelectorAll('canvas[data-chart]')) {
    Cannonade.charts.draw(canvas, data.charts[Number(canvas.dataset.chart)]);
  }
  drawBoards();
  prepareGames();
  prepareMade();
})();
