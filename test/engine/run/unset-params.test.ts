import { describe, expect, it } from 'vitest';
import { openScriptSession, type RunOptions, type Script } from './script-session.ts';

/** The positions of a run's warnings, and the source at them. */
async function warningsOf(script: Script, options: RunOptions = {}): Promise<readonly string[]> {
  const session = await openScriptSession();
  const { warnings = [] } = await session.run(script, options);
  return warnings.map((warning) => {
    if (!('file' in warning)) return warning.message;
    const { file, line, column, message } = warning;
    return `${file}:${line}:${column} ${/`(\$\w+)` has no value/.exec(message)?.[1]}`;
  });
}

describe('a run', () => {
  it('warns of a parameter without a value inside quotes, at its position in the source', async () => {
    expect(await warningsOf("SELECT '$a long value',\n  '$b'", { params: { a: "it''s longer" } })).toEqual([
      'main.sql:2:4 $b',
    ]);
  });

  it('warns once of a statement that runs many times, and not of one that does not run', async () => {
    const text = `#+src sql Rows(n) #+begin SELECT '$day' || {{ n }} AS x #+end
#+src sql Unused() #+begin SELECT '$never' AS x #+end
#+if false then SELECT '$never'; #+end
SELECT * FROM {{ Rows(1) }} UNION ALL SELECT * FROM {{ Rows(2) }};
SELECT '$day' FROM {{ Rows(3) }}`;
    expect(await warningsOf(text)).toEqual(['main.sql:1:35 $day', 'main.sql:5:9 $day']);
  });

  it('treats values of parameters, expressions and rows as data', async () => {
    const text = `#+src sql Rows() #+begin SELECT concat('$', 'name') AS x #+end
SELECT '$a', '{{ "$" }}name', #+for row : Rows() separator "," do '{{ row.x }}' #+end`;
    expect(await warningsOf(text, { params: { a: '$name $a' } })).toEqual([]);
  });

  it('warns of parameters in macros and in files of other packages', async () => {
    const text = '#+import "lib"\nSELECT {{ lib.Text() }}';
    const lib = "-- in the library\n#+macro Text() #+begin '$day' #+end";
    expect(await warningsOf(text, { packages: { lib } })).toEqual(['main.sql:2:25 $day']);
  });

  it('warns even if an error follows', async () => {
    const session = await openScriptSession();
    await expect(session.run("SELECT '$day'::DATE")).rejects.toThrow(/\$day/);
  });
});
