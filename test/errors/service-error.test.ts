import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/errors/service-error.ts';

const messageOf = (detail: string) => new ServiceError(400, 'field_invalid', detail).message;

describe('the message of an error', () => {
  it('is the first line of its detail', () => {
    expect(messageOf('Path not found: @Shared/x')).toBe('Path not found: @Shared/x');
    for (const end of ['\n', '\r\n', '\r']) expect(messageOf(`one${end}two${end}three`)).toBe('one');
    expect(messageOf('\n\n  one\ntwo')).toBe('  one');
    expect(messageOf('')).toBe('');
  });

  it('has at most 500 characters', () => {
    expect(messageOf('x'.repeat(500))).toBe('x'.repeat(500));
    expect(messageOf(`${'x'.repeat(501)}\ny`)).toBe('x'.repeat(500));
  });

  it('is never cut inside a surrogate pair', () => {
    expect(messageOf(`${'x'.repeat(498)}😀y`)).toBe(`${'x'.repeat(498)}😀`);
    expect(messageOf(`${'x'.repeat(499)}😀`)).toBe('x'.repeat(499));
    expect(messageOf('😀'.repeat(300))).toBe('😀'.repeat(250));
  });

  it('does not change the detail', () => {
    const detail = `${'x'.repeat(600)}\nsecond line`;
    expect(new ServiceError(422, 'sql_error', detail).detail).toBe(detail);
  });
});
