import { COLUMNS, STEPS } from './record-session.ts';
import type { Run, Style } from './styled-text.ts';

/** The size of a character and the space around the text, in pixels. */
const CELL = { width: 8, height: 18 };
const PADDING = 20;
const FONT =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace";

/** The colours of a theme; every text has a contrast of at least 4.5 to 1 with the background. */
export interface Theme extends Readonly<Record<Style, string>> {
  readonly background: string;
  readonly border: string;
}

export const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    background: '#f6f8fa',
    border: '#d0d7de',
    plain: '#24292f',
    bold: '#0b0e12',
    prompt: '#57606a',
    cut: '#57606a',
    error: '#b3202c',
    success: '#116329',
    warning: '#7a4b00',
  },
  dark: {
    background: '#14181f',
    border: '#3d444d',
    plain: '#d5dbe3',
    bold: '#ffffff',
    prompt: '#9aa4af',
    cut: '#9aa4af',
    error: '#ff8f87',
    success: '#6fd58a',
    warning: '#e8b75a',
  },
};

/** Draws the lines of a terminal as an SVG document, which follows the colour theme of its reader. */
export function drawPicture(lines: readonly (readonly Run[])[]): string {
  const width = COLUMNS * CELL.width + 2 * PADDING;
  const height = lines.length * CELL.height + 2 * PADDING;
  const size = `width="${width}" height="${height}"`;
  const texts = lines.flatMap((runs, index) => (runs.length === 0 ? [] : [drawLine(runs, index)]));
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">Quern in a terminal</title>
<desc id="description">${escapeXml(describeSteps())}</desc>
<style>
text { font: 13px ${FONT}; white-space: pre; }
.bold { font-weight: bold; }
${printTheme(THEMES.light)}
@media (prefers-color-scheme: dark) {
${printTheme(THEMES.dark)}
}
</style>
<rect class="background" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.join('\n')}
</svg>
`;
}

function describeSteps(): string {
  const steps = STEPS.map(({ command, description }) => {
    const name = command.split(/ (?:--|")|\n/)[0];
    return `${name}: ${description}.`;
  });
  return `Commands and their output. ${steps.join(' ')}`;
}

function printTheme({ background, border, ...texts }: Theme): string {
  const fills = Object.entries(texts).map(([style, colour]) => `.${style} { fill: ${colour}; }`);
  return [`.background { fill: ${background}; stroke: ${border}; }`, ...fills].join('\n');
}

/** Draws each part at its column, and as wide as its characters, in every font. */
function drawLine(runs: readonly Run[], index: number): string {
  const y = PADDING + index * CELL.height + 13;
  let column = 0;
  const parts = runs.map(({ style, text }) => {
    const x = PADDING + column * CELL.width;
    column += text.length;
    const wide = `textLength="${text.length * CELL.width}" lengthAdjust="spacingAndGlyphs"`;
    return `<tspan class="${style}" x="${x}" ${wide}>${escapeXml(text)}</tspan>`;
  });
  return `<text y="${y}" xml:space="preserve">${parts.join('')}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
