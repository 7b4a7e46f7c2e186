import { describe, expect, it } from 'vitest';
import { createPublicationLog } from '../../../src/engine/run/publish/publication-log.ts';
import { declare, IMPORT } from './publishing-scripts.ts';
import { openScriptSession, readError, useKinds } from './script-session.ts';

const OPEN =
  'the transaction that this statement starts is still open at the end, so its changes are rolled back';
/** Trino writes to few catalogs within a transaction. */
const KINDS = useKinds().filter(({ kind }) => kind !== 'trino');

const APPEND = `${IMPORT}${declare('A', ':type "table", :name "sales", :incremental "append"', 'SELECT 1 AS id')}`;
const RUN = '{{ publication.Run(blocks=[A]) }};';

describe.each(KINDS)('a script that ends in a transaction on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('fails and reports no publication if it has published something', async () => {
    const session = await openScriptSession(kind);
    await session.run(`${APPEND}${RUN}`);
    const log = createPublicationLog();
    const error = await readError(session.run(`${APPEND}\nBEGIN;\n${RUN}\nSELECT 1 AS x;`, { log }));
    expect([error.line, error.column, error.message]).toEqual([7, 1, expect.stringContaining(OPEN)]);
    expect(log.targets).toEqual([]);
    expect(await session.query('SELECT id FROM sales')).toEqual([[1]]);
  });

  it.skipIf(!isThere)('fails if it has changed rows, and changes nothing', async () => {
    const session = await openScriptSession(kind);
    await session.query('CREATE TABLE t (id INTEGER)');
    for (const begin of ['BEGIN', 'START TRANSACTION']) {
      const error = await readError(session.run(`SELECT 1 AS x;\n${begin};\nINSERT INTO t VALUES (1);`));
      expect([error.line, error.column, error.message]).toEqual([2, 1, expect.stringContaining(OPEN)]);
    }
    expect(await session.query('SELECT id FROM t')).toEqual([]);
  });

  it.skipIf(!isThere || kind === 'mysql')('fails if an EXPLAIN has run a change', async () => {
    const session = await openScriptSession(kind);
    await session.query('CREATE TABLE t (id INTEGER)');
    const error = await readError(session.run('BEGIN;\nEXPLAIN ANALYZE INSERT INTO t VALUES (1);'));
    expect([error.line, error.message]).toEqual([1, expect.stringContaining(OPEN)]);
    expect(await session.query('SELECT id FROM t')).toEqual([]);
    const { rows } = await session.run('BEGIN; EXPLAIN SELECT id FROM t;');
    expect(rows.length).toBeGreaterThan(0);
  });

  it.skipIf(!isThere)('returns its rows if it has only read', async () => {
    const session = await openScriptSession(kind);
    const { rows } = await session.run('BEGIN; SELECT 7 AS x;');
    expect(rows).toEqual([[7]]);
  });

  it.skipIf(!isThere)('reports publications after the commit, and none after a rollback', async () => {
    const session = await openScriptSession(kind);
    await session.run(`${APPEND}${RUN}`);
    const log = createPublicationLog();
    await session.run(`${APPEND}BEGIN;\n${RUN}\nROLLBACK;\nBEGIN;\n${RUN}\n${RUN}\nCOMMIT;`, { log });
    expect(log.targets.map(({ name, rows }) => [name, rows])).toEqual([
      ['sales', 2],
      ['sales', 3],
    ]);
    expect(await session.query('SELECT id FROM sales')).toEqual([[1], [1], [1]]);
  });
});
