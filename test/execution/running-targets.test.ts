import { describe, expect, it } from 'vitest';
import { Outlet } from '../../src/execution/contract/outlet.ts';
import { declare, IMPORT } from '../engine/run/publishing-scripts.ts';
import { toSnapshot } from '../engine/run/script-session.ts';
import { waitUntil } from '../support/waiting.ts';
import { ENDLESS, makeProcessHost, makeThreadHost, never, runOn, toRequest } from './hosts.ts';

const table = (name: string, body: string) => declare(name, `:type "table", :name "${name}"`, body);

/** A script that publishes three tables, `second` with a given body. */
const publishing = (second: string, options = '', rest = '') =>
  `${IMPORT}${table('first', 'SELECT 1 AS id')}${table('second', second)}${table('third', 'SELECT 3 AS id')}
{{ publication.Run(blocks=[first, second, third]${options}) }};
${rest}`;

const toWork = (script: string) =>
  ({ kind: 'script', snapshot: toSnapshot(script), file: 'main.sql' }) as const;

const HOSTS = [
  ['in a thread', makeThreadHost],
  ['in another process', makeProcessHost],
] as const;

/** The name and state of each target. */
const listEnds = (targets: Outlet['targets'] | undefined) =>
  targets?.map(({ name, status }) => [name, status]);

describe.each(HOSTS)('the publications of an execution %s', (_, makeHost) => {
  it('are known while it runs, and after it was cancelled', async () => {
    const { host, folder } = makeHost();
    const heard: string[] = [];
    const outlet = new Outlet(() => ({ write: () => {} }), {
      noteTarget: ({ name }) => void heard.push(name),
    });
    const stop = new AbortController();
    const work = toWork(publishing('SELECT 2 AS id', '', `${ENDLESS};`));
    const running = host.run(toRequest('', folder, { work, format: 'json' }), outlet, stop.signal);
    await waitUntil(() => outlet.targets.length === 3);
    expect(outlet.targets[0]).toMatchObject({
      name: 'first',
      action: 'create',
      rows: 1,
      status: 'PUBLISHED',
    });
    expect(heard).toEqual(['first', 'second', 'third']);
    stop.abort();
    const outcome = await running;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    expect(listEnds(outcome.targets)).toEqual([
      ['first', 'PUBLISHED'],
      ['second', 'PUBLISHED'],
      ['third', 'PUBLISHED'],
    ]);
  });

  it('are in a JSON answer, and not in others', async () => {
    const { host, folder } = makeHost();
    const work = toWork(publishing('SELECT 2 AS id', '', 'SELECT 7 AS x;'));
    const json = await runOn(host, toRequest('', folder, { work, format: 'json' }));
    const document = JSON.parse(json.output.toString());
    expect(Object.keys(document)).toEqual(['result', 'stats', 'targets']);
    expect(document.result.data).toEqual([[7]]);
    const { targets = [] } = json.outcome;
    expect(document.targets).toEqual(
      targets.map(({ column: _column, diagnostics: _errors, ...entry }) => entry),
    );
    const csv = await runOn(host, toRequest('', folder, { work, format: 'csv' }));
    expect(csv.output.toString()).toBe('x\n7\n');
    const plain = await runOn(host, toRequest('SELECT 7 AS x', folder, { format: 'json' }));
    expect(Object.keys(JSON.parse(plain.output.toString()))).toEqual(['result', 'stats']);
  });

  it('are in the answer of tests', async () => {
    const { host, folder } = makeHost();
    const script = `#+import "std/test"\n#+test sql Good() #+begin SELECT 1 WHERE false #+end\n${publishing('SELECT 2 AS id', '', '{{ test.Run(tests=[Good]) }}')}`;
    const { output } = await runOn(host, toRequest('', folder, { work: toWork(script), format: 'json' }));
    const document = JSON.parse(output.toString());
    expect(Object.keys(document)).toEqual(['tests', 'stats', 'targets']);
    expect(document.targets).toMatchObject([{ name: 'first' }, { name: 'second' }, { name: 'third' }]);
  });

  it('contain the one that failed, and those that ended after it in parallel', async () => {
    const { host, folder } = makeHost();
    const file = `${folder}/data.duckdb`;
    const run = (options: string) =>
      runOn(host, toRequest('', folder, { work: toWork(publishing('SELECT nope', options)), file }));
    const { outcome } = await run('');
    expect(listEnds(outcome.targets)).toEqual([
      ['first', 'PUBLISHED'],
      ['second', 'FAILED'],
    ]);
    expect(outcome).toMatchObject({
      error: { code: 'sql', note: 'published before the error: `first`; not tried: `third`' },
    });
    const parallel = await run(', parallel=3');
    expect(Object.fromEntries(listEnds(parallel.outcome.targets)!)).toEqual({
      first: 'PUBLISHED',
      second: 'FAILED',
      third: 'PUBLISHED',
    });
  });
});

it('the publications of an execution whose process has ended remain known', async () => {
  const { host, folder } = makeProcessHost();
  const outlet = new Outlet(() => ({ write: () => {} }));
  const work = toWork(publishing('SELECT 2 AS id', '', `${ENDLESS};`));
  const running = host.run(toRequest('', folder, { work, format: 'json' }), outlet, never);
  await waitUntil(() => outlet.targets.length === 3);
  process.kill(host.pid!, 'SIGKILL');
  const outcome = await running;
  expect(outcome).toMatchObject({ status: 'failed', error: { code: 'lost' } });
  expect(outcome.targets).toEqual(outlet.targets);
});
