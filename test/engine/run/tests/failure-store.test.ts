import { describe, expect, it } from 'vitest';
import { createNanoClock } from '../../../../src/engine/run/outcome/clock.ts';
import { createWarnings } from '../../../../src/engine/run/outcome/warnings.ts';
import { runTests } from '../../../../src/engine/run/tests/run-tests.ts';
import { createRunContext } from '../../../../src/engine/script/evaluate/render.ts';
import { listNamed } from '../../../../src/engine/script/graph/graph.ts';
import { loadProgram } from '../../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../../src/engine/script/load/parse-cache.ts';
import { LEXICAL_RULES } from '../../../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../../src/engine/text/sql-dialect.ts';
import { never } from '../../connection/results.ts';
import { openScriptSession, type ScriptSession, toSnapshot, useKinds } from '../script-session.ts';

const KINDS = useKinds();
type Kind = (typeof KINDS)[number]['kind'];

/** Runs the tests and checks of a script, with the names of their tables, and the warnings. */
async function runStored({ connection }: ScriptSession, kind: Kind, script: string, schema: string) {
  const program = loadProgram(toSnapshot(script), {}, createParseCache());
  const { warn, list } = createWarnings();
  const results = await runTests({
    tests: listNamed(program.root).filter((block) => block.kind === 'test'),
    connect: async () => connection,
    connectMore: async () => null,
    context: createRunContext(program, SQL_DIALECT[kind], Date.now()),
    lexicalRules: LEXICAL_RULES[kind],
    clock: createNanoClock(),
    signal: never,
    warn,
    parallel: 1,
    failFast: false,
    storeFailures: schema,
  });
  return { stored: results.map(({ stored }) => stored), results, warnings: list() };
}

const script = (second: number) => `#+src sql Orders()
#+meta { :checks [ { :unique "id" } ] }
#+begin SELECT 1 AS id, 'a' AS name UNION ALL SELECT ${second}, 'b' #+end
#+test sql NoB()
#+meta { :severity "warn" }
#+begin SELECT * FROM {{ Orders() }} WHERE name = 'b' ORDER BY id #+end
`;

describe.each(KINDS)('the wrong rows of tests on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('are tables, replaced by each run, and dropped when the test passes', async () => {
    const session = await openScriptSession(kind);
    const { schema } = session;
    const [warned, failed] = (await runStored(session, kind, script(1), schema)).stored;
    expect([warned, failed]).toEqual([
      expect.stringMatching(/\.nob_[0-9a-f]{6}$/),
      expect.stringMatching(/\.orders_unique_id_[0-9a-f]{6}$/),
    ]);
    const read = (table: string | null | undefined) =>
      session.query(`SELECT id, name FROM ${table} ORDER BY name`);
    expect((await read(failed)).map(([, name]) => name)).toEqual(['a', 'b']);
    await runStored(session, kind, script(1).replaceAll("'b'", "'c'"), schema);
    expect((await read(failed)).map(([, name]) => name)).toEqual(['a', 'c']);
    const later = await runStored(session, kind, script(2), schema);
    expect(later.stored).toEqual([warned, null]);
    await expect(read(failed)).rejects.toThrow();
    expect((await read(warned)).map(([, name]) => name)).toEqual(['b']);
    expect(later.warnings).toEqual([]);
  });
});

describe('wrong rows that cannot be kept', () => {
  it('are a warning, and change no result', async () => {
    const session = await openScriptSession();
    const twice = '#+test sql Twice()\n#+begin SELECT 1 AS x, 2 AS x #+end\n';
    const { results, warnings } = await runStored(session, 'duckdb', twice, 'no.such"schema\0');
    expect(results).toMatchObject([{ status: 'FAILED', rows: 1, stored: null }]);
    expect(warnings).toMatchObject([
      {
        severity: 'warning',
        line: 1,
        message: expect.stringContaining('the wrong rows of this test could not be kept: '),
      },
    ]);
  });
});
