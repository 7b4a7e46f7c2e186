import { describe, expect, it } from 'vitest';
import { readPage } from '../../../../src/engine/connection/trino/page.ts';

const ROWS = [
  [1, 'a blank  and a "quote"', null, [1, { x: 2.5 }]],
  [-3e30, '{"data":[1]},"stats":\n\\', true, []],
];
const OTHERS = {
  id: '20260101_000000_00001_abcde',
  columns: [{ name: 'data', type: 'varchar' }],
  stats: { state: 'RUNNING' },
};

/** Every place between two signs outside of texts gets these blanks. */
function spread(json: string, blanks: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]/g, (part) => `${blanks}${part}${blanks}`);
}

const pages = {
  'rows before other keys': { id: OTHERS.id, columns: OTHERS.columns, data: ROWS, stats: OTHERS.stats },
  'rows last': { ...OTHERS, data: ROWS },
  'no rows': { ...OTHERS, data: [] },
};
const FORMATS: Readonly<Record<string, (page: object) => string>> = {
  'no blanks': (page) => JSON.stringify(page),
  'lines of two spaces': (page) => JSON.stringify(page, null, 2),
  tabs: (page) => JSON.stringify(page, null, '\t'),
  'a blank after data': (page) => JSON.stringify(page).replace('"data":', '"data": '),
  'a blank before the colon': (page) => JSON.stringify(page).replace('"data":', '"data" :'),
  'a blank in the first row': (page) => JSON.stringify(page).replace('[1,', '[ 1 ,'),
  'blanks everywhere': (page) => spread(JSON.stringify(page), ' \r\n'),
};

describe.each(Object.entries(FORMATS))('an answer with %s', (_format, print) => {
  it.each(Object.entries(pages))('has %s', (_case, page) => {
    const { envelope, bytes, start, end } = readPage(Buffer.from(print(page)));
    const { data, ...others } = page;
    expect(envelope).toEqual(others);
    // The reader of rows expects them without blanks.
    expect(bytes.toString('utf8', start, end)).toBe(JSON.stringify(data).slice(1, -1));
  });

  it('has rows in another place', () => {
    const data = { encoding: 'json', segments: [{ type: 'inline', data: 'W10=', metadata: {} }] };
    const { envelope, start, end } = readPage(Buffer.from(print({ ...OTHERS, data })));
    expect([envelope, end - start]).toEqual([{ ...OTHERS, data }, 0]);
  });

  it('has neither', () => {
    const { envelope, start, end } = readPage(Buffer.from(print(OTHERS)));
    expect([envelope, end - start]).toEqual([OTHERS, 0]);
  });
});

it.each(['', ' ', '{', '{"data": ', '{"id": "a', '[ 1 ]', '<html> </html>'])(
  'an answer that is not one of Trino is refused: %j',
  (text) => {
    expect(() => readPage(Buffer.from(text))).toThrow(/not one of Trino/);
  },
);
