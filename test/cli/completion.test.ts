import { describe, expect, it } from 'vitest';
import { findSlot } from '../../src/cli/completion/find-slot.ts';
import { splitLine } from '../../src/cli/completion/split-line.ts';

describe('splitLine', () => {
  it.each([
    ['', ['']],
    ['quern ', ['quern', '']],
    ['quern  sq', ['quern', 'sq']],
    ["quern catalog ls '@Project Hub/x", ['quern', 'catalog', 'ls', '@Project Hub/x']],
    ['quern catalog ls "@Project \\"Hub', ['quern', 'catalog', 'ls', '@Project "Hub']],
    ['quern ls @Project\\ Hub', ['quern', 'ls', '@Project Hub']],
    ["quern sql 'a b' ", ['quern', 'sql', 'a b', '']],
  ])('splits %j', (line, words) => {
    expect(splitLine(line)).toEqual(words);
  });
});

describe('findSlot', () => {
  const slotOf = (line: string) => findSlot(splitLine(line));

  it.each([
    ['connection show ', 'connection'],
    ['connections describe ', 'connection'],
    ['sql --connection ', 'connection'],
    ['sql -c ', 'connection'],
    ['exec -c duckdb ', 'catalog'],
    ['exec-block @Shared/x ', 'block'],
    ['user set ', 'user'],
    ['group add-member team ada ', 'user'],
    ['groups add ', 'group'],
    ['token rm ', 'token'],
    ['grant add user:ada edit ', 'target'],
    ['config get ', 'setting'],
    ['load ', 'file'],
    ['sql --output ', 'file'],
  ])('completes `quern %s` with a value of the kind %s', (line, kind) => {
    expect(slotOf(line).kind).toBe(kind);
  });

  it.each([
    ['', 'sql'],
    ['users ', 'create'],
    ['sql --', '--connection'],
    ['--home x catalog ', 'ls'],
    ['sql -f ', 'parquet'],
    ['completion ', 'fish'],
    ['help ', 'exit-codes'],
    ['sso ', 'saml'],
    ['sso saml ', 'set'],
    ['admin backup ', 'rm'],
  ])('completes `quern %s` with words such as %s', (line, word) => {
    const slot = slotOf(line);
    expect(slot.kind === 'words' && slot.words.includes(word)).toBe(true);
  });

  it('suggests no values for names that do not exist yet', () => {
    expect(slotOf('user create ')).toEqual({ kind: 'words', words: [] });
  });
});
