import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { connect } from './demo.ts';

const TEXTS = ["x' OR '1'='1", '0 or true', '$1', '?', '\\', '"', '😀', '', "''"];

describe.skipIf(!hasCluster)('values that are bound on Trino', () => {
  const getCluster = useCluster();

  async function run(sql: string, values: unknown) {
    const cwd = await makeHome();
    await connect(cwd, 'lake', getCluster(), { catalog: 'tpch' });
    writeFiles(cwd, { 'values.json': JSON.stringify(values) });
    return quern(['sql', sql, '-c', 'lake', '--bind-file', 'values.json', '--format', 'json'], { cwd });
  }

  it('are texts as they are', async () => {
    const columns = TEXTS.map((_, at) => `$${at + 1} AS c${at}`).join(', ');
    const { stdout } = await run(`SELECT ${columns}, '?' AS mark -- ? $1`, TEXTS);
    expect(JSON.parse(String(stdout)).result.data).toEqual([[...TEXTS, '?']]);
  });

  it('have their types', async () => {
    const values = {
      day: { type: 'date', value: '2026-01-15' },
      time: { type: 'timestamp', value: '2026-01-15T09:30:00.25' },
      zoned: { type: 'timestamp', value: '2026-01-15T09:30:00+01:00' },
      clock: { type: 'time', value: '09:30:00' },
      large: { type: 'decimal', value: '12345678901234567890123456789012345.678' },
      bytes: { type: 'binary', value: 'AAEC' },
      double: { type: 'double', value: 0.5 },
      none: null,
      list: [1, 2, 3],
      n: 41,
    };
    const sql = `SELECT typeof($day) AS a, typeof($time) AS b, typeof($zoned) AS c, typeof($clock) AS d,
      CAST($large AS VARCHAR) AS e, to_hex($bytes) AS f, typeof($double) AS g, $none IS NULL AS h,
      contains($list, 2) AS i, $n + 1 AS j, CAST($day AS VARCHAR) AS k, $n AS l`;
    const { stdout, stderr } = await run(sql, values);
    expect(stderr).toBe('');
    expect(JSON.parse(String(stdout)).result.data).toEqual([
      [
        'date',
        'timestamp(2)',
        'timestamp(0) with time zone',
        'time(0)',
        '12345678901234567890123456789012345.678',
        '000102',
        'double',
        true,
        true,
        42,
        '2026-01-15',
        41,
      ],
    ]);
  });

  it('show errors where the user has written them', async () => {
    const [text, values] = ["SELECT $1 AS a, 'it''s' AS b,", ['a']];
    expect((await run(`${text}\n  $1 AS c, nothing_here`, values)).stderr).toMatch(/^sql:2:12: error: /);
    expect((await run(`${text} nothing_here`, values)).stderr).toMatch(/^sql:1:31: error: /);
    expect((await run(`${text} 1 +`, values)).stderr).toMatch(/^sql:1:34: error: /);
  });
});
