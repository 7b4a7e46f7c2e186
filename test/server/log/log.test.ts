import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/server/log/log.ts';

describe('a line of the log', () => {
  it('contains no control characters of terminals, and the same values', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    const path = '/a\u009b2J\u202eb\u001b[2J\n\u2028c';
    log.info({ path }, 'answered');
    expect(lines).toHaveLength(1);
    expect(lines[0]!.trimEnd()).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
    expect(JSON.parse(lines[0]!)).toMatchObject({ path, msg: 'answered' });
  });
});
