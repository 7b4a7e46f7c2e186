import { expect, it, onTestFinished } from 'vitest';
import type { ModelFile } from '../../../src/semantic/model/load/list-model-files.ts';
import { readQuery } from '../../../src/semantic/query/read-query.ts';
import { createServedModels } from '../../../src/workspace/models/served-models.ts';

const LAYER = 'version: "1.0"\nlayers:\n- name: l\n  environment: { platform: duckdb }\n  domains:\n';
const QUESTION = {
  query: readQuery({ measures: [{ entity: 'e', field: 'm' }] }),
  strict: false,
  explain: false,
};

/** A model with a measure that counts the rows of a table. */
function filesOf(table: string, revision: string): () => readonly ModelFile[] {
  const text =
    `${LAYER}  - name: d\n    entities:\n    - name: e\n      table_name: ${table}\n      measures:\n` +
    '      - { name: m, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }\n';
  return () => [{ name: 'm.yaml', revision, read: () => ({ source: { name: 'm.yaml', text } }) }];
}

function start() {
  const models = createServedModels({ warn: () => undefined });
  onTestFinished(() => models.close());
  return models;
}

it('are loaded again after they were evicted', async () => {
  const models = start();
  const askFor = async (id: string, table: string, revision = table) => {
    const model = await models.load({ id, listFiles: filesOf(table, revision) }, 'ada');
    const answer = await models.ask(model, QUESTION, 'ada');
    return answer.status === 'done' ? answer.answer.sql.split('\n')[1] : answer;
  };
  expect(await askFor('first', 'old')).toBe('FROM old AS "e"');
  for (let at = 0; at < 100; at += 1) {
    await models.load({ id: `other ${at}`, listFiles: filesOf('t', 't') }, 'ada');
  }
  expect(await askFor('first', 'new')).toBe('FROM new AS "e"');
  expect(await askFor('other 0', 't')).toBe('FROM t AS "e"');
});

it('answer each query with the version that it loaded, while they change', async () => {
  const models = start();
  const tables = Array.from({ length: 30 }, (_, at) => `t${at}`);
  const answers = tables.map(async (table) => {
    const model = await models.load({ id: 'one', listFiles: filesOf(table, table) }, 'ada');
    const answer = await models.ask(model, QUESTION, 'ada');
    return answer.status === 'done' ? answer.answer.sql : answer.status;
  });
  const expected = tables.map((table) => expect.stringContaining(`FROM ${table} AS`));
  expect(await Promise.all(answers)).toEqual(expected);
});

it('keep their version when a read fails, and are read again', async () => {
  const models = start();
  const load = (listFiles: () => readonly ModelFile[]) => models.load({ id: 'one', listFiles }, 'ada');
  const valid = await load(filesOf('t', '1'));
  const missing = () => {
    throw new Error('gone');
  };
  await expect(load(missing)).rejects.toThrow('gone');
  expect(await load(filesOf('t', '1'))).toBe(valid);
  const unreadable = () => [{ name: 'm.yaml', revision: '2', read: missing }];
  await expect(load(unreadable)).rejects.toThrow('gone');
  expect(await load(filesOf('t', '1'))).toBe(valid);
  expect((await load(filesOf('t', '2'))).isCurrent).toBe(true);
});

it('load the statement parser before the first statement, unless they are closed', async () => {
  const models = start();
  await expect(models.warm()).resolves.toBeUndefined();
  const model = await models.load({ id: 'one', listFiles: filesOf('t', 't') }, 'ada');
  const statement = { text: 'SELECT m FROM e', strict: false, now: new Date() };
  const answer = await models.askSql(model, statement, 'ada');
  expect(answer.status).toBe('done');
  const withdrawn = models.askSql(model, statement, 'ada', AbortSignal.abort());
  await expect(withdrawn).rejects.toMatchObject({ code: 'cancelled' });
  const closed = expect(models.warm()).rejects.toMatchObject({ code: 'closed' });
  await models.close();
  await closed;
});
