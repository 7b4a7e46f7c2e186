import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { nameUnfinished } from '../../../../src/engine/run/publish/unfinished-files.ts';
import { createPublisher, readError } from '../publishing-session.ts';

const WILD = `SELECT 1 AS a, 'x y;z' AS b, NULL AS c, 'say "hi"' AS d, '' AS e`;
const LATE = "SELECT CASE WHEN range = 900000 THEN error('boom') ELSE range END AS x FROM range(1000000)";

/** A script that publishes a file. */
function publishing(type: string, file: string, options: string, body: string): string {
  return `#+import "std/publication"
#+src sql A() #+meta { :publication { :type "${type}", :path "${file}", :options { ${options} } } }
#+begin
${body}
#+end
{{ publication.Run(blocks=[A]) }};`;
}

describe('a published CSV file', () => {
  it.each([
    ['no options', '', '1,x y;z,,say "hi",\n'],
    ['options without a value', ':header null, :delimiter null, :quote_char null', '1,x y;z,,say "hi",\n'],
    [
      'options with their default values',
      ':header false, :delimiter ",", :quote_char "", :null_value "", :encoding "UTF-8", :compression "NONE"',
      '1,x y;z,,say "hi",\n',
    ],
    ['a header', ':header true', 'a,b,c,d,e\n1,x y;z,,say "hi",\n'],
    ['a delimiter', ':delimiter "|"', '1|x y;z||say "hi"|\n'],
    ['a tabulator as delimiter', ':delimiter "\\t"', '1\tx y;z\t\tsay "hi"\t\n'],
    ['quotes', ':quote_char "\\""', '1,x y;z,,"say ""hi""",""\n'],
    ['single quotes', `:quote_char "'"`, '1,x y;z,,say "hi",\'\'\n'],
    ['a string for NULL', ':null_value "-"', '1,x y;z,-,say "hi",\n'],
    ['a string for NULL, and quotes', `:null_value "\\\\N", :quote_char "'"`, '1,x y;z,\\N,say "hi",\n'],
  ])('has %s', async (_, options, expected) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish(publishing('csv', 'a.csv', options, WILD));
    expect(publisher.read('a.csv')).toBe(expected);
  });

  it.each([
    [
      'a delimiter',
      '',
      "SELECT range AS a, 'x' || if(range = 2, ',', ';') AS b FROM range(4)",
      'the value of `b` in row 3',
    ],
    ['a line end', '', "SELECT ['a', E'b\\nc'] AS list", 'the value of `list` in row 1'],
    [
      'a delimiter in a date',
      ':delimiter "-"',
      "SELECT DATE '2026-01-01' AS day",
      'the value of `day` in row 1',
    ],
    ['a delimiter in its name', ':header true', 'SELECT 1 AS "a,b"', 'the name of the column `a,b`'],
  ])('without quotes refuses a value with %s, and writes it with quotes', async (_, options, body, what) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const [, message] = await readError(session.publish(publishing('csv', 'a.csv', options, body)));
    expect(message).toBe(
      `${what} contains the delimiter or a line end, which the file cannot hold without quotes: add \`:quote_char "\\""\` to \`:options\``,
    );
    expect(publisher.list()).toEqual([]);
    const quoted = [options, ':quote_char "\\""'].filter(Boolean).join(', ');
    await session.publish(publishing('csv', 'a.csv', quoted, body));
    expect(publisher.read('a.csv')).toContain('"');
  });

  it('distinguishes a value from NULL if it has quotes', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const body = "SELECT '-' AS a, NULL AS b";
    await session.publish(publishing('csv', 'a.csv', ':null_value "-", :quote_char "\\""', body));
    expect(publisher.read('a.csv')).toBe('"-",-\n');
  });

  it.each(['GZIP', 'gzip'])('can be compressed with %s', async (compression) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish(publishing('csv', 'a.csv.gz', `:compression "${compression}"`, WILD));
    const bytes = readFileSync(path.join(publisher.directory, 'a.csv.gz'));
    expect(gunzipSync(bytes).toString()).toBe('1,x y;z,,say "hi",\n');
  });

  it('has its header or is empty without rows', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const body = 'SELECT 1 AS x WHERE false';
    await session.publish(publishing('csv', 'a.csv', '', body));
    await session.publish(publishing('csv', 'b.csv', ':header true', body));
    expect([publisher.read('a.csv'), publisher.read('b.csv')]).toEqual(['', 'x\n']);
  });

  it('has the rows in order, and runs the statements before the query', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const body =
      'CREATE TEMP TABLE t AS FROM range(300000);\nSELECT range AS x FROM t ORDER BY range DESC; -- the end';
    await session.publish(publishing('csv', 'a.csv', '', body));
    const lines = publisher.read('a.csv').trimEnd().split('\n').map(Number);
    expect(lines).toEqual(Array.from({ length: 300_000 }, (_, i) => 299_999 - i));
  });

  it.each([
    [':compression "rar"', 'the option `:compression` must be one of none, gzip, zstd, not `rar`'],
    [':encoding "latin1"', 'the option `:encoding` must be one of utf-8, utf8, not `latin1`'],
    [':header "yes"', 'the option `:header` must be true or false, not `yes`'],
    [':overwrite 1', 'the option `:overwrite` must be true or false, not `1`'],
    [':null_value 0', 'the option `:null_value` must be a string, not `0`'],
    [
      ':quote_char { :a 1 }',
      'the option `:quote_char` must be one ASCII character or an empty string, not a map',
    ],
  ])('cannot have %s', async (options, message) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    expect(await readError(session.publish(publishing('csv', 'a.csv', options, WILD)))).toEqual([
      `main.sql:2:${79 + options.indexOf(' ')}`,
      message,
    ]);
    expect(publisher.list()).toEqual([]);
  });

  it('cannot use a connection', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const script = publishing('csv', 'a.csv', '', WILD).replace(':options {', ':connection "s3", :options {');
    expect(await readError(session.publish(script))).toEqual([
      'main.sql:2:79',
      'files have no connection `s3`: remove `:connection`',
    ]);
  });
});

describe('a published Parquet file', () => {
  it.each([
    ['', 'SNAPPY'],
    [':compression "zstd"', 'ZSTD'],
    [':compression "GZIP"', 'GZIP'],
    [':compression "uncompressed"', 'UNCOMPRESSED'],
  ])('has the rows, with the options { %s } compressed as %s', async (options, compression) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish(
      publishing('parquet', 'a.parquet', options, 'SELECT i, NULL::DATE AS d FROM range(9) t (i)'),
    );
    const file = `'${path.join(publisher.directory, 'a.parquet')}'`;
    expect(await session.rows(`SELECT count(*), sum(i), count(d) FROM ${file}`)).toEqual([
      [9n, expect.anything(), 0n],
    ]);
    expect(await session.rows(`SELECT DISTINCT compression FROM parquet_metadata(${file})`)).toEqual([
      [compression],
    ]);
  });

  it('has its columns without rows', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish(publishing('parquet', 'a.parquet', '', 'SELECT 1 AS x WHERE false'));
    const file = `'${path.join(publisher.directory, 'a.parquet')}'`;
    expect(await session.rows(`SELECT column_name, column_type FROM (DESCRIBE FROM ${file})`)).toEqual([
      ['x', 'INTEGER'],
    ]);
  });

  it('cannot have an unknown compression', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const script = publishing('parquet', 'a.parquet', ':compression "rar"', WILD);
    expect((await readError(session.publish(script)))[1]).toBe(
      'the option `:compression` must be one of snappy, gzip, zstd, lz4, brotli, uncompressed, none, not `rar`',
    );
    expect(publisher.list()).toEqual([]);
  });
});

describe.each(['csv', 'parquet'])('an existing file (%s)', (type) => {
  it('stays, and the error names the option to replace it', async () => {
    const publisher = await createPublisher();
    mkdirSync(publisher.directory);
    writeFileSync(path.join(publisher.directory, 'a'), 'old');
    const session = await publisher.open();
    for (const options of ['', ':overwrite false']) {
      expect((await readError(session.publish(publishing(type, 'a', options, WILD))))[1]).toBe(
        'the file `a` already exists: add `:overwrite true` to `:options` to replace it',
      );
    }
    expect([publisher.list(), publisher.read('a')]).toEqual([['a'], 'old']);
  });

  it('is replaced with `:overwrite true`', async () => {
    const publisher = await createPublisher();
    mkdirSync(publisher.directory);
    writeFileSync(path.join(publisher.directory, 'a'), 'old');
    const session = await publisher.open();
    for (const n of [1, 2]) {
      await session.publish(publishing(type, 'a', ':overwrite true', `SELECT ${n} AS n`));
      const reader = type === 'csv' ? 'read_csv' : 'read_parquet';
      const file = path.join(publisher.directory, 'a');
      const names = type === 'csv' ? ", names = ['n'], header = false" : '';
      expect(await session.rows(`SELECT n::INTEGER FROM ${reader}('${file}'${names})`)).toEqual([[n]]);
    }
    expect(publisher.list()).toEqual(['a']);
  });

  it('stays if the query fails, and no other file is left', async () => {
    const publisher = await createPublisher();
    mkdirSync(publisher.directory);
    writeFileSync(path.join(publisher.directory, 'a'), 'old');
    const session = await publisher.open();
    for (const body of [LATE, 'SELECT nope', "SELECT 'x'::INTEGER"]) {
      expect((await readError(session.publish(publishing(type, 'a', ':overwrite true', body))))[0]).toMatch(
        /^main\.sql:4:/,
      );
      await readError(session.publish(publishing(type, 'b', '', body)));
    }
    expect([publisher.list(), publisher.read('a')]).toEqual([['a'], 'old']);
  });
});

describe('the path of a published file', () => {
  it('can have new folders, spaces and quotes', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish(publishing('csv', "2024/q 1/it's.csv", '', 'SELECT 1'));
    await session.publish(publishing('csv', './x/../2024/b.csv', '', 'SELECT 2'));
    expect([publisher.read("2024/q 1/it's.csv"), publisher.read('2024/b.csv')]).toEqual(['1\n', '2\n']);
  });

  it.each(['../x', '2024/../../x', '/tmp/quern-published-x', '.', '..', '2024/..', 'a\\u0000b'])(
    'cannot be %s',
    async (file) => {
      const publisher = await createPublisher();
      const session = await publisher.open();
      const [at, message] = await readError(session.publish(publishing('csv', file, '', 'SELECT 1')));
      expect([at, message]).toEqual([
        'main.sql:2:58',
        `the path \`${JSON.parse(`"${file}"`)}\` is outside the folder for published files`,
      ]);
      expect(existsSync('/tmp/quern-published-x')).toBe(false);
      expect(existsSync(path.join(publisher.directory, '../x'))).toBe(false);
    },
  );

  it.each([
    ['s3://bucket/a.csv', '`s3://bucket/a.csv` is a URL: write a path in the folder for published files'],
    ['2024/', 'the path `2024/` names a folder: add a file name'],
  ])('cannot be %s, which names no file', async (file, message) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const error = await readError(session.publish(publishing('csv', file, '', 'SELECT 1')));
    expect(error).toEqual(['main.sql:2:58', message]);
    expect(publisher.list()).toEqual([]);
  });

  it.each([
    [`${'d'.repeat(255)}/${'é'.repeat(127)}b`, null],
    [`${'long/'.repeat(204)}name`, null],
    ['d'.repeat(256), 'a name in the path has 256 bytes, more than the limit of 255: use a shorter name'],
    [
      `${'é'.repeat(128)}/a`,
      'a name in the path has 256 bytes, more than the limit of 255: use a shorter name',
    ],
    [
      `${'long/'.repeat(204)}names`,
      'the path has 1025 bytes, more than the limit of 1024: use fewer folders or shorter names',
    ],
  ])('has at most 1,024 bytes, and 255 in each name (%#)', async (file, message) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    const published = session.publish(publishing('csv', file, '', 'SELECT 1'));
    if (message !== null) expect(await readError(published)).toEqual(['main.sql:2:58', message]);
    else await published;
    expect(existsSync(path.join(publisher.directory, file))).toBe(message === null);
  });

  it.each([
    ['a\\nb.csv', '000A'],
    ['folder\\r/b.csv', '000D'],
    ['\\u001b[2J', '001B'],
    ['a\\u007f', '007F'],
    ['a\\u009b', '009B'],
    ['a\\u2028', '2028'],
    ['a\\u202egpj.csv', '202E'],
    ['a\\ud800', 'D800'],
  ])('cannot have a control character such as in %s', async (file, code) => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    expect(await readError(session.publish(publishing('csv', file, '', 'SELECT 1')))).toEqual([
      'main.sql:2:58',
      `the path has the control character U+${code}: name the file without it`,
    ]);
    expect(publisher.list()).toEqual([]);
  });

  it.each(['link/x', 'link/deep/x', 'inner/../link/x'])(
    'cannot be %s, where the link leads out',
    async (file) => {
      const publisher = await createPublisher();
      const outside = path.join(publisher.directory, '../outside');
      for (const folder of [publisher.directory, outside]) mkdirSync(folder);
      symlinkSync('../outside', path.join(publisher.directory, 'link'));
      const session = await publisher.open();
      expect((await readError(session.publish(publishing('csv', file, '', 'SELECT 1'))))[1]).toBe(
        `the path \`${file}\` is outside the folder for published files`,
      );
      expect(existsSync(path.join(outside, 'x'))).toBe(false);
      expect(existsSync(path.join(outside, 'deep'))).toBe(false);
    },
  );

  it('can use a link to a folder inside, and replaces a link with a file', async () => {
    const publisher = await createPublisher();
    mkdirSync(path.join(publisher.directory, 'inner'), { recursive: true });
    symlinkSync('inner', path.join(publisher.directory, 'link'));
    const outside = path.join(publisher.directory, '../outside.csv');
    writeFileSync(outside, 'old');
    const link = path.join(publisher.directory, 'link.csv');
    symlinkSync(outside, link);
    const session = await publisher.open();
    await session.publish(publishing('csv', 'link/a.csv', '', 'SELECT 1'));
    await session.publish(publishing('csv', 'link.csv', ':overwrite true', 'SELECT 2'));
    expect(publisher.read('inner/a.csv')).toBe('1\n');
    expect([readFileSync(outside, 'utf8'), publisher.read('link.csv')]).toEqual(['old', '2\n']);
    expect(lstatSync(link).isSymbolicLink()).toBe(false);
  });
});

describe('two executions', () => {
  it('leave one complete file if they publish it at the same time', async () => {
    const publisher = await createPublisher();
    const sessions = await Promise.all([1, 2, 3].map(() => publisher.open()));
    await Promise.all(
      sessions.map((session, n) =>
        session.publish(publishing('csv', 'a.csv', ':overwrite true', `SELECT ${n} AS n FROM range(200000)`)),
      ),
    );
    const lines = publisher.read('a.csv').trimEnd().split('\n');
    expect([lines.length, new Set(lines).size, publisher.list()]).toEqual([200_000, 1, ['a.csv']]);
  });
});

describe('an unfinished file', () => {
  /** The id of a process that has ended. */
  const gone = spawnSync(process.execPath, ['-e', '']).pid;

  it('is removed if the process that wrote it has ended', async () => {
    const publisher = await createPublisher();
    const session = await publisher.open();
    await session.publish(publishing('csv', 'a.csv', ':overwrite true', 'SELECT 1'));
    const own = path.basename(nameUnfinished(publisher.directory));
    const names = {
      gone: own.replace(`-${process.pid}-`, `-${gone}-`),
      beside: `${own.replace(`-${process.pid}-`, `-${gone}-`)}.rows`,
      running: own,
      elsewhere: own.replace(/^\.quern-[0-9a-f]{8}-\d+/, '.quern-00000000-1'),
      forgotten: own.replace(/^\.quern-[0-9a-f]{8}-\d+/, '.quern-00000000-2'),
      unlike: '.quern-notes',
    };
    for (const name of Object.values(names)) writeFileSync(path.join(publisher.directory, name), 'x');
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    for (const name of [names.forgotten, names.unlike]) {
      utimesSync(path.join(publisher.directory, name), yesterday, yesterday);
    }
    await session.publish(publishing('csv', 'a.csv', ':overwrite true', 'SELECT 2'));
    const left = [names.running, names.elsewhere, names.unlike, 'a.csv'];
    expect([...publisher.list()].sort()).toEqual(left.sort());
    expect(publisher.read('a.csv')).toBe('2\n');
  });
});
