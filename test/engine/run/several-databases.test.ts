import { describe, expect, it } from 'vitest';
import { openScriptSession, useKinds } from './script-session.ts';

describe.each(useKinds())('a script on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('knows the dialect of its database', async () => {
    const { run } = await openScriptSession(kind);
    const script = `#+import "std/sql"
SELECT '{{ sql.Dialect() }}' AS name #+if sql.Dialect() == "${kind}" then , 1 AS is_own #+end`;
    expect((await run(script)).rows).toEqual([[kind, 1]]);
  });

  it.skipIf(!isThere)('returns the rows of a block that is a whole statement in their order', async () => {
    const { run } = await openScriptSession(kind);
    const script = `#+src sql Numbers() #+begin SELECT 1 AS n UNION ALL SELECT 3 UNION ALL SELECT 2 #+end
#+src sql Downwards() #+begin SELECT n FROM {{ Numbers() }} AS t ORDER BY n DESC #+end
{{ Downwards() }};`;
    expect((await run(script)).rows).toEqual([[3], [2], [1]]);
  });
});
