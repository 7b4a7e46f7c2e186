import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, quernProcess, writeFiles } from '../../support/quern.ts';
import { listParts, makeWorkbook, makeZip } from '../../support/workbook.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../fixtures/workbooks');

async function load(book: Uint8Array | string, args: readonly string[] = []) {
  const cwd = await makeHome();
  const file = typeof book === 'string' ? path.join(FOLDER, book) : 'book.xlsx';
  if (typeof book !== 'string') writeFiles(cwd, { 'book.xlsx': book });
  const { exitCode, stdout, stderr } = await quern(['load', file, '--table', 't', ...args], { cwd });
  const message = String(stderr).replaceAll(`${cwd}/`, '').replaceAll(`${FOLDER}/`, '');
  return { cwd, exitCode, types: readTypes(String(stdout)), message };
}

function readTypes(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ {2,}/, ' '));
}

/** The cells as texts, so that nothing is rounded. */
async function readCells(cwd: string): Promise<unknown> {
  const { stdout } = await quern(['sql', 'SELECT COLUMNS(*)::VARCHAR FROM t', '--json'], { cwd });
  return JSON.parse(String(stdout)).result.data;
}

const COLUMNS = [
  'id BIGINT',
  'code VARCHAR',
  'ok BOOLEAN',
  'day DATE',
  'at TIMESTAMP',
  'clock TIME',
  'price DOUBLE',
  'note VARCHAR',
  'length INTERVAL',
];
const FIRST = ['1', '00123', 'true', '2026-01-15', '2026-01-15 23:59:59', '23:59:59', '1.5'];
const SECOND = ['2', '0456', 'false', '1904-01-02', '1999-12-31 00:00:01', '00:00:01', '2.0'];
const THIRD = ['3', '7', null, '2024-02-29', '2100-02-28 12:00:00', null, '-1e-07'];
const LAST = ['999999999999999', null, 'true', '9999-12-31', '2026-06-01 06:07:08.25', '12:00:00', '0.1'];

describe('quern load reads a workbook', () => {
  it.each([
    ['openpyxl.xlsx', [], '\r & <b>'],
    ['openpyxl-1904.xlsx', [], '\r & <b>'],
    ['xlsxwriter.xlsx', ['--skip', '2'], '_x000D_ & <b>'],
  ])('of another program, %s, with every cell', async (file, args, escaped) => {
    const { cwd, types, message } = await load(file, args);
    expect([message, types]).toEqual(['loaded 4 rows into t\n', COLUMNS]);
    expect(await readCells(cwd)).toEqual([
      [...FIRST, 'a, "b"\nc', '36:05:00'],
      [...SECOND, 'plain bold', '01:30:00'],
      [...THIRD, escaped, null],
      [...LAST, ' blank ', null],
    ]);
  });

  it('that LibreOffice has converted, with every cell', async () => {
    const { cwd, types, message } = await load('libreoffice.xlsx');
    expect([message, types]).toEqual([
      'loaded 3 rows into t\n',
      [
        'id BIGINT',
        'code VARCHAR',
        'day DATE',
        'at TIMESTAMP',
        'time TIME',
        'flag BOOLEAN',
        'price DOUBLE',
        'double BIGINT',
        'label VARCHAR',
      ],
    ]);
    expect(await readCells(cwd)).toEqual([
      ['1', '007', '2026-01-15', '2026-01-15 23:59:59', '23:59:59', 'true', '1.25', '2', 'a, "b" ä€'],
      ['2', '010', '1999-12-31', '2000-02-29 00:00:01', '00:00:01', 'false', '0.1', '4', 'two  spaces'],
      ['3', '100', null, null, null, 'true', '-3.0', '6', null],
    ]);
  });

  it('with the stored values of formulas', async () => {
    const { cwd, types } = await load('xlsxwriter.xlsx', ['--sheet', 'Sums', '--null', '#DIV/0!']);
    expect(types).toEqual(['sum BIGINT', 'text VARCHAR', 'yes BOOLEAN', 'error VARCHAR']);
    expect(await readCells(cwd)).toEqual([['2', 'ab', 'true', null]]);
  });

  it('that was written by hand', async () => {
    const { cwd, types, message } = await load(
      makeWorkbook({
        is1904: false,
        formats: [
          '[$-407]dd\\.mm\\.yy;@',
          'h:mm AM/PM',
          '[Red]0.00 &quot;days&quot;',
          'mmm d',
          'd/m/yy h:mm',
        ],
        strings:
          '<si><t>A&amp;B</t><rPh><t>no</t></rPh></si><si><r><t>x </t></r><r><rPr><b/></rPr><t>y&#x41;</t></r></si>',
        rows: [
          '<row r="2"><c t="s"><v>0</v></c><c r="B2" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
          '<c t="str"><f>1</f><v>d</v></c><c t="str"><v>t</v></c><c><v>5</v></c><c t="str"><v>m</v></c><c t="str"><v>i</v></c></row>',
          '<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4"><v>1E+3</v></c><c s="1"><v>59</v></c><c s="2"><v>0.5</v></c>',
          '<c s="3"><v>1.25</v></c><c s="4"><v>61</v></c><c t="d"><v>2026-02-03T04:05:06Z</v></c></row>',
          '<row><c t="inlineStr"><is><t> <![CDATA[<&]]></t></is></c><c><v>-7.0</v></c><c s="1"><v>1</v></c>',
          '<c s="2"><v>0.99999999</v></c><c/><c s="5"><v>45000.000011574</v></c><c t="d"><v>2026-02-03</v></c></row>',
        ].join('\n'),
      }),
    );
    expect(message).toBe('loaded 2 rows into t\n');
    expect(types).toEqual([
      'A&B VARCHAR',
      'inline BIGINT',
      'd DATE',
      't TIME',
      '5 DOUBLE',
      'm TIMESTAMP',
      'i TIMESTAMP',
    ]);
    expect(await readCells(cwd)).toEqual([
      ['x yA', '1000', '1900-02-28', '12:00:00', '1.25', '1900-03-01 00:00:00', '2026-02-03 04:05:06'],
      [' <&', '-7', '1900-01-01', '23:59:59.999', null, '2023-03-15 00:00:01', '2026-02-03 00:00:00'],
    ]);
  });

  it('with numbers that a double does not hold', async () => {
    const rows =
      '<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>' +
      '<row><c><v>9007199254740993</v></c><c><v>123456789012345678901234567890</v></c></row>';
    const { cwd, types } = await load(makeWorkbook({ rows }));
    expect(types).toEqual(['a BIGINT', 'b HUGEINT']);
    expect(await readCells(cwd)).toEqual([['9007199254740993', '123456789012345678901234567890']]);
  });

  it('with columns of several kinds as text', async () => {
    const cells = (values: readonly string[]) => `<row>${values.join('')}</row>`;
    const rows = [
      cells(['<c t="str"><v>a</v></c>', '<c t="str"><v>b</v></c>', '<c t="str"><v>c</v></c>']),
      cells(['<c><v>1</v></c>', '<c t="b"><v>1</v></c>', '<c t="str"><v>007</v></c>']),
      cells(['<c t="str"><v>x</v></c>', '<c><v>1</v></c>', '<c t="str"><v>"#q</v></c>']),
    ].join('');
    const { cwd, types, message } = await load(makeWorkbook({ rows }));
    expect([message, types]).toEqual(['loaded 2 rows into t\n', ['a VARCHAR', 'b VARCHAR', 'c VARCHAR']]);
    expect(await readCells(cwd)).toEqual([
      ['1', 'true', '007'],
      ['x', '1', '"#q'],
    ]);
  });

  it('with a million empty rows and cells outside of the header', async () => {
    const empty = Array.from({ length: 1_000_000 }, () => '<row s="1"/>').join('');
    const rows =
      `<row r="3"><c r="C3" t="str"><v>h</v></c></row>${empty}` +
      '<row r="1048576"><c r="B1048576"><v>1</v></c><c r="E1048576"><v>2</v></c></row>';
    const { cwd, types } = await load(makeWorkbook({ rows }));
    expect(types).toEqual(['column0 BIGINT', 'h VARCHAR', 'column2 VARCHAR', 'column3 BIGINT']);
    expect(await readCells(cwd)).toEqual([['1', null, null, '2']]);
  });

  it('from standard input, and names the row of a value that a type does not hold', async () => {
    const cwd = await makeHome();
    const row = (at: number, value: string) => `<row r="${at}"><c><v>${value}</v></c></row>`;
    const book = makeWorkbook({ rows: row(1, '10') + row(2, '20') + row(9, '3.5') });
    writeFiles(cwd, { 'book.xlsx': book });
    const args = ['load', 'book.xlsx', '--no-header', '--table', 't'];
    const refused = await quern([...args, '--types', 'column0=BIGINT'], { cwd });
    expect(refused.stderr).toContain(
      'book.xlsx:9: BIGINT does not hold `3.5` of the column `column0` exactly',
    );
    const piped = await quernProcess(['load', '-', '--no-header', '--table', 't', '--json'], {
      cwd,
      input: book,
    });
    expect(JSON.parse(piped.stdout)).toEqual({
      table: 't',
      rows: 3,
      columns: [{ name: 'column0', type: 'DOUBLE' }],
    });
  });

  it('whose list of parts is far from its start', async () => {
    const start = [
      { name: 'docProps/app.xml', data: Buffer.from('<Properties/>') },
      { name: 'large.bin', data: Buffer.alloc(200_000, 'no part of a workbook') },
    ];
    const book = makeZip([...start, ...listParts({ rows: NUMBER })]);
    const { cwd, message } = await load(book, ['--no-header']);
    expect(message).toBe('loaded 1 row into t\n');
    const piped = await quernProcess(['load', '-', '--no-header', '--table', 'u'], { cwd, input: book });
    expect(piped.stderr).toBe('loaded 1 row into u\n');
  });

  it('with texts as in csv where a flag says how they are written', async () => {
    const text = (value: string) => `<c t="str"><v>${value}</v></c>`;
    const rows =
      `<row>${text('n')}${text('d')}<c t="str"><v>m</v></c></row>` +
      `<row>${text('1.234,5')}${text('31.12.2026')}<c><v>0.25</v></c></row>`;
    const flags = ['--thousands', '.', '--date-format', '%d.%m.%Y'];
    const { cwd, types } = await load(makeWorkbook({ rows }), flags);
    expect(types).toEqual(['n DOUBLE', 'd DATE', 'm DOUBLE']);
    expect(await readCells(cwd)).toEqual([['1234.5', '2026-12-31', '0.25']]);
  });

  it('into an existing table, and with its last rows left out', async () => {
    const cwd = await makeHome();
    const cell = (value: string) => `<row><c t="str"><v>${value}</v></c></row>`;
    writeFiles(cwd, { 'book.xlsx': makeWorkbook({ rows: cell('code') + cell('001') + cell('total') }) });
    const args = ['load', 'book.xlsx', '--table', 't', '--skip-footer', '1'];
    await quern(args, { cwd });
    const { stderr } = await quern([...args, '--append'], { cwd });
    expect([stderr, await readCells(cwd)]).toEqual(['added 1 row to t\n', [['001'], ['001']]]);
  });
});

const NUMBER = '<row><c><v>1</v></c></row>';
const BOOK = makeWorkbook({ rows: NUMBER });
const OLD = Buffer.concat([Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), Buffer.alloc(1016)]);
const ENCRYPTED = Buffer.from(OLD);
ENCRYPTED.writeUInt16LE(9, 30);
ENCRYPTED.write('EncryptedPackage', 700, 'utf16le');

/** A workbook whose sheet has other properties. */
function changeSheet(change: {
  readonly size?: number;
  readonly data?: Buffer;
  readonly isEncrypted?: boolean;
}) {
  const parts = listParts({ rows: NUMBER });
  return makeZip(parts.map((part) => (part.name === 'one.xml' ? { ...part, ...change } : part)));
}

function withoutPart(name: string): Buffer {
  return makeZip(listParts({ rows: NUMBER }).filter((part) => part.name !== name));
}

describe('quern load refuses', () => {
  it.each<readonly [string, Uint8Array, readonly string[], string]>([
    ['a sheet that is not there', BOOK, ['--sheet', 'x'], 'book.xlsx has no sheet `x`; it has `S`'],
    ['a workbook with a password', ENCRYPTED, [], 'book.xlsx has a password: save it without one'],
    ['an old workbook', OLD, [], 'book.xlsx is an old workbook (.xls): save it as .xlsx'],
    [
      'csv by another name',
      Buffer.from('a,b\n1,2\n'),
      [],
      'book.xlsx is not a workbook by its first bytes: use --type csv',
    ],
    ['a compressed workbook', gzipSync(BOOK), [], 'book.xlsx is a compressed workbook: decompress it first'],
    [
      'a workbook that claims to be huge',
      changeSheet({ size: 0xfffffff0 }),
      [],
      'book.xlsx has more than 4,000,000,000 bytes when it is unpacked: save the sheet as csv',
    ],
    [
      'a sheet that is longer than it claims',
      changeSheet({ data: Buffer.alloc(100_000, '<row/>'), size: 1000 }),
      [],
      'book.xlsx is damaged, and nothing was loaded: one.xml is longer than its list says',
    ],
    [
      'an encrypted part',
      changeSheet({ isEncrypted: true }),
      [],
      'book.xlsx has a password: save it without one',
    ],
    [
      'a truncated workbook',
      BOOK.subarray(0, -100),
      [],
      'book.xlsx is damaged, and nothing was loaded: its end is missing',
    ],
    [
      'a document without a workbook',
      withoutPart('_rels/.rels'),
      [],
      'book.xlsx has no sheets of the format .xlsx: save it as .xlsx',
    ],
    [
      'a workbook without its sheet',
      withoutPart('one.xml'),
      [],
      'book.xlsx is damaged, and nothing was loaded: one.xml is missing',
    ],
    [
      'XML that is incomplete',
      changeSheet({ data: Buffer.from('<worksheet><sheetData><row>') }),
      [],
      'book.xlsx is damaged, and nothing was loaded: one.xml: its XML is incomplete',
    ],
    [
      'XML with entities of a DTD',
      changeSheet({ data: Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>') }),
      [],
      'book.xlsx is damaged, and nothing was loaded: one.xml: its XML has a DTD',
    ],
    [
      'an error cell',
      makeWorkbook({ rows: '<row r="7"><c r="AB7" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>' }),
      [],
      "book.xlsx: AB7 is the error #DIV/0!. --null '#DIV/0!' reads it as NULL",
    ],
    [
      'a formula without a stored value',
      makeWorkbook({ rows: '<row><c><f>A2</f><v/></c></row>' }),
      [],
      "book.xlsx: A1 is a formula without a stored value. Save it in a spreadsheet program, or use --null ''",
    ],
    [
      'a date that does not exist',
      makeWorkbook({ formats: ['yyyy-mm-dd'], rows: '<row><c s="1"><v>60</v></c></row>' }),
      [],
      'book.xlsx: A1: `60` is not a valid date',
    ],
    [
      'a shared text that is missing',
      makeWorkbook({ rows: '<row><c t="s"><v>9</v></c></row>' }),
      [],
      'book.xlsx: A1: `9` is not a valid shared text',
    ],
    [
      'to skip all rows',
      makeWorkbook({ rows: NUMBER + NUMBER }),
      ['--skip', '2'],
      '--skip 2: the sheet of book.xlsx has only 2 rows; use a smaller number',
    ],
    ['a flag of csv', BOOK, ['--delimiter', ';'], '--delimiter has no effect on xlsx: omit it'],
    ['an empty sheet', makeWorkbook({ rows: '<row/>' }), [], 'book.xlsx: the sheet `S` has no values'],
  ])('%s', async (_, book, args, message) => {
    const { cwd, exitCode, message: shown } = await load(book, args);
    expect(shown).toBe(`error: ${message}\n`);
    expect(exitCode).toBeGreaterThan(0);
    expect((await quern(['sql', 'FROM t'], { cwd })).stderr).toContain('Table with name t does not exist');
  });

  it('a workbook by the name of csv, and --sheet of csv', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'a.csv': BOOK, 'b.csv': 'a\n1\n' });
    const { stderr } = await quern(['load', 'a.csv'], { cwd });
    expect(stderr).toBe('error: a.csv is xlsx by its first bytes: use --type xlsx\n');
    const { exitCode } = await quern(['load', 'a.csv', '--type', 'xlsx', '--no-header'], { cwd });
    expect(exitCode).toBe(0);
    const sheet = await quern(['load', 'b.csv', '--sheet', 'S'], { cwd });
    expect(sheet.stderr).toBe('error: --sheet has no effect on csv: omit it\n');
  });

  it('no advice that fails: --null reads the cells of the messages as NULL', async () => {
    const rows = '<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>';
    const cells = '<c t="e"><v>#N/A</v></c><c><f>A2</f></c><c><v>1</v></c>';
    const book = makeWorkbook({ rows: `${rows}<row>${cells}</row>` });
    const { cwd, exitCode } = await load(book, ['--null', '#N/A', '--null', '']);
    expect([exitCode, await readCells(cwd)]).toEqual([0, [[null, null, '1']]]);
  });
});
