import { describe, expect, it, onTestFinished } from 'vitest';
import { DatabaseError } from '../../../../src/engine/connection/contract/connection.ts';
import type { Translate } from '../../../../src/engine/connection/contract/translate.ts';
import { createTranslatingConnection } from '../../../../src/engine/connection/semantic/translating-connection.ts';
import { createWarnings } from '../../../../src/engine/run/outcome/warnings.ts';
import { openMemory } from '../../result/encode.ts';
import { never, query } from '../results.ts';

/**
 * A language of a model: `ask SQL` runs it, `hint SQL` warns, and other statements are refused at the second
 * character.
 */
const translate: Translate = async (statement) => {
  const [, word, sql] = /^(ask|hint) (.+)$/s.exec(statement) ?? [];
  if (sql === undefined) return { status: 'refused', span: { start: 1, end: 4 }, message: 'no' };
  return { status: 'done', sql, warnings: word === 'hint' ? ['look'] : [], clock: null };
};

async function open(own: Translate = translate) {
  const physical = await openMemory();
  onTestFinished(() => physical.close());
  const { warn, list } = createWarnings();
  return { physical, warnings: list, session: createTranslatingConnection(physical, own, warn) };
}

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: DatabaseError) => [
      error instanceof DatabaseError,
      error.code,
      error.message,
      error.offset,
      error.length,
    ],
  );

describe('a session in front of a database', () => {
  it('runs the translation of a statement', async () => {
    const { session } = await open();
    expect(await query(session, 'ask SELECT 1 + 1')).toEqual([[2]]);
  });

  it('reports the position of a refused statement, and no positions in the translated SQL', async () => {
    const { session } = await open();
    const refused = [true, 'refused', 'no', 1, 3];
    expect(await errorOf(session.run('SELECT 1', never))).toEqual(refused);
    expect(await errorOf(session.exportParquet('SELECT 1', '/nowhere/x.parquet', 1, never))).toEqual(refused);
    const failed = await errorOf(session.run('ask SELECT nothing', never));
    expect(failed).toEqual([true, 'sql', expect.stringContaining('nothing'), undefined, undefined]);
    const target = await session.publishing.resolve(null, 't', never);
    const view = await errorOf(session.publishing.replaceView(target, 'ask SELECT nothing', never));
    expect(view).toEqual([true, 'sql', expect.stringContaining('nothing'), undefined, undefined]);
    const history = { key: ['a'], changes: null, time: '2026-01-01 00:00:00.000000' };
    const views = [
      session.publishing.replaceTable(target, 'SELECT 1', { primary: [], unique: [] }, never),
      session.publishing.replaceView(target, 'SELECT 1', never),
      session.publishing.append(target, 'SELECT 1', {}, never),
      session.publishing.merge(target, 'SELECT 1', { key: ['a'], changes: null }, never),
      session.publishing.startHistory(target, 'SELECT 1', history, never),
      session.publishing.continueHistory(target, 'SELECT 1', history, never),
      session.publishing.writeFile(
        'SELECT 1',
        '/nowhere/x',
        { type: 'parquet', compression: 'snappy' },
        never,
      ),
    ];
    for (const one of views) expect(await errorOf(one)).toEqual(refused);
    expect(await session.publishing.find(target, never)).toBeNull();
  });

  it('publishes the translation of a query, with untyped NULLs as strings', async () => {
    const { session, physical } = await open();
    const target = await session.publishing.resolve(null, 't', never);
    const keys = { primary: [], unique: [] };
    await session.publishing.replaceTable(target, 'ask SELECT NULL AS a, 1 AS b', keys, never);
    await session.publishing.append(target, "ask SELECT 'x' AS a, 2 AS b", {}, never);
    await session.publishing.merge(
      target,
      "ask SELECT 'y' AS a, 2 AS b",
      { key: ['b'], changes: null },
      never,
    );
    expect(await query(physical, 'SELECT * FROM t ORDER BY b')).toEqual([
      [null, 1],
      ['y', 2],
    ]);
  });

  it('translates a statement once for its check and its run, and warns when it runs', async () => {
    const asked: string[] = [];
    const { session, warnings } = await open((statement, signal) => {
      asked.push(statement);
      return translate(statement, signal);
    });
    await session.checkMeaning?.('hint SELECT 1', never);
    expect(warnings()).toEqual([]);
    await query(session, 'hint SELECT 1');
    expect(warnings()).toEqual([{ severity: 'warning', code: 'model', message: 'look', suggestion: null }]);
    expect(asked).toEqual(['hint SELECT 1']);
    expect(await errorOf(Promise.resolve(session.checkMeaning?.('x', never)))).toEqual([
      true,
      'refused',
      'no',
      1,
      3,
    ]);
  });

  it('sends only as much of a statement as its refusal needs, and caches no long statement', async () => {
    const lengths: number[] = [];
    const { session } = await open(async (statement) => {
      lengths.push(statement.length);
      return { status: 'done', sql: 'SELECT 1', warnings: [], clock: null };
    });
    for (let round = 0; round < 2; round += 1) await query(session, 'x'.repeat(3 * 1024 ** 2));
    expect(lengths).toEqual([1024 ** 2 + 1, 1024 ** 2 + 1]);
  });

  it('creates no named relations', async () => {
    const { session } = await open();
    const { relations } = session;
    const refused = await errorOf(relations.createTable('t', 'ask SELECT 1', never));
    expect(refused).toEqual([
      true,
      'refused',
      expect.stringContaining('no temporary tables'),
      undefined,
      undefined,
    ]);
    expect(await errorOf(relations.createTable('t', 'DELETE', never))).toEqual([true, 'refused', 'no', 1, 3]);
    expect([relations.createView, await relations.listTemporary(never)]).toEqual([null, []]);
  });
});
