import { describe, expect, it } from 'vitest';
import { shareServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';

/** Few rows and much work. */
const BUSY = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';

const shared = shareServer();

/** A script that publishes three tables in this order, with the bodies given, and then runs `rest`. */
function publishing(prefix: string, bodies: readonly [string, string, string], rest = ''): string {
  const names = ['First', 'Second', 'Third'];
  const blocks = names.map(
    (name, at) =>
      `#+src sql ${name}()\n#+meta { :publication { :type "table", :name "${prefix}_${name.toLowerCase()}" } }\n#+begin ${bodies[at]} #+end\n`,
  );
  return `#+import "std/publication"\n#+import "std/test"\n#+test sql Good() #+begin SELECT 1 WHERE false #+end
${blocks.join('')}{{ publication.Run(blocks=[First, Second, Third]) }};\n${rest}`;
}

const toBody = (content: string) => ({
  what: 'run',
  path: 'x.sql',
  files: [{ path: 'x.sql', content }],
  connection: { name: 'duckdb' },
});

/** Runs a script, without an asynchronous execution unless `headers` ask for one. */
const run = (content: string, headers: Readonly<Record<string, string>> = {}, query = '') =>
  shared.admin.send('POST', `/exec/bundle${query}`, { headers, body: toBody(content) });

const ONES = ['SELECT 1 AS id', 'SELECT 2 AS id', 'SELECT 3 AS id'] as const;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
const TIMES = { started_at: TIME, finished_at: TIME, duration_ms: expect.any(Number) };

interface Found {
  readonly state: string;
  readonly targets?: readonly { readonly name: string; readonly status: string }[];
  readonly error: unknown;
}

/** The execution as soon as it satisfies a condition. */
async function find(id: string, isEnough: (execution: Found) => boolean): Promise<Found> {
  return eventually(async () => {
    const { body } = await shared.admin.send('GET', `/executions/${id}`);
    expect(body).toSatisfy(isEnough);
    return body as Found;
  });
}

const idOf = (body: unknown) => (body as { readonly id: string }).id;

describe('targets over HTTP', () => {
  it('are in the document of rows and of tests, in JSON only', async () => {
    const rows = await run(publishing('rows', ONES, 'SELECT 7 AS x;'));
    expect(rows.status, rows.text).toBe(200);
    expect(Object.keys(rows.body as object)).toEqual(['result', 'stats', 'targets']);
    expect(rows.body).toMatchObject({ result: { data: [[7]] } });
    const { targets } = rows.body as { readonly targets: readonly object[] };
    expect(targets[0]).toStrictEqual({
      name: 'rows_first',
      block: 'First',
      package_name: 'main',
      status: 'PUBLISHED',
      action: 'create',
      rows: 1,
      message: null,
      because: null,
      file: 'x.sql',
      line: 4,
      ...TIMES,
    });
    expect(targets).toHaveLength(3);
    const csv = await run(publishing('rows', ONES, 'SELECT 7 AS x;'), { accept: 'text/csv' });
    expect(csv.text).toBe('x\n7\n');
    const tests = publishing('rows', ONES, '{{ test.Run(tests=[Good]) }}');
    for (const headers of [{}, { accept: 'text/csv' }, { prefer: 'respond-async, wait=60' }]) {
      const { body } = await run(tests, headers);
      expect(Object.keys(body as object)).toEqual(['tests', 'stats', 'targets']);
      expect(body).toMatchObject({ targets: [{ action: 'replace' }, {}, {}] });
    }
    const none = await run('SELECT 7 AS x');
    expect(Object.keys(none.body as object)).toEqual(['result', 'stats']);
  });

  it('are in the body of an error, with the target that has failed', async () => {
    const content = publishing('bad', ['SELECT 1 AS id', 'SELECT nope', 'SELECT 3 AS id'], 'SELECT 7 AS x;');
    const ends = [
      { name: 'bad_first', status: 'PUBLISHED', rows: 1, message: null },
      {
        name: 'bad_second',
        status: 'FAILED',
        action: null,
        rows: null,
        message: expect.stringContaining('nope'),
        file: 'x.sql',
        line: 7,
      },
    ];
    const atOnce = await run(content);
    expect(atOnce.status).toBe(422);
    expect(atOnce.body).toMatchObject({
      code: 'sql_error',
      detail: expect.stringMatching(/^x\.sql:9:16: error: .*nope/s),
      targets: ends,
    });
    expect((atOnce.body as { readonly targets: unknown[] }).targets).toHaveLength(2);
    const script = { parent_path: '@Shared', name: 'bad', content };
    expect((await shared.admin.send('POST', '/catalog/assets', { body: script })).status).toBe(201);
    const stored = await shared.admin.send('POST', '/exec/script', {
      body: { path: '@Shared/bad', connection: { name: 'duckdb' } },
    });
    const first = { name: 'bad_first', file: '@Shared/bad', action: 'replace' };
    expect([stored.status, stored.body]).toMatchObject([422, { targets: [first, { status: 'FAILED' }] }]);
    const missing = await shared.admin.send('POST', '/exec/sql', {
      body: { sql: 'FROM bad_third', connection: { name: 'duckdb' } },
    });
    expect(missing.status).toBe(422);
    expect(missing.body).not.toHaveProperty('targets');

    const later = await run(content, { prefer: 'respond-async' });
    const ended = await find(idOf(later.body), ({ state }) => state === 'failed');
    expect(ended).toMatchObject({ error: { status: 422, code: 'sql_error' }, targets: ends });
    expect(ended.error).not.toHaveProperty('targets');
    const result = await shared.admin.send('GET', `/executions/${idOf(later.body)}/result`);
    expect([result.status, result.body]).toMatchObject([422, { targets: ends }]);
  });

  it('are in an execution while its last block is computed, and after it was cancelled', async () => {
    const script = publishing('slow', ['SELECT 1 AS id', 'SELECT 2 AS id', BUSY]);
    const started = await run(script, { prefer: 'respond-async' });
    expect(started.status, started.text).toBe(202);
    const id = idOf(started.body);
    const running = await find(id, ({ targets = [] }) => targets.length === 2);
    const ends = [
      { name: 'slow_first', status: 'PUBLISHED', action: 'create', rows: 1 },
      { name: 'slow_second', status: 'PUBLISHED', action: 'create', rows: 1 },
    ];
    expect(running).toMatchObject({ state: 'running', targets: ends });
    const list = (await shared.admin.send('GET', '/executions')).body as { readonly data: readonly object[] };
    expect(list.data).toContainEqual(expect.objectContaining({ id, state: 'running' }));
    for (const entry of list.data) expect(entry).not.toHaveProperty('targets');
    expect((await shared.admin.send('DELETE', `/executions/${id}`)).status).toBe(204);
    const ended = await find(id, ({ state }) => state === 'cancelled');
    expect(ended.targets).toMatchObject(ends);
    expect(ended.targets).toHaveLength(2);
  });

  it('are in recorded results as soon as each ends', async () => {
    const script = publishing('kept', ['SELECT 1 AS id', 'SELECT 2 AS id', BUSY]);
    const id = idOf((await run(script, { prefer: 'respond-async' }, '?results=all')).body);
    interface Listed {
      readonly version: string;
      readonly targets: readonly object[];
      readonly execution: Found;
    }
    let listed: Listed | null = null;
    while (listed === null || listed.targets.length < 2) {
      const query: string = listed === null ? '' : `?wait=30&after=${listed.version}`;
      listed = (await shared.admin.send('GET', `/executions/${id}/results${query}`)).body as Listed;
    }
    expect(listed.execution.state).toBe('running');
    expect(listed.targets).toMatchObject([
      { name: 'kept_first', rows: 1 },
      { name: 'kept_second', rows: 1 },
    ]);
    expect(listed.execution.targets).toEqual(listed.targets);
    await shared.admin.send('DELETE', `/executions/${id}`);
    await find(id, ({ state }) => state === 'cancelled');
    const after = await shared.admin.send('GET', `/executions/${id}/results`);
    expect((after.body as Listed).targets).toEqual(listed.targets);
  });
});
