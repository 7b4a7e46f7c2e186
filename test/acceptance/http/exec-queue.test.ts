import { expect, it } from 'vitest';
import { createClient } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { createToken, runQuern } from '../../support/server.ts';
import {
  ENDLESS,
  type Listed,
  listExecutions,
  rowsOf,
  runSql,
  startQuery,
  startWith,
  untilListed,
} from './executing.ts';
import { covers } from './rows.ts';

const LATER = { headers: { prefer: 'respond-async' } };
const MODEL = modelWith(`    - name: e
      query: SELECT 1 AS x
      measures:
      - { name: n, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
`);

const statesOf = (listed: readonly Listed[]) => listed.map(({ state }) => state);

it('answers eleven requests of one user at once, where ten may run', async () => {
  const shared = await startWith('exec_running = 20');
  const { admin } = shared;
  const blocking = Array.from({ length: 10 }, () => startQuery(shared, ENDLESS));
  await untilListed(admin, 10);
  const eleven = Array.from({ length: 11 }, (_, at) => runSql(admin, `SELECT ${at}`));
  const listed = await untilListed(admin, 21);
  expect(statesOf(listed)).toEqual([...Array(10).fill('running'), ...Array(11).fill('queued')]);
  for (const outgoing of blocking) outgoing.destroy();
  const answers = await Promise.all(eleven);
  expect(answers.map(rowsOf)).toEqual(Array.from({ length: 11 }, (_, at) => [[at]]));
});

it(`${covers('exec: own queue')}; one user may use a quarter of the queue`, async () => {
  const shared = await startWith('exec_running = 4', 'exec_per_user = 2', 'exec_queued = 12');
  const { admin, server } = shared;
  await admin.make('assets', '@Shared/model.yaml', { content: MODEL });
  const options = { model: '@Shared/model.yaml', connection: 'duckdb' };
  await admin.send('POST', '/manage/connections', { body: { name: 'model', kind: 'semantic', options } });
  await admin.send('POST', '/manage/users', { body: { user_name: 'ada', email: 'ada@example.org' } });
  const ada = createClient(server.url, await createToken(server.cwd, 'ada'));
  const running = [startQuery(shared, ENDLESS), startQuery(shared, ENDLESS)];
  await untilListed(admin, 2);
  const waiting = Array.from({ length: 3 }, (_, at) => runSql(admin, `SELECT ${at}`));
  expect(statesOf(await untilListed(admin, 5))).toEqual(['running', 'running', 'queued', 'queued', 'queued']);

  // One place is left, which the administrator may not use.
  for (let at = 0; at < 3; at += 1) expect(rowsOf(await runSql(ada, `SELECT ${at}`))).toEqual([[at]]);
  for (const sending of [{}, LATER]) {
    const refused = await runSql(admin, 'SELECT 1', {}, sending);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(refused.text).toContain('your share of the queue is full (executions waiting: 3)');
  }

  // The command line runs as the same user, in the same queue.
  const listed = (await runQuern(server.cwd, 'ps')).trimEnd().split('\n');
  expect(listed.map((line) => line.split(/ {2,}/)[1])).toEqual(statesOf(await listExecutions(admin)));
  const ask = 'semantic query --connection model --measures e.n --format csv';
  await expect(runQuern(server.cwd, ask)).rejects.toThrow(
    /exit code 5: error: your share of the queue is full/,
  );
  for (const outgoing of running) outgoing.destroy();
  expect((await Promise.all(waiting)).map(rowsOf)).toEqual([[[0]], [[1]], [[2]]]);
  expect(await runQuern(server.cwd, ask)).toBe('n\n1\n');
});
