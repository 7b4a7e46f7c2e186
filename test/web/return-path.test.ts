import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toReturnPath } from '../../web/api/return-path.ts';

const ORIGIN = 'https://quern.example.org';

describe('the page after a sign-in', () => {
  it.each([
    ['/profile/tokens', '/profile/tokens'],
    ['/catalog?path=%40Shared%2Fx#top', '/catalog?path=%40Shared%2Fx#top'],
    ['/a/../b', '/b'],
    ['/é', '/%C3%A9'],
  ])('is %s', (text, path) => {
    expect(toReturnPath(text, ORIGIN)).toBe(path);
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    'profile/tokens',
    '@evil.example',
    '',
    '/login',
    '/login?return=%2Flogin',
    undefined,
    null,
    7,
    ['/x'],
    {},
  ])('is the start page for %j', (text) => {
    expect(toReturnPath(text, ORIGIN)).toBe('/');
  });

  it('is never another site', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      ' ',
      'evil.example',
      '%2f',
      '%5c',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const path = toReturnPath(`/${parts.join('')}`, ORIGIN);
        expect(new URL(path, ORIGIN).origin).toBe(ORIGIN);
        expect(path).toMatch(/^\/(?![/\\])/);
      }),
    );
  });
});
