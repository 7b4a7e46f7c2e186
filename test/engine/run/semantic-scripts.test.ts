import { describe, expect, it } from 'vitest';
import type { Translate } from '../../../src/engine/connection/contract/translate.ts';
import { createTranslatingConnection } from '../../../src/engine/connection/semantic/translating-connection.ts';
import { openScriptSession, readError, useKinds } from './script-session.ts';

/** Accepts only queries, in the database's SQL, and rejects other statements; `ran` records its calls. */
async function open(kind: ReturnType<typeof useKinds>[number]['kind'] = 'duckdb') {
  const asked: string[] = [];
  const translate: Translate = async (statement) => {
    asked.push(statement);
    if (/^(with|select|explain)\b/i.test(statement)) {
      const at = statement.indexOf('CURRENT_DATE');
      const clock = at === -1 ? null : { start: at, end: at + 12 };
      return { status: 'done', sql: statement, warnings: [], clock };
    }
    const word = /^\w+/.exec(statement)?.[0] ?? '';
    return { status: 'refused', span: { start: 0, end: word.length }, message: `no ${word}` };
  };
  const warn = () => undefined;
  const session = await openScriptSession(kind, (own) => createTranslatingConnection(own, translate, warn));
  return { ...session, asked };
}

const HEAD = '#+import "std/publication"\n#+import "std/test"\n';
const BLOCKS = `${HEAD}
#+src sql Base(n) #+begin SELECT {{ n }} AS n UNION ALL SELECT {{ n }} + 1 #+end
#+src sql Sum(n) #+begin SELECT SUM(n) AS total FROM {{ Base(n) }} AS b #+end
#+src sql Two() #+begin SELECT 1 AS a; SELECT 2 AS a #+end
#+src sql Write() #+begin DELETE FROM t #+end
#+src sql Kept() #+meta { :publication { :type "table", :name "kept" } } #+begin SELECT 7 AS n #+end
#+src sql Seen() #+meta { :publication { :type "view", :name "seen" } } #+begin SELECT n FROM {{ Base(3) }} AS b #+end
#+src sql Today() #+begin SELECT CURRENT_DATE AS today #+end
#+src sql TodayView() #+meta { :publication { :type "view", :name "today" } } #+begin SELECT today FROM {{ Today() }} AS t #+end
#+src sql TodayTable() #+meta { :publication { :type "table", :name "day" } } #+begin SELECT today FROM {{ Today() }} AS t #+end
#+test sql Wrong() #+begin DROP TABLE t #+end
`;
const main = (text: string) => ({ 'main.sql': `${HEAD}${text}`, 'blocks.sql': BLOCKS });

describe.each(useKinds().filter(({ isThere }) => isThere))(
  'a script on a model in front of $kind',
  ({ kind }) => {
    it('includes the called blocks in the statement, each once', async () => {
      const { run, asked, listTemporary } = await open(kind);
      const text =
        'SELECT a.n, s.total FROM {{ Base(1) }} AS a, {{ Base(1) }} AS b, {{ Sum(1) }} AS s WHERE a.n = b.n ORDER BY 1';
      const { rows } = await run(main(text));
      expect(rows.map((row) => row.map(Number))).toEqual([
        [1, 3],
        [2, 3],
      ]);
      // Once to check it, and once to run it.
      expect(asked.map((own) => own.match(/UNION ALL/g)?.length)).toEqual([1, 1]);
      expect(await listTemporary()).toEqual([]);
    });

    it('publishes tables and views of queries, and reads the rows of published blocks in loops', async () => {
      const { run, query } = await open(kind);
      const text =
        '{{ publication.Run(blocks=[Kept, Seen]) }};\nSELECT 0 AS n #+for row : Kept() do UNION SELECT {{ row.n }} #+end ORDER BY 1';
      expect((await run(main(text))).rows).toEqual([[0], [7]]);
      expect(
        (await query('SELECT n FROM kept UNION ALL SELECT n FROM seen ORDER BY n')).map(([n]) => Number(n)),
      ).toEqual([3, 4, 7]);
    });
  },
);

describe('a script on a model', () => {
  it('runs the query of a single block unchanged', async () => {
    const { run, asked } = await open();
    expect((await run(main('{{ Base(5) }};'))).rows).toEqual([[5], [6]]);
    expect(asked).toEqual(['SELECT 5 AS n UNION ALL SELECT 5 + 1']);
    expect((await run(main('{{ Sum(5) }};'))).rows).toEqual([[11]]);
  });

  it('explains a statement with the blocks that it calls', async () => {
    const { run, asked } = await open();
    expect((await run(main('EXPLAIN SELECT total FROM {{ Sum(1) }} AS s'))).rows).toHaveLength(1);
    expect(asked[0]).toMatch(/^EXPLAIN WITH quern_\w+_1 AS \(/);
  });

  it.each([
    ['SELECT a FROM {{ Two() }}', 'blocks.sql', 'no temporary tables'],
    ['SELECT a FROM {{ Write() }}', 'blocks.sql', 'no DELETE'],
    ['SELECT 1; CREATE TABLE t (a int)', 'main.sql', 'no CREATE'],
    ['SELECT 1 #+if true then ; DROP TABLE t #+end', 'main.sql', 'no DROP'],
  ])('refuses %s before anything is published', async (text, file, message) => {
    const { run, query } = await open();
    const error = await readError(run(main(`{{ publication.Run(blocks=[Kept]) }};\n${text}`)));
    expect([error.file, error.message]).toEqual([file, expect.stringContaining(message)]);
    const tables = await query("SELECT table_name FROM information_schema.tables WHERE table_name = 'kept'");
    expect(tables).toEqual([]);
  });

  it('rejects an invalid query of a published block before anything is published', async () => {
    const { run, query } = await open();
    const bad =
      '#+src sql Bad() #+meta { :publication { :type "table", :name "bad" } } #+begin INSERT INTO t SELECT 1 #+end\n';
    const error = await readError(run(main(`${bad}{{ publication.Run(blocks=[Kept, Bad]) }};`)));
    expect(error).toMatchObject({ file: 'main.sql', line: 3, message: 'no INSERT' });
    expect(await query("SELECT table_name FROM information_schema.tables WHERE table_name = 'kept'")).toEqual(
      [],
    );
  });

  it('refuses the current time in a view before anything is published, and accepts it in a table', async () => {
    const { run, query } = await open();
    const text = '{{ publication.Run(blocks=[Kept, TodayView]) }};';
    expect((await readError(run(main(text)))).message).toContain(
      'a published view would keep the current time of this run: publish a table',
    );
    expect(await query("SELECT table_name FROM information_schema.tables WHERE table_name = 'kept'")).toEqual(
      [],
    );
    await run(main('{{ publication.Run(blocks=[TodayTable]) }};'));
    expect((await query('SELECT today FROM day')).length).toBe(1);
  });

  it('checks statements after a published block that cannot be rendered without rows', async () => {
    const { run, query } = await open();
    const late =
      '#+src sql Late() #+meta { :publication { :type "table", :name "late" } } #+begin SELECT 1 AS a #+for row : Base(1) do UNION SELECT {{ row.n }} #+end WHERE {{ 1 / 0 }} #+end\n';
    const error = await readError(run(main(`${late}{{ publication.Run(blocks=[Kept]) }};\nDROP TABLE t`)));
    expect(error).toMatchObject({ file: 'main.sql', message: 'no DROP' });
    const published = await readError(
      run(main(`${late}{{ publication.Run(blocks=[Kept, Late]) }};\nDROP TABLE t`)),
    );
    expect(published).toMatchObject({ file: 'main.sql', line: 5, message: 'no DROP' });
    expect(await query("SELECT table_name FROM information_schema.tables WHERE table_name = 'kept'")).toEqual(
      [],
    );
  });

  it('checks statements that depend on rows only at run time', async () => {
    const { run } = await open();
    const loop =
      'SELECT n FROM {{ Base(1) }} AS b WHERE n IN (#+for row : Base(2) separator ", " do {{ row.n }} #+end)';
    expect((await run(main(loop))).rows).toEqual([[2]]);
    const first = '#+for row : Base(2) do {{ row.n }} #+end';
    const unknown = await readError(run(main(`SELECT 1;\n${first} SELECT 1`)));
    expect(unknown).toMatchObject({ file: 'main.sql', line: 4 });
    const behind = await readError(run(main(`${loop};\nDELETE FROM t`)));
    expect(behind).toMatchObject({ file: 'main.sql', line: 4, message: 'no DELETE' });
  });

  it('fails a test whose statement is rejected, and continues', async () => {
    const { run } = await open();
    const { tests } = await run(main('{{ test.Run(tests=[Wrong], onFailure=test.Continue) }}'));
    expect(tests).toMatchObject([{ test_name: 'Wrong', status: 'FAILED', message: 'no DROP' }]);
  });
});
