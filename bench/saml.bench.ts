import path from 'node:path';
import { SamlError } from '../src/identity/saml/protocol/checks.ts';
import { loadSchemas } from '../src/identity/saml/protocol/schemas.ts';
import { verifyResponse } from '../src/identity/saml/protocol/verify-response.ts';
import {
  assertion,
  attribute,
  createSigner,
  expectFrom,
  post,
  response,
  signElement,
} from '../test/identity/saml/protocol/identity-provider.ts';
import type { Bench } from './bench.ts';
import { measureShare } from './measure.ts';

// Measures how long one SAML response keeps the SAML thread busy: an everyday response, and the most hostile responses of
// 256 KB that an unauthenticated client can post without a key of the identity provider.
const schemas = loadSchemas(path.resolve(import.meta.dirname, '../schema/saml'));
const [own, foreign] = [createSigner('idp'), createSigner('idp')];
const SIZE = 190_000;

const fill = (text: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, i) => text(i)).join('');
const statement = (inside: string) => `<saml:AttributeStatement>${inside}</saml:AttributeStatement>`;
const forged = (inside: string) =>
  signElement(response({ assertion: assertion({ statement: statement(inside) }) }), foreign);
const rooted = (attributes: string) =>
  forged(attribute('a', 'b')).replace('<samlp:Response ', `<samlp:Response ${attributes} `);
const namespaces = (count: number) => fill((i) => `xmlns:n${i}="urn:n${i}" `, count);

/** Each response is valid by the schemas if possible, so that it passes as many checks as possible. */
const HOSTILE: Readonly<Record<string, string>> = {
  '1,400 tags in attributes': forged(fill((i) => attribute(`a${i}`, 'x'.repeat(200)), 330)),
  '1,400 tags in one value': forged(
    attribute(
      'a',
      fill((i) => `<x xmlns="urn:x${i}" Id="i${i}">${'y'.repeat(80)}</x>`, 690),
    ),
  ),
  'a depth of 240': forged(attribute('a', `${'<x a="b">'.repeat(240)}${'</x>'.repeat(240)}`)),
  'a long text': forged(attribute('a', 'x'.repeat(SIZE))),
  'character references': forged(attribute('a', '&#97;'.repeat(SIZE / 5))),
  'one element with 12,000 attributes': forged(attribute('a', `<x ${fill((i) => `a${i}="" `, 12_000)}/>`)),
  '6,000 namespaces at the root': rooted(namespaces(6_000)),
  '6,000 namespaces at the root, and as many prefixes': rooted(namespaces(6_000)).replace(
    '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>',
    `<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"><ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${fill((i) => `n${i} `, 6_000)}"/></ds:CanonicalizationMethod>`,
  ),
  '200 references': forged(attribute('a', 'b')).replace(/<ds:Reference.*<\/ds:Reference>/, (one) =>
    one.repeat(200),
  ),
  'no XML': 'x'.repeat(SIZE),
};

const expected = expectFrom(own);

function verify(posted: string): void {
  try {
    verifyResponse(posted, expected, { schemas });
  } catch (error) {
    if (error instanceof SamlError) return;
    throw error;
  }
  throw new Error('it was accepted');
}

function benchOf(name: string, most: number, work: () => void): Bench {
  const ours = () => measureShare(work, 0.5, 20);
  return { name, peerName: '', runs: 3, ours, limits: [{ metric: 'wall', most, compare: 'alone' }] };
}

const large = post(
  signElement(
    response({ assertion: assertion({ statement: statement(fill((i) => attribute(`a${i}`, 'x'), 360)) }) }),
    own,
  ),
);
const everyday = post(signElement(response(), own));

export const benches: readonly Bench[] = [
  benchOf('1,000 × an everyday response verified, median', 100_000, () => {
    verifyResponse(everyday, expected, { schemas });
  }),
  benchOf('1,000 × one with 360 attributes verified, median', 200_000, () => {
    verifyResponse(large, expected, { schemas });
  }),
  ...Object.entries(HOSTILE).map(([name, xml]) => {
    const posted = post(xml);
    if (posted.length > 256 * 1024) throw new Error(`${name}: ${posted.length} bytes`);
    return benchOf(`1,000 × ${name} refused, median`, 100_000, () => verify(posted));
  }),
];
