import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { modelWith } from '../../support/models.ts';
import { makeHome, quern } from '../../support/quern.ts';
import { shareServer } from '../../support/server.ts';

const PEOPLE = `CREATE TABLE people (id INTEGER, g INTEGER, boss INTEGER, dept INTEGER);
INSERT INTO people VALUES (1, 9, NULL, 1), (2, 5, 1, 1), (3, 4, 1, 2), (4, 2, 2, 1), (5, 3, 2, 2);
CREATE TABLE depts AS SELECT DISTINCT dept AS id FROM people`;

/** Two branches that scan one table twice: departments are counted by their boss, then people are summed. */
const DEPTS = 'SELECT DISTINCT a.dept, b.g FROM people a LEFT JOIN people b ON a.boss = b.id';
const SUMS =
  'SELECT b.g, NULL AS n, sum(a.g) AS s FROM people a LEFT JOIN people b ON a.boss = b.id GROUP BY 1';
const SQL = `SELECT g, max(n) AS depts, max(s) AS total FROM (
  SELECT x.g, count(*) AS n, NULL AS s FROM (${DEPTS}) x GROUP BY 1 UNION ALL ${SUMS}) GROUP BY 1 ORDER BY 1`;
const RIGHT = 'g,depts,total\n5,2,5\n9,2,9\n,1,9\n';

const SCRIPT = `#+src sql Depts() #+begin ${DEPTS} #+end
#+src sql Both() #+begin
SELECT x.g, count(*) AS n, NULL AS s FROM {{ Depts() }} x GROUP BY 1 UNION ALL ${SUMS}
#+end
SELECT g, max(n) AS depts, max(s) AS total FROM {{ Both() }} GROUP BY 1 ORDER BY 1`;

const MODEL = modelWith(
  `    - name: depts
      table_name: depts
      measures: [{ name: depts, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]
    - name: people
      table_name: people
      dimensions: [{ name: g, data_type: INTEGER, expr: g }]
      measures: [{ name: total, data_type: INTEGER, aggregation_type: SUM, expr: g }]
      relationships:
      - { name: boss, join_type: MANY_TO_ONE, to_entity: people, expr: people.boss = boss.id }
      - { name: dept, join_type: MANY_TO_ONE, to_entity: depts, expr: people.dept = depts.id }
`,
  { layer: 'staff', domain: 'staff' },
);
const QUESTION =
  'semantic query --model model.yaml --dimensions people.boss.g --measures depts.depts,people.total --order people.boss.g';

async function preparePeople(cwd: string): Promise<void> {
  const { exitCode, stderr } = await quern(['sql', PEOPLE], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
}

describe('the sums of two scans of one table', () => {
  it.each([
    ['by quern sql', ['sql', SQL]],
    ['by a script with blocks', ['exec', 'sums.sql']],
    ['by a semantic query', QUESTION.split(' ')],
  ])('are right %s', async (_, args) => {
    const cwd = await makeHome();
    await preparePeople(cwd);
    writeFileSync(path.join(cwd, 'sums.sql'), SCRIPT);
    writeFileSync(path.join(cwd, 'model.yaml'), MODEL);
    const { exitCode, stdout } = await quern(args, { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: RIGHT });
  });
});

describe('the sums of a server', () => {
  const shared = shareServer();
  beforeAll(() => preparePeople(shared.server.cwd));

  it('are right over HTTP', async () => {
    const answer = await shared.admin.send('POST', '/exec/sql', {
      headers: { accept: 'text/csv' },
      body: { sql: SQL, connection: { name: 'duckdb' } },
    });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: RIGHT });
  });

  it('are right in a command while a server runs', async () => {
    expect((await quern(['sql', SQL], { cwd: shared.server.cwd })).stdout).toBe(RIGHT);
  });
});
