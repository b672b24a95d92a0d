// Charts: what a page's data say, drawn by Chart.js in the page's own colours, with error bars and
// reference lines, which Chart.js has not.
'use strict';

(() => {
  const kShapes = ['circle', 'rectRot', 'triangle', 'rect', 'crossRot', 'star'];
  const kPrint = {alone: 655, beside: 300, viewer: 350, height: 230};  // CSS pixels, for A4
  const drawn = [];  // every chart on the page: {chart, paint}

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }
  function seriesColour(index) { return colour(`--series-${index % 6 + 1}`); }

  // A dataset's `errors` holds [low, high] or null for each of its points.
  const errorBars = {
    id: 'errorBars',
    afterDatasetsDraw(chart) {
      const {ctx, chartArea, scales} = chart;
      chart.data.datasets.forEach((dataset, index) => {
        if (!dataset.errors || !chart.isDatasetVisible(index)) return;
        ctx.save();
        ctx.beginPath();
        ctx.rect(chartArea.left - 6, chartArea.top - 1, chartArea.width + 12, chartArea.height + 2);
        ctx.clip();
        ctx.strokeStyle = chart.config.type === 'bar' ? colour('--ink') : dataset.borderColor;
        ctx.lineWidth = 1.4;
        chart.getDatasetMeta(index).data.forEach((element, place) => {
          const error = dataset.errors[place];
          if (!error || element.skip) return;
          const low = scales.y.getPixelForValue(error[0]), high = scales.y.getPixelForValue(error[1]);
          ctx.beginPath();
          ctx.moveTo(element.x, low);
          ctx.lineTo(element.x, high);
          for (const y of [low, high]) {
            ctx.moveTo(element.x - 4, y);
            ctx.lineTo(element.x + 4, y);
          }
          ctx.stroke();
        });
        ctx.restore();
      });
    },
  };

  // `options.references`: {axis, value, label}.
  const referenceLines = {
    id: 'referenceLines',
    afterDatasetsDraw(chart) {
      const {ctx, chartArea: area, scales} = chart;
      for (const {axis, value, label} of chart.options.references || []) {
        if (value === null) continue;
        const at = scales[axis].getPixelForValue(value);
        const inside = axis === 'x' ? at >= area.left && at <= area.right : at >= area.top && at <= area.bottom;
        if (!inside) continue;
        ctx.save();
        ctx.strokeStyle = colour('--soft');
        ctx.lineWidth = 1.2;
        ctx.setLineDash([5, 4]);
        ctx.beginPath();
        if (axis === 'x') { ctx.moveTo(at, area.top); ctx.lineTo(at, area.bottom); }
        else { ctx.moveTo(area.left, at); ctx.lineTo(area.right, at); }
        ctx.stroke();
        if (label) {
          ctx.font = `12px ${Chart.defaults.font.family}`;
          const width = ctx.measureText(label).width;
          let x = area.right - width - 4, y = at - 5;
          if (axis === 'x') {
            x = at + 5 + width > area.right ? at - width - 5 : at + 5;
            y = area.top + 12;
          } else if (y < area.top + 12) {
            y = at + 14;
          }
          ctx.globalAlpha = .85;
          ctx.fillStyle = colour('--sheet');
          ctx.fillRect(x - 2, y - 11, width + 4, 14);
          ctx.globalAlpha = 1;
          ctx.fillStyle = colour('--soft');
          ctx.fillText(label, x, y);
        }
        ctx.restore();
      }
    },
  };

  // Decimals that tell neighbouring ticks apart.
  function tickText(value, index, ticks) {
    const step = ticks.length > 1 ? Math.abs(ticks[1].value - ticks[0].value) : 1;
    return Cannonade.number(value, Math.min(6, Math.max(0, -Math.floor(Math.log10(step || 1) + 1e-9))));
  }

  // On a logarithmic axis: the powers of ten, and where they are few, 2 and 5 times them too.
  function logTickText(value, {min, max}) {
    const power = Math.floor(Math.log10(value) + 1e-9), lead = value / 10 ** power;
    const leads = max / min > 500 ? [1] : [1, 2, 5];
    if (!leads.some(one => Math.abs(lead / one - 1) < 1e-6)) return '';
    if (power > -4 && power < 6) return Cannonade.number(value, Math.max(0, -power));
    const raised = [...String(power)].map(digit => digit === '-' ? '\u207b' : '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[digit]).join('');
    return `${Math.round(lead) === 1 ? '' : Math.round(lead) + '\u00b7'}10${raised}`;
  }

  // The axis must hold the error bars and the reference lines, which Chart.js does not see.
  function rangeOf(data) {
    const values = [];
    for (const {points} of data.series) for (const [, y, low, high] of points) values.push(y, low, high);
    for (const {axis, value} of data.references) if (axis === 'y') values.push(value);
    const known = values.filter(value => value !== null);
    if (known.length === 0) return {};
    const low = Math.min(...known), high = Math.max(...known), room = (high - low || Math.abs(high) || 1) * .05;
    return {low: low - room, high: high + room};
  }

  function datasetOf(series, index, data) {
    const byCategory = data.categories.length > 0;
    const dense = series.points.length > 60;
    return {
      label: series.name,
      data: series.points.map(([x, y]) => byCategory ? y : {x, y}),
      errors: series.points.map(([, , low, high]) => low === null || high === null ? null : [low, high]),
      names: series.points.map(point => point[4] || ''),
      showLine: data.kind === 'line',
      borderWidth: data.kind === 'bar' ? 0 : 2,
      borderDash: series.dashed ? [6, 4] : [],
      pointStyle: kShapes[index % kShapes.length],
      pointRadius: data.kind === 'scatter' ? 4.5 : !series.markers || dense ? 0 : 4,
      pointHoverRadius: 6,
      pointHitRadius: 8,
      clip: data.kind === 'bar' ? 0 : 7,  // points on the edge are whole
      maxBarThickness: 46,
      borderRadius: 2,
    };
  }

  function optionsOf(data) {
    const byCategory = data.categories.length > 0, range = rangeOf(data);
    const wholeX = data.series.every(({points}) => points.every(([x]) => Number.isInteger(x)));
    const x = byCategory ? {type: 'category', grid: {display: data.kind !== 'bar'}} : {type: data.logX ? 'logarithmic' : 'linear', ticks: wholeX ? {precision: 0} : {}};
    x.title = {display: data.xLabel !== '', text: data.xLabel};
    // Words are never left out; the numbers of a histogram may be.
    const words = data.categories.some(category => Number.isNaN(Number.parseFloat(category)));
    x.ticks = {...x.ticks, maxRotation: byCategory ? 60 : 0, autoSkip: !words, autoSkipPadding: 8};
    if (data.logX) x.afterBuildTicks = axis => { axis.ticks = axis.ticks.filter(({value}) => logTickText(value, axis) !== ''); };
    if (!byCategory) x.ticks.callback = data.logX ? function(value) { return logTickText(value, this); } : tickText;
    const y = {title: {display: data.yLabel !== '', text: data.yLabel}, ticks: {callback: tickText, maxTicksLimit: 9}, stacked: data.stacked};
    x.stacked = data.stacked;
    if (data.kind === 'bar') y.beginAtZero = true;
    if (!data.stacked && range.low !== undefined) { y.suggestedMin = range.low; y.suggestedMax = range.high; }
    if (data.kind === 'bar' && range.low >= 0) y.suggestedMin = 0;
    if (data.yMin !== null) y.min = data.yMin;
    if (data.yMax !== null) y.max = data.yMax;
    if (data.kind === 'bar' && range.low < 0 && data.series.every(({points}) => points.every(([, value]) => value === null || value >= 0))) y.suggestedMin = 0;
    const value = number => Cannonade.number(number, data.decimals);
    return {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      interaction: {mode: 'nearest', intersect: false, axis: data.kind === 'scatter' ? 'xy' : 'x'},
      references: data.references,
      scales: {x, y},
      plugins: {
        legend: {display: data.series.length > 1, position: 'bottom', labels: {usePointStyle: true, boxHeight: 7, padding: 14}},
        tooltip: {
          displayColors: data.series.length > 1,
          usePointStyle: true,
          callbacks: {
            title: items => {
              const item = items[0];
              if (!item) return '';
              const name = item.dataset.names[item.dataIndex];
              const where = byCategory ? item.label : `${data.xLabel || 'x'} ${Cannonade.number(item.parsed.x, Number.isInteger(item.parsed.x) ? 0 : 3)}`;
              return name ? `${name} (${where})` : where;
            },
            label: item => {
              const error = item.dataset.errors[item.dataIndex];
              return `${item.dataset.label ? item.dataset.label + ': ' : ''}${value(item.parsed.y)}` +
                  (error ? ` (${value(error[0])} to ${value(error[1])})` : '');
            },
          },
        },
      },
    };
  }

  // Colours of axes, grid, legend and tips.
  function paintFrame(options) {
    for (const axis of Object.values(options.scales)) {
      axis.grid = {...axis.grid, color: colour('--faint'), borderColor: colour('--soft'), drawTicks: false};
      axis.ticks = {...axis.ticks, color: colour('--soft'), padding: 6};
      axis.title = {...axis.title, color: colour('--soft')};
    }
    options.plugins.legend.labels = {...options.plugins.legend.labels, color: colour('--ink')};
    Object.assign(options.plugins.tooltip, {
      backgroundColor: colour('--ink'), titleColor: colour('--paper'), bodyColor: colour('--paper'), padding: 9,
    });
  }

  // Makes a chart, keeps it in the page's colours (`paint` sets the datasets') and fit for print.
  function keep(canvas, config, paint) {
    config.plugins = [errorBars, referenceLines, ...(config.plugins || [])];
    paintFrame(config.options);
    paint(config.data.datasets);
    const chart = new Chart(canvas, config);
    drawn.push({chart, paint});
    return chart;
  }

  function repaint() {
    for (const {chart, paint} of drawn) {
      paintFrame(chart.options);
      paint(chart.data.datasets);
      chart.update('none');
    }
  }

  function beforePrint() {
    document.documentElement.classList.add('printing');
    repaint();
    for (const {chart} of drawn) {
      chart.options.devicePixelRatio = 3;
      const group = chart.canvas.closest('.group.charts');
      chart.resize(!group ? kPrint.viewer : group.children.length > 1 ? kPrint.beside : kPrint.alone, kPrint.height);
    }
  }
  function afterPrint() {
    document.documentElement.classList.remove('printing');
    for (const {chart} of drawn) {
      chart.options.devicePixelRatio = undefined;
      chart.resize();
    }
    repaint();
  }

  function draw(canvas, data) {
    const kind = data.categories.length > 0 ? (data.kind === 'bar' ? 'bar' : 'line') : 'scatter';
    const config = {
      type: kind,
      data: {labels: data.categories, datasets: data.series.map((series, index) => datasetOf(series, index, data))},
      options: optionsOf(data),
    };
    return keep(canvas, config, datasets => datasets.forEach((dataset, index) => {
      const place = (data.series[index].colour || index + 1) - 1;
      dataset.borderColor = seriesColour(place);
      dataset.backgroundColor = seriesColour(place);
    }));
  }

  function start() {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.font.size = 12;
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
    addEventListener('beforeprint', beforePrint);
    addEventListener('afterprint', afterPrint);
  }

  Cannonade.charts = {start, draw, keep, colour, seriesColour, tickText, all: drawn};
})();
