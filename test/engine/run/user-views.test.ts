import { describe, expect, it } from 'vitest';
import { openScriptSession, readError } from './script-session.ts';

describe('a view of the user', () => {
  const BLOCKS = `#+src sql Two() #+begin SELECT x + 1 AS x, NULL AS none FROM {{ One() }} #+end
    #+src sql One() #+begin SELECT 1 AS x #+end
    #+src sql Luck() #+begin SELECT random() < 2 AS x #+end
    #+src sql Kept() #+begin CREATE TEMP TABLE kept AS SELECT 1 AS x; FROM kept #+end
    #+src sql Made(): void #+begin CREATE VIEW v AS FROM {{ Two() }} #+end
    CREATE VIEW old AS SELECT 7 AS x;\n`;

  it.each([
    ['CREATE VIEW v AS SELECT x FROM {{ Two() }}; FROM v', [[2]]],
    ['CREATE OR REPLACE VIEW old AS SELECT x FROM {{ Two() }}; FROM old', [[2]]],
    ['CREATE TEMP VIEW v(y) AS WITH c AS (FROM {{ One() }}) FROM c, {{ One() }}; SELECT y FROM v', [[1]]],
    ['CREATE OR REPLACE VIEW v AS FROM {{ Luck() }}; FROM v', [[true]]],
    ['{{ Made() }}; SELECT x FROM v', [[2]]],
  ])('contains all queries that it reads: %s', async (text, rows) => {
    const session = await openScriptSession();
    expect((await session.run(BLOCKS + text)).rows).toEqual(rows);
  });

  it.each([
    ['CREATE VIEW v AS FROM {{ Kept() }}', 23],
    ['CREATE OR REPLACE VIEW v AS SELECT 1 AS x WHERE EXISTS (FROM {{ Kept() }})', 62],
    ['CREATE VIEW v AS WITH RECURSIVE c AS (FROM {{ One() }}) FROM c', 44],
    ["CREATE VIEW v AS FROM query('FROM {{ One() }}')", 35],
  ])('cannot depend on temporary objects: %s', async (text, column) => {
    const session = await openScriptSession();
    expect(await readError(session.run(BLOCKS + text))).toMatchObject({
      line: 7,
      column,
      message:
        'the rows of this call need a temporary table, and a view cannot depend on one: create a table, or write the block as one query',
    });
    const views = await session.run('SELECT view_name FROM duckdb_views() WHERE NOT internal');
    expect(views.rows).toEqual([['old']]);
  });

  it('is read unchanged by earlier calls after it is replaced', async () => {
    const session = await openScriptSession();
    const text = `#+src sql Changing() #+begin CREATE OR REPLACE VIEW old AS SELECT x + 1 AS x FROM {{ One() }}; FROM old #+end
      #+src sql Reading() #+begin SELECT x AS before FROM old #+end
      ${BLOCKS}SELECT before, x FROM {{ Reading() }}, {{ Changing() }}`;
    expect((await session.run(text)).rows).toEqual([[7, 2]]);
  });
});
