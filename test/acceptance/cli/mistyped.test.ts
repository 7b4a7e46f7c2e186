import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

const FILES = {
  'project.toml': '[general]\nname = "shop"\nversoin = "1"\n',
  'publish.sql': `#+import "std/publication"
#+src sql Days()
#+meta { :publication { :type "table", :name "days", :unique_keys ["n"], :unique_key ["n"] } }
#+begin SELECT 1 AS n #+end
{{ publication.Run(blocks=[Days]) }};
`,
  'wrong/elif.sql': 'SELECT #+if false then 1 #+elif true then 2 #+else 3 #+end\n',
};

async function makeProject(): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, FILES);
  return cwd;
}

const FOUND = [
  'project.toml:3:11: warning: unknown key `versoin`, did you mean `version`?',
  'publish.sql:3:54: warning: unknown key `:unique_keys`, did you mean `:unique_key`?',
  'publish.sql:3:74: warning: the key `:unique_key` has no effect without `:incremental`',
];
const listWarnings = (text: unknown) => String(text).match(/^[\w/.]+:\d+:\d+: warning: .*$/gm);

describe('mistyped words', () => {
  it('are warnings of a run, in metadata and in the manifest', async () => {
    const { stderr, exitCode } = await quern(['exec', 'publish.sql'], { cwd: await makeProject() });
    expect(exitCode).toBe(0);
    expect(listWarnings(stderr)).toEqual(FOUND);
  });

  it('are warnings of check, in metadata and in the manifest', async () => {
    const { stdout, exitCode } = await quern(['check', 'publish.sql'], { cwd: await makeProject() });
    expect(exitCode).toBe(0);
    expect(listWarnings(stdout)).toEqual(FOUND);
  });

  it('are errors when they resemble a directive', async () => {
    const { stdout, stderr, exitCode } = await quern(['exec', 'wrong/elif.sql'], {
      cwd: await makeProject(),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(stderr).toContain(
      'wrong/elif.sql:1:26: error: `#+elif` is not a directive, did you mean `#+elseif`?\n',
    );
  });
});
