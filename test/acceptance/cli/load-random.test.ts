import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { share } from '../../support/rotation.ts';
import '../../support/seed.ts';

const pad = (n: number, size = 2) => String(n).padStart(size, '0');
const day = fc.tuple(
  fc.integer({ min: 1900, max: 2100 }),
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 1, max: 28 }),
);
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map((parts) => parts.map((part) => pad(part)).join(':'));
const iso = day.map(([y, m, d]) => `${y}-${pad(m)}-${pad(d)}`);
const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength });

/** Texts of columns, by what they look like. */
const TEXTS = {
  small: fc.integer({ min: -999, max: 999 }).map(String),
  whole: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  vast: digits(60),
  code: digits(5),
  price: fc.tuple(fc.nat(99_999), digits(2)).map(([whole, cents]) => `${whole}.${cents}`),
  precise: fc
    .tuple(fc.bigInt({ min: 0n, max: 2n ** 60n }), digits(25))
    .map(([whole, part]) => `${whole}.${part}`),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  float: fc.constantFrom(
    'NaN',
    'inf',
    '-inf',
    'Infinity',
    '1e400',
    '1e-400',
    '.5',
    '5.',
    '-0',
    '+3',
    ' 7 ',
    '1_000',
    '0x1F',
  ),
  word: fc.constantFrom('true', 'false', 'TRUE', 'False'),
  letter: fc.constantFrom('t', 'f', 'T', '1', '0', 'yes'),
  day: iso,
  looseDay: day.map((parts) => parts.join('-')),
  dayMonth: day.map(([y, m, d]) => `${pad(d)}/${pad(m)}/${y}`),
  monthDay: day.map(([y, m, d]) => `${pad(m)}.${pad(d)}.${y}`),
  moment: fc.tuple(iso, clock).map(([date, time]) => `${date} ${time}`),
  exactMoment: fc.tuple(iso, clock, digits(9)).map(([date, time, part]) => `${date}T${time}.${part}`),
  zoned: fc
    .tuple(iso, clock, fc.constantFrom('Z', '+02', '-05:30', '+01:00'))
    .map(([date, time, zone]) => `${date}T${time}${zone}`),
  time: clock,
  separated: fc
    .tuple(fc.integer({ min: 1, max: 999 }), digits(3))
    .map(([one, two]) => `${one},${two.padStart(3, '0')}`),
  text: fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\n\0]/g, ' ')),
  name: fc.constantFrom(
    'Ada',
    'Grace "the" Great',
    "it's",
    'a, b',
    'ä;ö',
    '12 Main St',
    '-',
    'NULL',
    'nan x',
    '1.2.3',
  ),
} as const;
type Name = keyof typeof TEXTS;
const names = Object.keys(TEXTS) as Name[];

/** A column of one sort, in which a few values may be of another. */
const column = fc.tuple(
  fc.constantFrom(...names),
  fc.constantFrom(...names),
  fc.constantFrom(0, 0, 0.02, 0.3),
  fc.constantFrom(0, 0.1),
);

interface RandomFile {
  readonly rows: readonly (readonly string[])[];
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly lineEnd: string;
}

const file: fc.Arbitrary<RandomFile> = fc
  .tuple(fc.array(column, { minLength: 2, maxLength: 6 }), fc.integer({ min: 1, max: 60 }), fc.gen())
  .map(([columns, count, gen]) => ({
    rows: Array.from({ length: count }, () =>
      columns.map(([one, other, share_, empty]) => {
        const chance = gen(fc.nat, 999) / 1000;
        if (chance < empty) return '';
        return gen(() => TEXTS[chance > 1 - share_ ? other : one]);
      }),
    ),
    delimiter: gen(() => fc.constantFrom(',', ';', '\t', '|')),
    isQuoted: gen(fc.boolean),
    lineEnd: gen(() => fc.constantFrom('\n', '\r\n')),
  }));

function print({ rows, delimiter, isQuoted, lineEnd }: RandomFile): string {
  const header = (rows[0] ?? []).map((_, at) => `c${at}`);
  const cell = (text: string) =>
    (isQuoted && text !== '') || /["',;|\t#]/.test(text) || text !== text.trim()
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  return [header, ...rows].map((row) => row.map(cell).join(delimiter) + lineEnd).join('');
}

/** A form that is equal for texts of equal values. */
function toForm(text: string | null): string {
  if (text === null || text === '') return 'NULL';
  return toNumber(text) ?? toMoment(text) ?? toWord(text);
}

function toWord(text: string): string {
  const word = text.toLowerCase();
  if (/^(?:t|f|true|false)$/.test(word)) return word[0]!;
  return /^[+-]?(?:inf|infinity|nan)$/.test(word) ? word.replace('infinity', 'inf').replace('+', '') : text;
}

function toNumber(text: string): string | undefined {
  const match = /^\s*([+-]?)(0|[1-9]\d*|)(?:\.(\d*))?(?:e([+-]?\d+))?\s*$/i.exec(text);
  if (match === null || !/\d/.test(text)) return undefined;
  const [, sign, whole = '', part = '', exponent = '0'] = match;
  const all = `${whole}${part}`.replace(/^0+/, '');
  const shown = all.replace(/0+$/, '');
  if (shown === '') return '0';
  return `${sign === '-' ? '-' : ''}${shown}e${Number(exponent) - part.length + (all.length - shown.length)}`;
}

function toMoment(text: string): string | undefined {
  const time = /^(\d\d):(\d\d)(?::(\d\d)(?:\.0*)?)?$/.exec(text);
  if (time !== null) return `${time[1]}:${time[2]}:${time[3] ?? '00'}`;
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(text);
  if (match === null) return undefined;
  const [, y, m, d, at, part = '', zone] = match;
  const date = `${y}-${pad(Number(m))}-${pad(Number(d))}`;
  if (at === undefined) return date;
  const fraction = part.replace(/0+$/, '');
  if (zone === undefined) return `${date} ${at}.${fraction}`;
  const offset = zone === 'Z' ? 'Z' : zone.length === 3 ? `${zone}:00` : zone;
  return `${new Date(`${date}T${at}${offset}`).toISOString()} ${fraction}`;
}

/** The numbers of a date in any order. */
function toParts(text: string | null): string {
  return (text ?? '')
    .split(/\D+/)
    .map(Number)
    .sort((one, other) => one - other)
    .join(' ');
}

describe('a random csv file', () => {
  it('has the same values in its table, except what a message has named', { timeout: 900_000 }, async () => {
    const cwd = await makeHome();
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(file, async (random) => {
        writeFiles(cwd, { 'r.csv': print(random) });
        const { exitCode, stdout, stderr } = await quern(['load', 'r.csv', '--replace', '--json'], { cwd });
        if (exitCode !== 0) {
          expect(stderr).toMatch(/^error: \S*r\.csv.*\n.*--/);
          return;
        }
        const { columns } = JSON.parse(stdout) as { columns: { name: string; type: string }[] };
        const read = await quern(['sql', 'SELECT columns(*)::VARCHAR FROM r', '--format', 'json'], { cwd });
        const { data } = JSON.parse(read.stdout).result as { data: (string | null)[][] };
        if (/the first .* skipped|after `.*` was skipped/.test(stderr)) return;
        expect(columns.map(({ name }) => name)).toEqual(random.rows[0]!.map((_, at) => `c${at}`));
        const isOtherDate = (at: number) =>
          columns[at]!.type === 'DATE' || stderr.includes(`\`c${at}\` was read as`);
        const isNamed = (at: number) => stderr.includes(`of \`c${at}\` kept a quote`);
        const forms = (rows: readonly (readonly (string | null)[])[]) =>
          rows.map((row) =>
            row.map((text, at) => (isNamed(at) ? '' : isOtherDate(at) ? toParts(text) : toForm(text))),
          );
        expect(forms(data)).toEqual(forms(random.rows));
        loaded += 1;
      }),
      { numRuns: share(1500), endOnFailure: true },
    );
    expect(loaded).toBeGreaterThan(share(1500) / 2);
  });
});
