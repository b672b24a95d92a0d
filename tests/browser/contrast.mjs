// Runs inside the page: every text on it that is too close in colour to what lies behind it, by
// WCAG 2's contrast ratio (4.5, or 3 for large text).
export function lowContrast() {
  const parse = text => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = (top, bottom) => [0, 1, 2].map(i => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
  const luminance = colour => {
    const [r, g, b] = colour.map(value => {
      const part = value / 255;
      return part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
    });
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = element => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    let colour = [255, 255, 255, 1];
    for (const layer of layers.reverse()) colour = over(layer, colour);
    return colour;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === '' || element.closest('script, style, noscript, svg, option, .skip')) continue;
    if (element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element), back = behind(element);
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const ink = parse(style.color);
    const front = over([ink[0], ink[1], ink[2], ink[3] * opacity], back);
    const [high, low] = [luminance(front), luminance(back)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (high + .05) / (low + .05);
    if (ratio < (large ? 3 : 4.5)) found.push(`${ratio.toFixed(2)} "${walker.currentNode.data.trim().slice(0, 40)}" (${element.className || element.tagName})`);
  }
  // Pieces: the character on its face.
  for (const face of document.querySelectorAll('.piece .face')) {
    const text = face.parentNode.querySelector('text');
    const [high, low] = [getComputedStyle(text).fill, getComputedStyle(face).fill].map(fill => luminance(parse(fill))).sort((a, b) => b - a);
    const ratio = (high + .05) / (low + .05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} piece ${text.textContent}`);
  }
  return [...new Set(found)];
}
