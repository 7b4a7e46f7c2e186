import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { share } from '../../support/rotation.ts';
import { runSession, type Step } from '../../support/session-on-terminal.ts';
import { hasTerminal } from '../../support/type-on-terminal.ts';

const CSV = { args: 'repl --format csv' };
const [PASTE, PASTE_END] = ['\u001b[200~', '\u001b[201~'];
const LASTING = 'SELECT count(*) FROM range(1000000000) a, range(1000000) b;';

/** Text that is a part of a string, and looks like the end of a statement, a comment or a quote. */
const PIECES = [
  ';',
  '\n',
  '--',
  '/*',
  '*/',
  "''",
  '"',
  '$$',
  'é',
  '𝄞',
  '\\',
  'SELECT',
  '.quit',
  ' ',
  'a',
  '0',
];

const md5 = (text: string) => createHash('md5').update(text.replaceAll("''", "'")).digest('hex');

const PIECE = fc.constantFrom(...PIECES);

/** A statement of this number of bytes, most of them in a string. */
function printStatement(bytes: number): string {
  const [head, tail] = ["SELECT md5('", "') AS hash, 'THE' || 'END' AS mark;"];
  const pieces = fc.sample(PIECE, 2_000);
  const parts: string[] = [];
  for (let left = bytes - head.length - tail.length; left > 0; ) {
    const piece = pieces[parts.length % pieces.length]!;
    const size = Buffer.byteLength(piece);
    parts.push(size <= left ? piece : 'b');
    left -= size <= left ? size : 1;
  }
  return `${head}${parts.join('')}${tail}`;
}

/** Many statements, with at least this number of bytes in total. */
function printStatements(bytes: number): string {
  const lines: string[] = [];
  let size = 0;
  for (let at = 0; size < bytes; at += 1) {
    const line = `SELECT ${at} AS a, -- b; 'c\n  'd;\n${'-'.repeat(1_500)}' AS e;\n`;
    lines.push(line);
    size += line.length;
  }
  lines.push("SELECT 'THE' || 'END' AS mark;");
  return lines.join('');
}

describe.skipIf(!hasTerminal)('a text that is pasted', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await makeHome();
  });

  /** What a session prints for a text, without the text. */
  async function paste(text: string, isBracketed: boolean): Promise<string> {
    const keys = text.replaceAll('\n', '\r');
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', isBracketed ? `${PASTE}${keys}${PASTE_END}` : keys],
        ['', '\r'],
        ['THEEND', '\u0004'],
      ],
      CSV,
    );
    return screen;
  }

  async function runFile(text: string): Promise<string> {
    writeFiles(cwd, { 'a.sql': text });
    const { stdout } = await quern(['sql', '--file', 'a.sql', '--format', 'csv'], { cwd });
    return String(stdout);
  }

  describe.each([
    ['as one text', true],
    ['as keys', false],
  ])('%s', (_, isBracketed) => {
    it.each([4_095, 4_096, 4_097, 100_000, 5_000_000])(
      'runs a statement of %i bytes unchanged',
      async (bytes) => {
        const text = printStatement(bytes);
        expect(Buffer.byteLength(text)).toBe(bytes);
        const expected = await runFile(text);
        expect(expected).toContain(md5(text.slice(12, text.lastIndexOf("') AS hash"))));
        expect(await paste(text, isBracketed)).toContain(`\n${expected}`);
      },
    );

    it.each([4_095, 100_000])('runs statements of %i bytes in their order', async (bytes) => {
      const text = printStatements(bytes);
      const screen = await paste(text, isBracketed);
      const rows = [...screen.matchAll(/^(\d+),"d;$/gm)].map(([, at]) => Number(at));
      const count = text.split(' AS a,').length - 1;
      expect(rows).toEqual(Array.from({ length: count }, (_, at) => at));
    });
  });

  it('waits for Enter, without prompts of continued lines', async () => {
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', `${PASTE}SELECT 40\r+ 2 AS a;\rSELECT 1${PASTE_END}`],
        ['SELECT 1', ' + 1 AS b;'],
        ['AS b;', '\r'],
        ['a\n42\n\nb\n2\n', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('duckdb> SELECT 40\n+ 2 AS a;\nSELECT 1 + 1 AS b;\na\n42\n');
  });

  it('shows control characters, and never obeys them', async () => {
    const { sent } = await runSession(
      cwd,
      [
        ['duckdb> ', `${PASTE}SELECT length('\u001b]0;title\u0007\u001b[2J\u0008') AS a;${PASTE_END}`],
        ['AS a;', '\r'],
        ['a\n15\n', ''],
        ['duckdb> ', `${PASTE}SELECT 'b\u0000c';${PASTE_END}`],
        ["c';", '\r'],
        ['error: SQL cannot contain a NUL character', '\u0004'],
      ],
      CSV,
    );
    expect(sent).toContain("SELECT length('␛]0;title␇␛[2J␈') AS a;");
    expect(sent).toContain("SELECT 'b␀c';");
    expect(sent).not.toContain('\u001b]0;');
    expect(sent).not.toContain('\u001b[2J');
    expect(sent).not.toContain('\u0000');
  });

  it('ends after two seconds if the mark of its end is missing', async () => {
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', `${PASTE}SELECT 40 + 2 AS a;`],
        ['AS a;', '\r'],
        ['a\n42\n', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('a\n42\n');
  });
});

describe.skipIf(!hasTerminal)('texts that are typed ahead', () => {
  it('arrive in order, at any moment', async () => {
    const texts = fc.sample(fc.array(PIECE, { maxLength: 12 }), share(200));
    const scripts = texts.map((pieces, at) => {
      const text = pieces.join('');
      const comment = ['', ' -- c;', ' /* d; */'][at % 3]!;
      return `SELECT ${at} AS at,${comment}\n md5('${text}') = '${md5(text)}' AS same;\n`;
    });
    const keys = Buffer.from(`${scripts.join('').replaceAll('\n', '\r')}SELECT 'THE' || 'END' AS mark;\r`);
    const sizes = fc.sample(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(6_000)), keys.length);
    const pauses = fc.sample(fc.integer({ min: 0, max: 200 }), keys.length);
    const cwd = await makeHome();
    const type = async (write: (part: Uint8Array) => void) => {
      for (let [part, at] = [0, 0]; at < keys.length; part += 1) {
        write(keys.subarray(at, at + sizes[part]!));
        at += sizes[part]!;
        for (let turns = pauses[part]!; turns > 0; turns -= 1) await nextTurn();
      }
    };
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', type],
        ['THEEND', '\u0004'],
      ],
      CSV,
    );
    const rows = [...screen.matchAll(/^at,same\n(\d+),(\w+)$/gm)].map(([, at, same]) => [Number(at), same]);
    expect(rows).toEqual(scripts.map((_, at) => [at, 'true']));
  });

  it('are dropped by Ctrl-C, which cancels the statement', async () => {
    const { screen } = await runSession(
      await makeHome(),
      [
        ['duckdb> ', `${LASTING}\r`],
        ['running SQL', 'SELECT 1 AS dropped;\r\u0003\u0003'],
        ['cancelled', ''],
        ['duckdb> ', 'SELECT 2 AS kept;\r'],
        ['kept\n2\n', '\u0004'],
      ],
      CSV,
    );
    expect(screen).not.toContain('dropped\n1\n');
  });
});

describe.skipIf(!hasTerminal)('the line editor', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await makeHome();
    await quern(['sql', 'CREATE TABLE lighthouses (height INTEGER)'], { cwd });
  });

  it('ends the session at Ctrl-D in an empty line of a statement, and deletes in others', async () => {
    const { screen, code } = await runSession(
      cwd,
      [
        ['duckdb> ', 'SELECT 42x AS a;\u0001\u001b[1;5C\u001b[1;5C\u001b[D\u0004\u0005\r'],
        ['a\n42\n', ''],
        ['duckdb> ', 'SELECT 1\r'],
        ['     -> ', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('a\n42\n');
    expect(code).toBe(0);
  });

  it('shows texts on a terminal of 8 columns', async () => {
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', "SELECT 'abcdefghijk' AS a;\u001b[D\u001b[D\u001b[C\u001b[C\r"],
        ['a\nabcdefghijk\n', '\u001b[A'],
        ["ijk' AS \na;", '\r'],
        ['a\nabcdefghijk\n', '\u0004'],
      ],
      { ...CSV, columns: 8 },
    );
    expect(screen).toContain("duckdb> \nSELECT '\nabcdefgh\nijk' AS \na;");
  });

  it('continues after Ctrl-Z and `fg`, with its text and its session', async () => {
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', 'CREATE TEMP TABLE a AS SELECT 41 AS b;\r'],
        ['duckdb> ', 'SELECT b'],
        ['SELECT b', '\u001a'],
        ['shell> ', 'fg\r'],
        ['duckdb> SELECT b', ' + 1 AS c FROM a;\r'],
        ['c\n42\n', `${LASTING}\r`],
        ['running SQL', '\u001a'],
        ['shell> ', 'fg\r'],
        ['running SQL', '\u0003'],
        ['cancelled', ''],
        ['duckdb> ', '\u0004'],
        ['shell> ', 'exit\r'],
      ],
      { ...CSV, hasShell: true },
    );
    expect(screen).toContain('c\n42\n');
  });

  it.each([
    ['quit\r', ''],
    ['EXIT;\r', ''],
    ['\\q\r', ''],
    ['help\r\u0004', '.tables'],
    ['\\?\r\u0004', '.tables'],
    ['\\dt\r\u0004', 'lighthouses,BASE TABLE'],
    ['\\d\r\u0004', 'lighthouses,BASE TABLE'],
    ['\\d lighthouses\r\u0004', 'height,INTEGER,YES'],
    ['\\x\r\u0004', 'expanded on'],
    ['\\timing on\r\u0004', 'timer on'],
    ['\\c\r\u0004', 'connection duckdb'],
    ['\\i none.sql\r\u0004', 'none.sql'],
    [
      '.schema lighthuoses\r\u0004',
      'error: there is no table or view `lighthuoses`\nhint: did you mean `lighthouses`?',
    ],
    ['.schema LIGHTHOUSES\r\u0004', 'height,INTEGER,YES'],
    [
      '\\d nothing_like_it\r\u0004',
      'error: there is no table or view `nothing_like_it`\nhint: .tables lists them',
    ],
    ['\\nope\r\u0004', 'error: unknown command `\\nope`; .help lists the commands'],
    ['SELECT 1 AS help\r, 2 AS\rquit\r;\r\u0004', 'help,quit\n1,2\n'],
  ])('takes %j as a command only at the start of a statement', async (keys, shown) => {
    const { screen, code } = await runSession(cwd, [['duckdb> ', keys]], CSV);
    expect(screen).toContain(shown);
    expect(screen.match(/syntax error/)).toBeNull();
    expect(code).toBe(0);
  });
});

describe.skipIf(!hasTerminal)('the number of changed rows', () => {
  const steps: readonly Step[] = [
    ['duckdb> ', 'CREATE TABLE a AS SELECT range AS i, 0 AS n FROM range(3);\r'],
    ['duckdb> ', 'INSERT INTO a VALUES (8, 0), (9, 0);\r'],
    ['duckdb> ', 'UPDATE a SET n = 1 WHERE i = 8;\r'],
    ['duckdb> ', 'DELETE FROM a WHERE i > 8;\r'],
    ['duckdb> ', 'MERGE INTO a USING (SELECT 1 AS i) b ON a.i = b.i WHEN MATCHED THEN UPDATE SET n = 2;\r'],
    ['duckdb> ', "COPY a TO 'a.csv';\r"],
    ['duckdb> ', 'DELETE FROM a WHERE i > 8;\r'],
    ['duckdb> ', '.quit\r'],
  ];
  const LINES = [
    'inserted 2 rows',
    'updated 1 row',
    'deleted 1 row',
    'changed 1 row',
    'copied 4 rows',
    'deleted 0 rows',
  ];

  it('follows INSERT, UPDATE, DELETE, MERGE and COPY', async () => {
    const { screen } = await runSession(await makeHome(), steps, CSV);
    expect(screen.match(/^(?:inserted|updated|deleted|changed|copied) .*$/gm)).toEqual(LINES);
  });

  it('is not printed with -q', async () => {
    const { screen } = await runSession(await makeHome(), steps, { args: 'repl -q --format csv' });
    expect(screen).not.toMatch(/^(?:inserted|updated|deleted|changed|copied) /m);
  });
});

describe.skipIf(!hasTerminal)('the history', () => {
  const file = (cwd: string) => path.join(cwd, '.quern_history');

  it('has whole statements with their comments, which can be edited', async () => {
    const cwd = await makeHome();
    await runSession(
      cwd,
      [
        ['duckdb> ', 'SELECT 1 -- a; b\r+ 2 AS\r c;\r'],
        ['c\n3\n', 'SELECT 5 AS d; SELECT 6 AS e;\r'],
        ['e\n6\n', '\u0004'],
      ],
      CSV,
    );
    expect(readFileSync(file(cwd), 'utf8')).toBe(
      'SELECT 6 AS e;\nSELECT 5 AS d;\nSELECT 1 -- a; b\n\t+ 2 AS\n\t c;\n',
    );
    const { screen } = await runSession(
      cwd,
      [
        ['duckdb> ', '\u001b[A\u001b[A\u001b[A'],
        ['     ->  c;', '\u001b[D9'],
        ['9;', '\r'],
        ['c9\n3\n', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('c9\n3\n');
  });

  it.each([
    "CREATE SECRET s (TYPE s3, SECRET 'hidden');",
    "create /* a */ or replace\rpersistent secret s (TYPE s3, SECRET 'hidden');",
    "ALTER USER a PASSWORD 'hidden';",
    "ALTER USER a WITH PASSWORD = 'hidden';",
    "CREATE USER a IDENTIFIED BY 'hidden';",
  ])('does not have %j', async (statement) => {
    const cwd = await makeHome();
    await runSession(
      cwd,
      [
        ['duckdb> ', `SELECT 1 AS a; ${statement} SELECT 2 AS b;\r`],
        ['b\n2\n', '\u0004'],
      ],
      CSV,
    );
    expect(readFileSync(file(cwd), 'utf8')).toBe('SELECT 2 AS b;\nSELECT 1 AS a;\n');
  });

  it.each([
    ['a folder', (name: string) => mkdirSync(name)],
    ['from an old version', (name: string) => writeFileSync(name, 'SELECT 1\nAS a;\n\n.tables\n')],
    [
      'of any bytes',
      (name: string) => writeFileSync(name, Buffer.from(Array.from({ length: 600 }, (_, at) => at))),
    ],
    ['of many entries', (name: string) => writeFileSync(name, 'SELECT 1;\n'.repeat(200_000))],
  ])('may be %s', async (_, make) => {
    const cwd = await makeHome();
    rmSync(file(cwd), { recursive: true, force: true });
    make(file(cwd));
    const { code, screen } = await runSession(
      cwd,
      [
        ['duckdb> ', '\u001b[A\u0003'],
        ['^C', 'SELECT 40 + 2 AS a;\r'],
        ['a\n42\n', '\u0004'],
      ],
      CSV,
    );
    expect(screen).toContain('a\n42\n');
    expect(code).toBe(0);
  });
});
