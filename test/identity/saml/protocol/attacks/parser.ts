import { deflateRawSync } from 'node:zlib';
import { post, response } from '../identity-provider.ts';
import { type Attack, attack, signed } from './attack.ts';

const behindDeclaration = (text: string) => `<?xml version="1.0"?>${text}${signed()}`;

/** Documents that could break a parser or keep it busy. */
export const PARSER_ATTACKS: readonly Attack[] = [
  attack('a DOCTYPE', () => behindDeclaration('<!DOCTYPE x>'), ['markup']),
  attack(
    'an entity',
    () =>
      behindDeclaration('<!DOCTYPE x [<!ENTITY a "ann@example.com">]>').replace('>ann@example.com<', '>&a;<'),
    ['markup', 'well-formed'],
  ),
  attack(
    'an entity that reads a file',
    () =>
      behindDeclaration('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>').replace(
        '>ann@example.com<',
        '>&a;<',
      ),
    ['markup', 'well-formed'],
  ),
  attack('a billion laughs', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`,
    );
    const type = `<!DOCTYPE x [<!ENTITY a0 "ha">${levels.join('')}]>`;
    return behindDeclaration(type).replace('>ann@example.com<', '>&a9;<');
  }, ['markup', 'well-formed']),
  attack('an undeclared entity', () => signed().replace('>ann@example.com<', '>&a;<'), ['well-formed']),
  attack(
    'a namespace with a relative URI, which has no canonical form',
    () => signed().replace('<samlp:Response ', '<samlp:Response xmlns:x="relative" '),
    ['well-formed'],
  ),
  attack(
    'a control character as a reference',
    () => signed().replace('>ann@example.com<', '>ann&#1;@example.com<'),
    ['well-formed'],
  ),
  attack(
    'a namespace of 600 characters',
    () => signed().replace('<samlp:Response ', `<samlp:Response xmlns:x="urn:${'x'.repeat(600)}" x:a="" `),
    ['elements', 'schema'],
  ),
  attack(
    '4,000 attributes',
    () =>
      signed().replace(
        '<samlp:Response ',
        `<samlp:Response ${Array.from({ length: 4_000 }, (_, index) => `a${index}=""`).join(' ')} `,
      ),
    ['elements', 'schema'],
  ),
  attack('two roots', () => signed() + signed(), ['well-formed']),
  attack('no XML', () => 'hello', ['well-formed']),
  attack('a document of another kind', () => '<html/>', [
    'root',
    'status',
    'schema',
    'assertions',
    'version',
    'destination',
    'signatures',
    'signature',
    'unreadable',
  ]),
  {
    name: 'UTF-16',
    posted: () => Buffer.from(`\ufeff${signed()}`, 'utf16le').toString('base64'),
    checks: ['encoding', 'well-formed'],
  },
  attack(
    'a declaration of another encoding',
    () => `<?xml version="1.0" encoding="ISO-8859-1"?>${signed()}`,
    ['markup'],
  ),
  {
    name: 'bytes that are not UTF-8',
    posted: () =>
      Buffer.concat([Buffer.from(signed().slice(0, -2)), Buffer.from([0xff, 0x3e])]).toString('base64'),
    checks: ['encoding', 'well-formed'],
  },
  attack(
    'a depth of 3,000',
    () =>
      response({
        extensions: `<samlp:Extensions>${'<x>'.repeat(3000)}${'</x>'.repeat(3000)}</samlp:Extensions>`,
      }),
    ['elements', 'well-formed'],
  ),
  attack(
    'a depth of 700',
    () =>
      response({
        extensions: `<samlp:Extensions>${'<x>'.repeat(700)}${'</x>'.repeat(700)}</samlp:Extensions>`,
      }),
    ['well-formed'],
  ),
  { name: 'invalid base64', posted: () => `!${post(signed())}`, checks: ['base64'] },
  {
    name: 'base64 with the URL alphabet',
    posted: () =>
      post(
        signed(
          {},
          { extensions: '<samlp:Extensions><x xmlns="urn:x">\u00ff\u00fe\u00ff?>?>?</x></samlp:Extensions>' },
        ),
      )
        .replaceAll('+', '-')
        .replaceAll('/', '_'),
    checks: ['base64', 'extensions'],
  },
  {
    name: 'truncated base64',
    posted: () => post(`${signed()} `.padEnd(12_001)).replace(/=+$/, ''),
    checks: ['base64'],
  },
  { name: 'an empty text', posted: () => '', checks: ['base64', 'well-formed'] },
  {
    name: 'a deflated response',
    posted: () => deflateRawSync(response()).toString('base64'),
    checks: ['encoding', 'well-formed'],
  },
  {
    name: 'a deflate bomb',
    posted: () => deflateRawSync(Buffer.alloc(10_000_000, 'a')).toString('base64'),
    checks: ['encoding', 'well-formed'],
  },
  attack('1 MB', () => signed().replace('>finance<', `>${'x'.repeat(1_000_000)}<`), [
    'size',
    'digest',
    'signature',
  ]),
  attack(
    '16,000 siblings',
    () => response({ extensions: `<samlp:Extensions>${'<a/>'.repeat(16_000)}</samlp:Extensions>` }),
    ['elements', 'schema', 'extensions', 'signatures', 'signature'],
  ),
];
