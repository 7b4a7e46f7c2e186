import { readFileSync } from 'node:fs';
import path from 'node:path';
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { drawPicture, THEMES } from '../../scripts/picture/draw-picture.ts';
import { COLUMNS, recordSession } from '../../scripts/picture/record-session.ts';
import { cutLine, parseLine } from '../../scripts/picture/styled-text.ts';
import { hasTerminal } from '../support/type-on-terminal.ts';

const picture = path.resolve(import.meta.dirname, '../../docs/images/terminal.svg');
const SVG = { svg: 'http://www.w3.org/2000/svg' };

function readTexts(xpath: string): readonly string[] {
  using document = XmlDocument.fromString(readFileSync(picture, 'utf8'));
  return document.find(xpath, SVG).map((node) => (node as XmlElement).content);
}

/** The relative luminance of a colour (WCAG 2.2, "relative luminance"). */
function readLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function readContrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [readLuminance(one), readLuminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('the picture of a terminal', () => {
  it.skipIf(!hasTerminal)('shows the actual output of its commands', async () => {
    expect(
      drawPicture(await recordSession()),
      'run `npx node scripts/draw-terminal.ts` and look at the new picture',
    ).toBe(readFileSync(picture, 'utf8'));
  });

  it('shows an example of each kind, within its width', () => {
    const lines = readTexts('//svg:text');
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    const text = lines.join('\n');
    for (const shown of ['$ quern demo', '$ quern sql', '$ quern test', '$ quern semantic query', '^~~~~']) {
      expect(text).toContain(shown);
    }
  });

  it('has a title and a description for readers who do not see it', () => {
    const [title = ''] = readTexts('/svg:svg[@role="img"]/svg:title[@id="title"]');
    const [description = ''] = readTexts('/svg:svg/svg:desc[@id="description"]');
    expect(title).not.toBe('');
    expect(description).toContain('quern test project: runs four data tests');
    expect(readFileSync(picture, 'utf8')).toContain('aria-labelledby="title description"');
  });

  it('refers to no other file, script or font', () => {
    const text = readFileSync(picture, 'utf8').replace('xmlns="http://www.w3.org/2000/svg"', '');
    expect(text).not.toMatch(/https?:|url\(|@import|@font-face|<script|href=/);
  });

  it.each(Object.entries(THEMES))(
    'is readable in the %s theme',
    (_, { background, border: _border, ...texts }) => {
      for (const [style, colour] of Object.entries(texts)) {
        expect(readContrast(colour, background), style).toBeGreaterThanOrEqual(4.5);
      }
      expect(readContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    },
  );
});

describe('a line of a terminal', () => {
  it('becomes parts with styles, and is cut at the width', () => {
    const runs = parseLine('\u001b[31mFAILED\u001b[39m a.Test');
    expect(runs).toEqual([
      { style: 'error', text: 'FAILED' },
      { style: 'plain', text: ' a.Test' },
    ]);
    expect(cutLine(runs, 9).map(({ text }) => text)).toEqual(['FAILED', ' a', '…']);
    expect(cutLine(runs, 13)).toEqual(runs);
  });

  it('may not contain an unknown code', () => {
    expect(() => parseLine('\u001b[35mtext')).toThrow('no style for the code 35');
  });
});
