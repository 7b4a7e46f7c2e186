import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { shareServer } from '../../support/server.ts';
import { rowsOf, runScript, runSql, storeScript } from './executing.ts';

const SERVERS = [
  {
    kind: 'postgresql',
    options: inject('postgresql'),
    chance: 'random()',
    unreadable: "'NaN'::numeric(5, 2)",
    routine: 'LANGUAGE sql BEGIN ATOMIC',
  },
  {
    kind: 'mysql',
    options: inject('mariadb'),
    chance: 'rand()',
    unreadable: "JSON_OBJECT('a', X'E4')",
    routine: 'READS SQL DATA BEGIN',
  },
] as const;
const shared = shareServer();

describe.each(SERVERS)('over HTTP, on $kind', ({ kind, options: server, chance, unreadable, routine }) => {
  const connection = { name: `own_${kind}` };
  const schema = `http_${randomUUID().slice(0, 8)}`;
  const sql = (text: string) => runSql(shared.admin, text, { connection });
  const numbersOf = async (answer: ReturnType<typeof sql>) =>
    (rowsOf(await answer) as readonly unknown[][]).flat().map(Number);
  const run = async (text: string) =>
    runScript(shared.admin, await storeScript(shared.admin, text), { connection });

  beforeAll(async () => {
    if (server === null) return;
    const { password, ...options } = server;
    const body = { ...connection, kind, options, secrets: { password } };
    const { status, text } = await shared.admin.send('POST', '/manage/connections', { body });
    if (status !== 201) throw new Error(text);
    await sql(`CREATE SCHEMA ${schema}`);
    await sql(`CREATE TABLE ${schema}.t (i INT)`);
    return async () => {
      await sql(`DROP SCHEMA ${schema}${kind === 'mysql' ? '' : ' CASCADE'}`);
    };
  });

  it.skipIf(server === null)('a change whose rows are refused with 422 changes nothing', async () => {
    const insert = `INSERT INTO ${schema}.t VALUES (1), (2) RETURNING`;
    const refused = await sql(`${insert} i, ${unreadable} AS x`);
    expectRefusal(refused, 422, expect.stringMatching(/^sql:1:1: error: .*cast it to/));
    expect((await run(`${insert} ${unreadable} AS x;\nSELECT 1;`)).status).toBe(422);
    expect(await numbersOf(sql(`SELECT count(*) FROM ${schema}.t`))).toEqual([0]);
    expect(await numbersOf(sql(`${insert} i`))).toEqual([1, 2]);
    expect((await sql(`DELETE FROM ${schema}.t RETURNING ${unreadable} AS x`)).status).toBe(422);
    expect(await numbersOf(sql(`SELECT count(*) FROM ${schema}.t`))).toEqual([2]);
  });

  it.skipIf(server === null)(
    'a block that is read in two ways is computed once, and can be published as `order`',
    async () => {
      const script = `#+import "std/publication"
#+src sql Dice() #+begin SELECT ${chance} AS r #+end
#+src sql Over() #+begin SELECT r FROM {{ Dice() }} d #+end
#+src sql Order() #+meta { :publication { :type "table", :schema "${schema}", :name "order" } }
#+begin SELECT d.r - o.r AS x FROM {{ Dice() }} d CROSS JOIN {{ Over() }} o #+end
#+src sql Reader() #+begin SELECT x FROM {{ Order() }} q #+end
{{ publication.Run(blocks=[Order]) }};
SELECT x, (SELECT x FROM {{ Order() }} q) AS y FROM {{ Reader() }} r`;
      expect(await numbersOf(run(script))).toEqual([0, 0]);
    },
  );

  it.skipIf(server === null)(
    'a script creates a routine of several statements, and continues after it',
    async () => {
      const name = `${schema}.pick`;
      const script = `CREATE FUNCTION ${name}(x INT) RETURNS INT ${routine}
  ${kind === 'mysql' ? 'IF x < 0 THEN SET x = 0; END IF; RETURN' : 'SELECT 1; SELECT'} CASE x WHEN 1 THEN 10 ELSE 20 END;
END;
SELECT ${name}(1) AS a, ${name}(2) AS b;`;
      expect(await numbersOf(run(script))).toEqual([10, 20]);
    },
  );
});
