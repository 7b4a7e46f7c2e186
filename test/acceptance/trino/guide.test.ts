import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findExamples } from '../../support/markdown.ts';
import { makeHome, writeFiles } from '../../support/quern.ts';
import { hasCluster, THREE_NODES, useCluster } from '../../support/trino/use-cluster.ts';
import { connect, dropDemo, run } from './demo.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/guides/trino.md'), 'utf8');
const ROWS =
  "(1, 'Ada', 12.50, DATE '2026-03-01'), (2, 'Grace', 80.00, DATE '2026-03-02'), (3, 'Ada', 7.25, DATE '2026-04-11')";

/** The commands of the page that need a cluster. */
function findClusterCommands(): readonly string[] {
  const [, commands = ''] = /^## On the cluster\n\n```sh\n([\s\S]*?)```/m.exec(page) ?? [];
  return commands.trim().split('\n');
}

/** The words of a command, as a shell reads those of the page. */
function splitWords(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe.skipIf(!hasCluster)('the guide to a Trino cluster', () => {
  const cluster = useCluster(THREE_NODES);

  it('has commands that run there, on the project that it shows', async () => {
    const cwd = await makeHome();
    const schema = `guide_${randomUUID().slice(0, 8)}`;
    // The last version of each file stays; the published schema belongs to this test.
    for (const example of findExamples(page)) {
      if (example.kind === 'file')
        writeFiles(cwd, { [example.name]: example.text.replace(':schema "mart"', `:schema "${schema}"`) });
    }
    await connect(cwd, 'cluster', cluster(), { catalog: 'iceberg' });
    await run(cwd, 'sql', `CREATE SCHEMA ${schema}`, '--connection', 'cluster');
    await run(cwd, 'sql', `CREATE SCHEMA memory.${schema}`, '--connection', 'cluster');
    onTestFinished(() => dropDemo(cwd, schema));
    await connect(cwd, 'lake', cluster(), { catalog: 'iceberg', schema, scratch_schema: `memory.${schema}` });
    const orders = `CREATE TABLE orders AS SELECT * FROM (VALUES ${ROWS}) AS t (id, customer, amount, ordered_on)`;
    await run(cwd, 'sql', orders, '--connection', 'lake');
    const commands = findClusterCommands();
    expect(commands).toHaveLength(5);
    const printed: string[] = [];
    for (const command of commands) {
      const [, ...words] = splitWords(command.replace('mart.spent', `${schema}.spent`));
      printed.push(await run(cwd, ...words));
    }
    expect(printed[1]).toContain('1 test: 1 passed, 0 failed');
    expect(printed[2]).toContain('1 test: 1 passed, 0 failed');
    expect(printed[3]).toContain('Ada,19.75\n');
    expect(printed[4]).toContain('Ada,19.75,2026-04-11\n');
  });
});
