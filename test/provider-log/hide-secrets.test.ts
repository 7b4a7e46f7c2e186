import { describe, expect, it } from 'vitest';
import { hideInTarget, printWithoutSecrets } from '../../src/provider-log/hide-secrets.ts';

const SECRET = 'hunter2';
const print = (body: unknown) => printWithoutSecrets(body)?.text ?? null;

describe('a body without its secrets', () => {
  it.each<[title: string, body: object, printed: object]>([
    ['at the top', { userName: 'ada', password: SECRET }, { userName: 'ada', password: '***' }],
    ['in another case', { pAssWORD: SECRET }, { pAssWORD: '***' }],
    ['in letters of full width', { ｐａｓｓｗｏｒｄ: SECRET }, { '***': '***' }],
    ['with its schema', { 'urn:x:User:password': SECRET }, { 'urn:x:User:password': '***' }],
    ['at depth', { a: [{ b: { Password: { value: SECRET } } }] }, { a: [{ b: { Password: '***' } }] }],
    [
      'of another name',
      { newPassword: SECRET, clientSecret: SECRET },
      { newPassword: '***', clientSecret: '***' },
    ],
    ['of a header', { Authorization: SECRET }, { Authorization: '***' }],
    [
      'of a change whose path names it',
      { Operations: [{ op: 'replace', path: 'PassWord', value: SECRET }] },
      { Operations: [{ op: 'replace', path: 'PassWord', value: '***' }] },
    ],
    [
      'of a change with its fields in another case and form',
      { operations: [{ OP: 'Add', Path: 'urn:x:User:password', Value: [{ value: SECRET }] }] },
      { operations: [{ OP: 'Add', Path: 'urn:x:User:password', Value: '***' }] },
    ],
    [
      'of a change whose value has it',
      { Operations: [{ op: 'add', value: { nickName: 'a', password: SECRET } }] },
      { Operations: [{ op: 'add', value: { nickName: 'a', password: '***' } }] },
    ],
    [
      'of a change whose path is no string',
      { Operations: [{ op: 'add', path: ['password'], value: SECRET }] },
      { Operations: [{ op: 'add', path: '***', value: '***' }] },
    ],
    [
      'in the filter of a path',
      { Operations: [{ op: 'add', path: `emails[password eq "${SECRET}"]`, value: 1 }] },
      { Operations: [{ op: 'add', path: '***', value: '***' }] },
    ],
    ['in a filter', { filter: `password eq "${SECRET}"` }, { filter: '***' }],
    ['in JSON within a string', { value: `{"password":"${SECRET}"}` }, { value: '***' }],
    ['in the name of a field', { [`password eq "${SECRET}"`]: 1 }, { '***': '***' }],
    ['as a pair of name and value', { name: 'password', text: SECRET }, { name: 'password', text: '***' }],
  ])('replaces one %s', (_title, body, printed) => {
    expect(JSON.parse(print(body) ?? '')).toEqual(printed);
  });

  it('keeps everything else', () => {
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'ada',
      name: { givenName: 'Ada' },
      emails: [{ type: 'work', value: 'ada@example.org', primary: true }],
      active: false,
      nothing: null,
      number: 1.5,
      Operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'ada@example.org' }],
    };
    expect(JSON.parse(print(body) ?? '')).toEqual(body);
    expect(printWithoutSecrets(body)).toMatchObject({ isCut: false, hidesText: false });
  });

  it('ends after 16 KB, without half a character, and hides what follows a long text', () => {
    const long = printWithoutSecrets({ displayName: 'ü'.repeat(20_000), password: SECRET });
    expect(long).toMatchObject({ isCut: true });
    expect(Buffer.byteLength(long?.text ?? '')).toBeLessThanOrEqual(16 * 1024);
    expect(long?.text).toMatch(/^\{"displayName":"ü+$/);
    const many = printWithoutSecrets(Array.from({ length: 50_000 }, () => ({ password: SECRET })));
    expect(many?.isCut).toBe(true);
    expect(many?.text).not.toContain(SECRET);
  });

  it('ends at deep values', () => {
    let deep: unknown = { password: SECRET };
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(printWithoutSecrets(deep)).toMatchObject({
      isCut: true,
      text: expect.stringMatching(/^\[+"…"\]+$/),
    });
  });

  it.each([undefined, null, SECRET, 5])('is null for the single value %j', (body) => {
    expect(print(body)).toBe(null);
  });
});

describe('a path without its secrets', () => {
  it.each([
    ['/Users?filter=userName%20eq%20%22ada%22', '/Users?filter=userName%20eq%20%22ada%22'],
    [`/Users?filter=password%20eq%20%22${SECRET}%22`, '/Users?***'],
    [`/Users?filter=p%41SSword+eq+%22${SECRET}%22&x=%zz`, '/Users?***'],
    [`/Users/password=${SECRET}?count=1`, '***?count=1'],
    [`/Users?a=?password=${SECRET}`, '/Users?***'],
  ])('of %s is %s', (target, text) => {
    expect(hideInTarget(target)).toEqual({ text, hidesText: target !== text });
  });
});
