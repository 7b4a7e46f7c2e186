import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectScriptType } from '../../../../src/engine/script/syntax/detect-type.ts';
import { share } from '../../../support/rotation.ts';

describe('detectScriptType', () => {
  it.each([
    ['', 'SQL_SCRIPT'],
    ['select 1', 'SQL_SCRIPT'],
    ['#+src sql A()\n#+begin\nselect 1\n#+end', 'SERVICE_SCRIPT'],
    ['-- #+src', 'SERVICE_SCRIPT'],
    ['#+SRC', 'SQL_SCRIPT'],
    ['#+const\nx = 1;\n#+end', 'SQL_SCRIPT'],
    ['select * from {{ A() }}', 'SERVICE_SCRIPT'],
    ['{{\n\n}}', 'SERVICE_SCRIPT'],
    ['{{}}', 'SERVICE_SCRIPT'],
    ["select '{{'; select '}}'", 'SERVICE_SCRIPT'],
    ['{{ open', 'SQL_SCRIPT'],
    ['}} {{', 'SQL_SCRIPT'],
    ['{{}', 'SQL_SCRIPT'],
    ['{ { } }', 'SQL_SCRIPT'],
    ["select {'a': {'b': 1}}", 'SQL_SCRIPT'],
    ["select {'a': 1}} {{", 'SQL_SCRIPT'],
  ])('%j is a %s', (content, type) => {
    expect(detectScriptType(content)).toBe(type);
  });

  it('agrees with the rule as a pattern', () => {
    const text = fc
      .array(fc.constantFrom('{', '}', '#+', 'src', '\n', ' ', 'a'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (content) => {
        const script = /#\+src|\{\{[\s\S]*\}\}/.test(content);
        expect(detectScriptType(content)).toBe(script ? 'SERVICE_SCRIPT' : 'SQL_SCRIPT');
      }),
      { numRuns: share(500) },
    );
  });
});
