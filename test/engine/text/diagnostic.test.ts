import { describe, expect, it } from 'vitest';
import { createDiagnostic, DiagnosticError, printDiagnostic } from '../../../src/engine/text/diagnostic.ts';

const source = { name: '@Shared/sales/report', text: 'select *\nfrom custmers' };
const finding = createDiagnostic(
  source,
  { start: 14, end: 22 },
  'no table `custmers`, did you mean `customers`?',
  'unknown-name',
);

describe('createDiagnostic', () => {
  it('creates plain data with the position and the code frame', () => {
    expect(structuredClone(finding)).toEqual({
      severity: 'error',
      code: 'unknown-name',
      message: 'no table `custmers`, did you mean `customers`?',
      suggestion: 'customers',
      file: '@Shared/sales/report',
      line: 2,
      column: 6,
      end: { line: 2, column: 14 },
      frame: '1 | select *\n2 | from custmers\n  |      ^~~~~~~~',
    });
  });

  it.each([
    ['there is no folder `slaes`; did you mean `sales`?', 'sales'],
    ['Catalog Error: …!\nDid you mean "memory.main.customers"?', 'memory.main.customers'],
    ['unknown directive `#+sorce`, did you mean `#+src`?', '#+src'],
    ['did you mean it?', null],
    ['no hint', null],
  ])('finds the suggestion in the message: %s', (message, meant) => {
    expect(createDiagnostic(source, { start: 0, end: 6 }, message, 'sql').suggestion).toBe(meant);
  });

  it('accepts a severity', () => {
    expect(createDiagnostic(source, { start: 0, end: 6 }, 'slow', 'sql', 'warning').severity).toBe('warning');
  });
});

describe('printDiagnostic', () => {
  it('prints file, line, column and severity before the message, and the code frame below', () => {
    expect(printDiagnostic(finding).split('\n')).toEqual([
      '@Shared/sales/report:2:6: error: no table `custmers`, did you mean `customers`?',
      '1 | select *',
      '2 | from custmers',
      '  |      ^~~~~~~~',
    ]);
  });

  it('makes control characters of file and message visible', () => {
    const printed = printDiagnostic({ ...finding, file: 'a\u001b]0;b', message: 'x\u0007\ny', frame: '' });
    expect(printed).toBe('a␛]0;b:2:6: error: x␇\ny\n');
  });
});

describe('DiagnosticError', () => {
  it('contains its diagnostics and prints all of them', () => {
    const other = createDiagnostic(source, { start: 0, end: 6 }, 'unused', 'sql');
    const error = new DiagnosticError([finding, other]);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('DiagnosticError');
    expect(error.diagnostics).toEqual([finding, other]);
    expect(error.message).toBe(`${printDiagnostic(finding)}\n\n${printDiagnostic(other)}`);
  });
});
