import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, guardTerminal, toPrintable, toPrintableLines } from '../../src/text/printable.ts';
import { share } from '../support/rotation.ts';

describe('toPrintable', () => {
  it.each([
    ['plain', 0, 'plain', 5],
    ['a\tb', 0, 'a   b', 5],
    ['\tb', 2, '  b', 3],
    ['abcd\te', 0, 'abcd    e', 9],
    ['\u001b[31m', 0, '␛[31m', 5],
    ['\0\u007f', 0, '␀␡', 2],
    ['\u009b2J', 0, '\ufffd2J', 3],
    ['\u202eabc', 0, '\ufffdabc', 4],
    ['a\u200bb\ufeff', 0, 'a\ufffdb\ufffd', 4],
    ['\ud800', 0, '\ufffd', 1],
    ['\r\n', 0, '␍␊', 2],
    ['語', 0, '語', 2],
    ['😀!', 0, '😀!', 3],
    ['e\u0301', 0, 'e\u0301', 1],
  ])('prints %j at column %i', (text, column, shown, width) => {
    expect(toPrintable(text, column)).toEqual({ text: shown, width });
  });

  it('leaves no control character of a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toPrintable(text, 0).text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: share(500) },
    );
  });
});

describe('toPrintableLines', () => {
  it('keeps the lines of a message', () => {
    expect(toPrintableLines('one\r\ntwo\nthr\u001bee')).toBe('one\ntwo\nthr␛ee');
  });
});

describe('guardTerminal', () => {
  it.each([
    ['a\tb\r\nc\n', 'a\tb\r\nc\n'],
    ['\u001b[1m\u001b[31merror\u001b[39m', '\u001b[1m\u001b[31merror\u001b[39m'],
    ['\r\u001b[K1.0 s', '\r\u001b[K1.0 s'],
    ['\u001b]0;title\u0007', '␛]0;title␇'],
    ['\u001b[2J', '␛[2J'],
    ['\u009b2J\u0080', '\ufffd2J\ufffd'],
    ['a\u202egpj.exe\u2066\u200f', 'a\ufffdgpj.exe\ufffd\ufffd'],
    ['good\rbad', 'good␍bad'],
    ['👨‍👩‍👧 é', '👨‍👩‍👧 é'],
  ])('shows %j as %j', (text, shown) => {
    expect(guardTerminal(text)).toBe(shown);
  });
});

describe('escapeControls', () => {
  it('keeps the value of JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeControls(JSON.stringify({ text }));
        expect(escaped).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(JSON.parse(escaped)).toEqual({ text });
      }),
      { numRuns: share(500) },
    );
    expect(escapeControls('{"path":"/\u009b\u202e"}')).toBe('{"path":"/\\u009b\\u202e"}');
  });
});
