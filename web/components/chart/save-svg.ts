/** The properties of a chart that come from style sheets. */
const STYLES = [
  'fill',
  'stroke',
  'color',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
  'text-anchor',
];

/** The text of an SVG file of a chart that is on the page; it looks the same without the page's style sheets. */
export function printSvg(chart: SVGSVGElement, title: string): string {
  const copy = chart.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('the chart cannot be copied');
  const originals = [chart, ...chart.querySelectorAll('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const heading = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  heading.textContent = title;
  copy.prepend(heading);
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}
