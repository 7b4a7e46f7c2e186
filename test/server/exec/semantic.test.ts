import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const modelOf = (measure: string, source = "query: SELECT 'a' AS kind") =>
  modelWith(`    - name: e
      ${source}
      dimensions: [{ name: kind, data_type: TEXT, expr: kind }]
      measures: [{ name: ${measure}, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]
`);
const on = { connection: { name: 'live' } };

/** A server with a connection `live` to a model in the catalog, and a script that counts. */
async function start(...how: Parameters<typeof createExecWorld>) {
  const world = await createExecWorld(...how);
  const addModel = async (name: string, options: object) => {
    const body = { name, kind: 'semantic', options: { model: '@Shared/live.yaml', ...options } };
    const { status, text } = await world.ask('POST', '/api/v1/manage/connections', { body });
    if (status !== 201) throw new Error(text);
  };
  await addModel('live', { connection: 'duckdb' });
  await world.put('@Shared/count', 'SELECT n FROM e');
  return { ...world, addModel, count: () => world.script('@Shared/count', on) };
}

async function replace({ ask }: ExecWorld, path: string, content: string): Promise<void> {
  const target = `/api/v1/catalog/assets/${encodeURIComponent(path)}`;
  const { status, text } = await ask('PUT', target, { headers: { 'if-match': '*' }, body: { content } });
  if (status !== 200) throw new Error(text);
}

describe('a script on a semantic connection', () => {
  it('uses the current model, or its last valid version', async () => {
    const world = await start();
    expectRefusal(await world.count(), 400, 'No semantic model found for connection');
    await world.put('@Shared/live.yaml', modelOf('n', 'tabel_name: t'));
    expectRefusal(await world.count(), 422, expect.stringMatching(/^The semantic model has errors:\n/));
    await replace(world, '@Shared/live.yaml', modelOf('n'));
    const sound = await world.count();
    expect([rowsOf(sound), sound.text]).toEqual([[[1]], expect.not.stringContaining('warnings')]);
    await replace(world, '@Shared/live.yaml', '{');
    const stale = await world.count();
    expect([rowsOf(stale), stale.body]).toMatchObject([
      [[1]],
      { warnings: [{ message: 'The model currently has errors; this answer uses the last valid version' }] },
    ]);
    await replace(world, '@Shared/live.yaml', modelOf('m'));
    expectRefusal(await world.count(), 422, expect.stringContaining('there is no column `n`'));
  });

  it('is refused where the connection only compiles', async () => {
    const world = await start();
    await world.put('@Shared/live.yaml', modelOf('n'));
    await world.addModel('only', {});
    const only = { connection: { name: 'only' } };
    expectRefusal(await world.script('@Shared/count', only), 422, 'Connection only only compiles');
    expectRefusal(await world.sql('SELECT n FROM e', only), 422, 'Connection only only compiles');
  });

  it('is refused with its position where the translation takes too long', async () => {
    const limits = { readMs: 60_000, askMs: 1, memoryMb: 1_024 };
    const world = await start({}, { warn: () => undefined, limits });
    await world.put('@Shared/live.yaml', modelOf('n'));
    const message = '@Shared/count:1:1: error: the statement is too large to be translated to SQL: split it';
    expectRefusal(await world.count(), 422, expect.stringContaining(message));
  });

  it('translates all of its many statements before the first one runs', async () => {
    const world = await start();
    await world.put('@Shared/live.yaml', modelOf('n'));
    const statements = Array.from({ length: 300 }, (_, at) => `SELECT n FROM e WHERE kind <> '${at}'`);
    expect(rowsOf(await world.sql(statements.join(';\n'), on))).toEqual([[1]]);
    const last = await world.sql([...statements, 'SELECT m FROM e'].join(';\n'), on);
    expectRefusal(last, 422, expect.stringMatching(/^sql:301:8: error: there is no column `m`/));
  });
});
