import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

type Colour = readonly [red: number, green: number, blue: number];

const css = readFileSync(path.join(import.meta.dirname, '../../web/values.css'), 'utf8');
const SCHEMES = ['light', 'dark'] as const;
/** `--mantine-color-body` of `web/theme.ts`. */
const BODY = { light: '#ffffff', dark: '#1d1b19' };

/** How people with full and with deficient colour vision see linear RGB (Machado, Oliveira and Fernandes 2009). */
const VISIONS: Readonly<Record<string, readonly Colour[]>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** The colour of a variable, as `#rrggbb`. */
function read(name: string, scheme: 'light' | 'dark'): string {
  const found = new RegExp(`--quern-${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css);
  return found![scheme === 'light' ? 1 : 2]!;
}

function toLinear(hex: string): Colour {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [red!, green!, blue!];
}

/** The contrast ratio of WCAG 2. */
function contrast(one: string, other: string): number {
  const [a, b] = [one, other].map((hex) => {
    const [red, green, blue] = toLinear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(a!, b!) / Math.min(a!, b!);
}

const dot = (row: Colour, colour: Colour) => row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2];

/** A colour in OKLab, where distances are as large as they look. */
function toOklab(colour: Colour): Colour {
  const long = Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], colour));
  const medium = Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], colour));
  const short = Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], colour));
  const cones: Colour = [long, medium, short];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

function distance(one: string, other: string, vision: readonly Colour[]): number {
  const [a, b] = [one, other].map((hex) => {
    const seen = vision.map((row) => Math.min(1, Math.max(0, dot(row, toLinear(hex)))));
    return toOklab([seen[0]!, seen[1]!, seen[2]!]);
  });
  return Math.hypot(a![0] - b![0], a![1] - b![1], a![2] - b![2]);
}

describe.each(SCHEMES)('the %s values', (scheme) => {
  const grounds = [BODY[scheme], read('surface-sunken', scheme)];
  const allGrounds = [...grounds, read('surface-frame', scheme), read('surface-raised', scheme)];
  const data = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => read(`data-${number}`, scheme));

  it.each(['text-muted', 'success-text', 'warning-text', 'danger-text', 'info-text', 'accent-text'])(
    'have a readable %s',
    (name) => {
      for (const ground of allGrounds) {
        expect(contrast(read(name, scheme), ground)).toBeGreaterThan(4.5);
      }
    },
  );

  it.each(['success', 'warning', 'danger', 'info', 'accent'])('have a readable %s on its surface', (name) => {
    const [text, surface] = [read(`${name}-text`, scheme), read(`${name}-surface`, scheme)];
    expect(contrast(text, surface)).toBeGreaterThan(4.5);
  });

  it('have a visible focus', () => {
    for (const ground of allGrounds) expect(contrast(read('focus', scheme), ground)).toBeGreaterThan(3);
  });

  it('have data colours that stand out from the page', () => {
    for (const colour of data) {
      for (const ground of grounds) expect(contrast(colour, ground), colour).toBeGreaterThan(3);
    }
  });

  it.each(Object.entries(VISIONS))('have data colours that differ with %s vision', (_name, vision) => {
    const pairs = data.flatMap((one, index) => data.slice(index + 1).map((other) => [one, other] as const));
    for (const [one, other] of pairs) {
      expect(distance(one, other, vision), `${one} ${other}`).toBeGreaterThan(0.1);
    }
  });
});
