// Opens report pages as a reader would and fails on anything that reader would stumble over: errors in
// the console, a request to any network, sideways scrolling on a phone, text too faint to read. The
// first page is the demonstration, whose elements are tried out one by one.
import assert from 'node:assert/strict';
import {test, after} from 'node:test';
import path from 'node:path';
import {chromium} from 'playwright-core';
import {lowContrast} from './contrast.mjs';

const pages = process.argv.slice(2);
const demo = pages[0];
// Milliseconds: for a machine with much else to do.
const kPatience = 180000;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  timeout: kPatience,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync'],
});
after(() => browser.close());

const kWide = {width: 1280, height: 900}, kNarrow = {width: 360, height: 740};

// Opens `file`, runs `use`, and fails on whatever the page complained of meanwhile.
async function visit(file, options, use) {
  const context = await browser.newContext({viewport: kWide, colorScheme: 'light', ...options});
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', message => { if (message.type() !== 'log') complaints.push(`${message.type()}: ${message.text()}`); });
  page.on('pageerror', error => complaints.push(error.stack));
  page.on('request', request => { if (!/^(file|data):/.test(request.url())) complaints.push(`request: ${request.url()}`); });
  page.on('dialog', dialog => { complaints.push(`dialog: ${dialog.message()}`); return dialog.dismiss(); });
  await page.goto(`file://${path.resolve(file)}`);
  await use(page);
  assert.deepEqual(complaints, []);
  await context.close();
}

const shot = (page, file, name) => page.screenshot({path: `screenshots/${path.basename(file, '.html')}-${name}.png`, fullPage: true});
const column = (table, place) => table.locator(`tbody tr:visible td:nth-child(${place})`).allTextContents();
const state = viewer => viewer.locator('.viewer-state').textContent();
// Where the piece stands that `from`-`to` moved: the character within half a cell of the mark.
const pieces = viewer => viewer.locator('svg .piece').evaluateAll(list => list.map(piece => `${piece.textContent}@${piece.getAttribute('transform')}`));

for (const file of pages) {
  const name = path.basename(file);

  test(`${name}: wide, light and dark, every chart and board is drawn and every text legible`, async () => {
    for (const colorScheme of ['light', 'dark']) {
      await visit(file, {colorScheme}, async page => {
        for (const canvas of await page.locator('canvas').all()) {
          if (!await canvas.isVisible()) continue;
          const inked = await canvas.evaluate(one => {
            const {data} = one.getContext('2d').getImageData(0, 0, one.width, one.height);
            let count = 0;
            for (let i = 3; i < data.length; i += 4) if (data[i] > 0) ++count;
            return count;
          });
          assert.ok(inked > 500, `an empty chart: ${inked} pixels`);
        }
        for (const box of await page.locator('.board-box').all()) assert.equal(await box.locator('svg').count(), 1);
        await page.locator('details').evaluateAll(all => all.forEach(one => { one.open = true; }));
        assert.deepEqual(await page.evaluate(lowContrast), []);
        const [r] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g).map(Number);
        assert.ok(colorScheme === 'dark' ? r < 60 : r > 200);
        await shot(page, file, colorScheme);
      });
    }
  });

  test(`${name}: nothing scrolls sideways at 360 pixels`, async () => {
    await visit(file, {viewport: kNarrow}, async page => {
      const sideways = () => page.evaluate(() => {
        const over = [...document.querySelectorAll('main *')].filter(one => {
          if (one.closest('.scroll, pre, svg, .viewer-games, .viewer-moves') && !one.matches('.scroll, pre, svg')) return false;
          return one.getBoundingClientRect().right > innerWidth + .5;
        });
        return [document.documentElement.scrollWidth, ...over.map(one => `${one.tagName}.${one.className}`)];
      });
      assert.deepEqual(await sideways(), [kNarrow.width]);
      await shot(page, file, 'narrow');
      await page.locator('details').evaluateAll(all => all.forEach(one => { one.open = true; }));
      assert.deepEqual(await sideways(), [kNarrow.width]);
    });
  });

  test(`${name}: prints black on white with nothing folded away, even at night`, async () => {
    await visit(file, {colorScheme: 'dark'}, async page => {
      const pdf = await page.pdf({path: `screenshots/${path.basename(file, '.html')}.pdf`, format: 'A4', printBackground: true});
      assert.ok(pdf.length > 20000);
      await page.emulateMedia({media: 'print', colorScheme: 'dark'});
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      assert.equal(await page.locator('details.made:not([open])').count(), 0);
      assert.deepEqual(await page.evaluate(lowContrast), []);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      assert.equal(await page.locator('details.made[open]').count(), 0);
    });
  });

  test(`${name}: its words and tables are there without JavaScript`, async () => {
    await visit(file, {javaScriptEnabled: false}, async page => {
      assert.ok(await page.locator('.lead p').count() > 0);
      assert.ok(await page.locator('h2').count() > 0);
    });
  });
}

test('a table sorts by numbers and by words, by mouse and by keyboard', async () => {
  await visit(demo, {}, async page => {
    const table = page.locator('.table', {hasText: 'Verdict'});
    const head = title => table.locator('th', {hasText: title});
    await head('Games').getByRole('button').click();
    assert.deepEqual(await column(table, 2), ['12,000', '4,000', '960', '1']);
    assert.equal(await head('Games').getAttribute('aria-sort'), 'descending');
    await head('Games').getByRole('button').click();
    assert.deepEqual(await column(table, 2), ['1', '960', '4,000', '12,000']);
    await head('Elo').getByRole('button').focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await column(table, 3), ['+171.3 ± 21.0', '+99.0 ± 30.1', '0.0 ± 400.0', '−3.2 ± 8.9'].map(text => text.replace('± ', '±\u00a0')));
    assert.equal(await head('Games').getAttribute('aria-sort'), 'none');
    await head('Name').getByRole('button').focus();
    await page.keyboard.press('Space');
    assert.deepEqual((await column(table, 1)).filter(text => text.startsWith('gen')), ['generation 2', 'generation 9', 'generation 10']);
  });
});

test('a long table unfolds, and folds what sorting brings down', async () => {
  await visit(demo, {}, async page => {
    const table = page.locator('.table', {has: page.getByRole('heading', {name: 'Games', level: 4})});
    assert.equal((await column(table, 1)).length, 5);
    await table.locator('th', {hasText: 'Game'}).getByRole('button').click();
    assert.deepEqual(await column(table, 1), ['30', '29', '28', '27', '26']);
    await table.getByRole('button', {name: 'Show all 30 rows'}).click();
    assert.equal((await column(table, 1)).length, 30);
  });
});

test('a game steps by buttons, keys, slider, list and graph, and plays by itself', async () => {
  await visit(demo, {}, async page => {
    const viewer = page.locator('.viewer').first(), press = name => viewer.getByRole('button', {name, exact: true}).click();
    const data = await page.evaluate(() => JSON.parse(document.getElementById('page-data').textContent).viewers[0]);
    const words = data.games[0].moves.split(' ');
    assert.match(await state(viewer), new RegExp(`^Start, ${words.length} turns`));
    const before = await pieces(viewer);
    await press('One turn on');
    assert.match(await state(viewer), /^Turn 1: Cho /);
    const after = await pieces(viewer);
    // Exactly one piece stands elsewhere, and it is the same piece.
    const gone = before.filter(piece => !after.includes(piece)), come = after.filter(piece => !before.includes(piece));
    assert.equal(come.length, 1);
    assert.ok(gone.some(piece => piece.split('@')[0] === come[0].split('@')[0]));
    assert.equal(await viewer.locator('.last-to').count(), 1);

    await viewer.locator('.viewer-moves button').nth(0).focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await state(viewer), /^Turn 2: Han /);
    await page.keyboard.press('End');
    assert.match(await state(viewer), new RegExp(`^Turn ${words.length}: .*${await viewer.locator('.viewer-result').textContent()}\\.$`));
    await page.keyboard.press('ArrowLeft');
    assert.match(await state(viewer), new RegExp(`^Turn ${words.length - 1}:`));
    await page.keyboard.press('Home');
    assert.deepEqual(await pieces(viewer), before);
    await viewer.locator('.viewer-slider').fill('7');
    assert.match(await state(viewer), /^Turn 7:/);
    assert.equal(await viewer.locator('.viewer-moves [aria-current]').count(), 1);
    await viewer.locator('.viewer-moves button').nth(11).click();
    assert.match(await state(viewer), /^Turn 12:/);

    const graph = viewer.locator('canvas');
    const at = await graph.evaluate(canvas => { const {left, right, top} = Chart.getChart(canvas).chartArea; return {x: (left + right) / 2, y: top + 10}; });
    await graph.click({position: at});
    // Chart.js looks at its events once a frame.
    await page.waitForFunction(() => !document.querySelector('.viewer-state').textContent.startsWith('Turn 12:'));
    const turn = Number((await state(viewer)).match(/\d+/)[0]);
    assert.ok(Math.abs(turn - words.length / 2) <= 1, `turn ${turn} of ${words.length}`);

    await press('First position');
    await press('Play');
    await page.waitForFunction(() => /^Turn [2-9]/.test(document.querySelector('.viewer-state').textContent));
    await press('Pause');
    const halted = await state(viewer);
    await page.waitForTimeout(1000);
    assert.equal(await state(viewer), halted);
    await press('Last position');
    const upright = await pieces(viewer);
    await press('Turn the board');
    assert.notDeepEqual(await pieces(viewer), upright);
    await press('Turn the board');
    assert.deepEqual(await pieces(viewer), upright);
  });
});

test('scores are shown from the first side\'s view', async () => {
  await visit(demo, {}, async page => {
    const viewer = page.locator('.viewer').first();
    const scores = await page.evaluate(() => JSON.parse(document.getElementById('page-data').textContent).viewers[0].games[0].scores.split(' '));
    assert.deepEqual(scores.slice(0, 4), ['.', '.', '.', '.']);
    for (const ply of [5, 6, 21]) {
      await viewer.locator('.viewer-slider').fill(String(ply));
      const shown = Number((await state(viewer)).match(/, ([+−]?[\d.]+) for Cho/)[1].replace('−', '-'));
      assert.equal(shown, Number(scores[ply - 1]) / 100);
    }
    await viewer.locator('.viewer-slider').fill('3');
    assert.doesNotMatch(await state(viewer), /for Cho/);
  });
});

test('the list of games filters and finds, and a table\'s link opens its game', async () => {
  await visit(demo, {}, async page => {
    const viewer = page.locator('.viewer').first(), games = viewer.locator('.viewer-games button');
    assert.equal(await games.count(), 30);
    await viewer.getByLabel('Result').selectOption('drawn');
    const drawn = await games.allTextContents();
    assert.ok(drawn.length > 0 && drawn.length < 30 && drawn.every(text => text.includes('Drawn')));
    assert.equal(await viewer.locator('.viewer-count').textContent(), `${drawn.length} of 30 games`);
    await viewer.getByLabel('Result').selectOption('');
    await viewer.getByLabel('Order').selectOption('short');
    const lengths = (await games.allTextContents()).map(text => Number(text.match(/(\d+) turns?$/)[1]));
    assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b));
    await viewer.getByLabel('Find a player').fill('onerror');
    assert.equal(await games.count(), 1);
    await games.first().click();
    assert.match(await viewer.locator('.viewer-facts').textContent(), /^Game 2 /);
    await page.getByRole('link', {name: '4', exact: true}).click();
    assert.match(await viewer.locator('.viewer-facts').textContent(), /^Game 4 /);
    assert.equal(await games.count(), 30);
  });
});

test('a name that is a script stays a name', async () => {
  await visit(demo, {}, async page => {
    assert.equal(await page.locator('img').count(), 0);
    const name = (await page.evaluate(() => JSON.parse(document.getElementById('page-data').textContent).viewers[0].players)).find(text => text.includes('onerror'));
    assert.ok(name.startsWith('</script><img src=x onerror="') && name.includes('<!-- \u2028') && name.endsWith('& \ufffd'));
    const viewer = page.locator('.viewer').first();
    await viewer.locator('.viewer-games button', {hasText: 'onerror'}).click();
    assert.equal(await viewer.locator('.viewer-who .name', {hasText: 'onerror'}).textContent(), `Cho: ${name}`);
    assert.ok((await page.locator('.bullets li').allTextContents()).includes(name));
    // What the tests count on: a script that does get in is refused.
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.intruder = true';
      document.body.append(script);
      return window.intruder === true;
    });
    assert.equal(ran, false);
  }).then(() => assert.fail('the refusal should have been reported'), error => {
    // The one complaint is the refusal of that script.
    assert.equal(error.actual?.length, 1, error.message);
    assert.match(error.actual[0], /Content Security Policy/);
  });
});

test('pieces are drawn in both scripts, at the reader\'s choice', async () => {
  await visit(demo, {}, async page => {
    const shown = () => page.locator('.board-box svg .piece text').evaluateAll(all => all.filter(text => getComputedStyle(text).display !== 'none').map(text => text.textContent));
    await page.getByRole('button', {name: '漢字'}).click();
    const hanja = new Set(await shown());
    for (const character of '楚漢車包馬象士卒兵帥仕相俥傌炮將砲') assert.ok(hanja.has(character), character);
    await page.getByRole('button', {name: 'Letters'}).click();
    assert.deepEqual([...new Set(await shown())].sort(), [...'ABCKNPRabcknpr']);
    await page.reload();
    assert.ok((await shown()).includes('K'), 'the choice is kept');
  });
});

test('charts carry their series, error bars and reference lines', async () => {
  await visit(demo, {}, async page => {
    const charts = await page.evaluate(() => [...document.querySelectorAll('canvas[data-chart]')].map(canvas => {
      const chart = Chart.getChart(canvas);
      return {
        type: chart.config.type,
        errors: chart.data.datasets.map(({errors}) => errors.filter(Boolean).length),
        lines: chart.options.references.length,
        y: [chart.scales.y.min, chart.scales.y.max],
      };
    }));
    assert.deepEqual(charts.map(({type}) => type), ['scatter', 'bar', 'scatter', 'scatter']);
    assert.deepEqual(charts[0].errors, [4, 4]);
    assert.equal(charts[0].lines, 1);
    assert.ok(charts[0].y[1] >= 193, 'the axis holds the error bars');
    assert.deepEqual(charts[2].y, [0, 1]);
    // An error bar is ink where there is no line: above the point at generation 1.
    const ink = await page.evaluate(() => {
      const canvas = document.querySelector('canvas[data-chart]'), chart = Chart.getChart(canvas);
      const ratio = canvas.width / chart.width, x = chart.scales.x.getPixelForValue(2) * ratio;
      const from = chart.scales.y.getPixelForValue(163) * ratio, to = chart.scales.y.getPixelForValue(152) * ratio;
      const {data} = canvas.getContext('2d').getImageData(Math.round(x) - 1, Math.round(from), 3, Math.round(to - from));
      const blue = [];
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 150 && data[i + 2] > data[i] + 60) blue.push(i);
      return blue.length;
    });
    assert.ok(ink > 0);
  });
});
