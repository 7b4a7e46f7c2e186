import { beforeAll, describe, expect, it } from 'vitest';
import { followBytes, type Recording, rowsOfArrow } from '../../server/exec/recordings.ts';
import { expectRefusal } from '../../support/http.ts';
import { shareServer } from '../../support/server.ts';
import { createUser, setPassword, signIn, type Visit } from '../console/console.ts';

/** Few rows and much work. */
const BUSY = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';

const shared = shareServer();

beforeAll(async () => {
  const { cwd } = shared.server;
  await setPassword(cwd, 'admin');
  await createUser(cwd, 'eve', '--role', 'EDITOR');
});

/** Starts a run at the console. */
async function start(visit: Visit, target: string, body: object): Promise<string> {
  const headers = { prefer: 'respond-async' };
  const answer = await visit.send('POST', `${target}?results=all`, { headers, body });
  expect(answer.status, answer.text).toBe(202);
  const { id, results } = answer.body as { readonly id: string; readonly results: string };
  expect(results).toBe(`/api/v1/executions/${id}/results`);
  return id;
}

/** The list of results at the console, as soon as it satisfies a condition. */
async function follow(visit: Visit, id: string, isEnough: (list: Recording) => boolean): Promise<Recording> {
  for (let query = ''; ; ) {
    const { status, text, body } = await visit.send('GET', `executions/${id}/results${query}`);
    expect(status, text).toBe(200);
    const list = body as Recording;
    if (isEnough(list)) return list;
    query = `?wait=30&after=${list.version}`;
  }
}

const hasEnded = ({ execution }: Recording) => !['queued', 'running'].includes(execution.state);

describe('a run at the console', () => {
  it('is read while it grows, left, found again by another session, and changes data once', async () => {
    const { url } = shared.server;
    const visit = await signIn(url);
    const connection = { name: 'duckdb' };
    const sql = `CREATE TABLE visits (i INTEGER); INSERT INTO visits SELECT range FROM range(7);
      SELECT i, i * 1.5 AS d FROM visits; SELECT range AS n FROM range(300000); ${BUSY}`;
    const id = await start(visit, 'exec/sql', { sql, connection });
    const running = await follow(visit, id, ({ data }) => data[4] !== undefined);
    expect(running.execution.state).toBe('running');
    expect(running.data.map(({ kind, rows }) => [kind, rows]).slice(0, 4)).toEqual([
      ['none', null],
      ['count', 7],
      ['rows', 7],
      ['rows', 300_000],
    ]);
    const api = { url, token: shared.token };
    expect(rowsOfArrow(await followBytes(api, id, 3))).toHaveLength(300_000);

    const other = await signIn(url);
    const listed = (await other.send('GET', 'executions')).body as { data: { id: string }[] };
    expect(listed.data.map((execution) => execution.id)).toContain(id);
    expect((await other.send('DELETE', `executions/${id}`)).status).toBe(204);
    const ended = await follow(other, id, hasEnded);
    expect(ended.execution.state).toBe('cancelled');
    for (let times = 0; times < 2; times += 1) {
      expect(rowsOfArrow(await followBytes(api, id, 2))).toHaveLength(7);
      expect((await other.send('GET', `executions/${id}/results/2`)).headers['x-result-complete']).toBe(
        'true',
      );
    }
    const link = await fetch(`${url}/console/api/executions/${id}/results/2/download?format=csv`, {
      headers: { cookie: other.cookie },
    });
    expect(link.headers.get('content-disposition')).toBe('attachment; filename="sql-3.csv"');
    expect(await link.text()).toBe('i,d\n0,0.0\n1,1.5\n2,3.0\n3,4.5\n4,6.0\n5,7.5\n6,9.0\n');
    const count = await shared.admin.send('POST', '/exec/sql', {
      body: { sql: 'SELECT count(*) FROM visits', connection },
    });
    expect(count.body).toMatchObject({ result: { data: [[7]] } });
  });

  it('of a script with blocks, publications and tests shows what each statement did', async () => {
    const visit = await signIn(shared.server.url);
    const content = `#+import "std/publication"
#+import "std/test"
#+src sql Sales(region)
#+begin
  SELECT '{{ region }}' AS region, 12 AS amount
#+end
#+src sql Kept()
#+meta { :publication { :type "table", :name "kept" } }
#+begin
  SELECT 'a' AS b
#+end
#+test sql Negative()
#+begin SELECT * FROM {{ Sales("north") }} WHERE amount > 0 #+end
SELECT 1 AS a;
{{ publication.Run(blocks=[Kept]) }};
  -- The south
  SELECT * FROM {{ Sales(region="south") }};
{{ test.Run(tests=[Negative], onFailure=test.Continue) }};
`;
    const files = [{ path: 'x.sql', content }];
    const body = { what: 'run', path: 'x.sql', files, connection: { name: 'duckdb' } };
    const id = await start(visit, 'exec/bundle', body);
    const list = await follow(visit, id, hasEnded);
    expect(list.execution, JSON.stringify(list.execution.error)).toMatchObject({ state: 'done' });
    expect(list.data.map(({ kind, statement }) => ({ kind, ...statement }))).toEqual([
      { kind: 'rows', file: 'x.sql', line: 14, column: 1, title: null, text: 'SELECT 1 AS a' },
      {
        kind: 'rows',
        file: 'x.sql',
        line: 17,
        column: 3,
        title: 'The south',
        text: 'SELECT * FROM {{ Sales(region="south") }}',
      },
    ]);
    expect(list.targets).toMatchObject([{ name: 'kept', status: 'PUBLISHED', action: 'create', rows: 1 }]);
    expect(list.tests).toMatchObject([
      {
        test_name: 'Negative',
        status: 'FAILED',
        file: 'x.sql',
        sample: { columns: ['region', 'amount'], rows: [['north', '12']] },
      },
    ]);
    const api = { url: shared.server.url, token: shared.token };
    expect(rowsOfArrow(await followBytes(api, id, 1))).toEqual([['south', 12]]);
    const { path: _, ...rest } = body;
    const ofBlock = await follow(
      visit,
      await start(visit, 'exec/bundle', { ...rest, block: 'Kept' }),
      hasEnded,
    );
    expect(ofBlock.data.map(({ statement }) => statement.title)).toEqual(['Kept']);
  });

  it('keeps what came before a failure, with the position of the error', async () => {
    const visit = await signIn(shared.server.url);
    const body = { sql: 'SELECT 1 AS a;\nSELECT b FROM nowhere', connection: { name: 'duckdb' } };
    const list = await follow(visit, await start(visit, 'exec/sql', body), hasEnded);
    expect(list.execution).toMatchObject({
      state: 'failed',
      error: { code: 'sql_error', diagnostics: [{ file: 'sql', line: 2, column: 15 }] },
    });
    expect(list.data[0]).toMatchObject({ kind: 'rows', rows: 1, is_complete: true });
  });

  it('is invisible to others, needs the CSRF token, and no bearer token opens it', async () => {
    const { url } = shared.server;
    const [visit, eve] = [await signIn(url), await signIn(url, 'eve')];
    const body = { sql: 'SELECT 1', connection: { name: 'duckdb' } };
    const id = await start(visit, 'exec/sql', body);
    await follow(visit, id, hasEnded);
    for (const target of [`executions/${id}`, `executions/${id}/results`, `executions/${id}/results/0`]) {
      expectRefusal(await eve.send('GET', target), 404, `Execution not found: ${id}`);
    }
    expectRefusal(await eve.send('DELETE', `executions/${id}`), 404, `Execution not found: ${id}`);
    const headers = { 'x-csrf-token': '', prefer: 'respond-async' };
    expect((await visit.send('POST', 'exec/sql?results=all', { headers, body })).status).toBe(403);
    expect((await visit.send('DELETE', `executions/${id}`, { headers })).status).toBe(403);
    const bearer = await fetch(`${url}/console/api/executions/${id}/results`, {
      headers: { authorization: `Bearer ${shared.token}` },
    });
    expect(bearer.status).toBe(401);
  });
});
