import { assertion, attribute, response, signElement, subject } from '../identity-provider.ts';
import { signers } from '../world.ts';
import { type Attack, attack, cutAssertion, cutSignature, forged, signed } from './attack.ts';

/** A response that the provider has signed as a whole. */
const whole = () => signElement(response(), signers.own, { id: '_response-1' });
/** A response with a signed assertion; the response itself is not signed. */
const inside = () => cutAssertion(signed());

/** A forged assertion in `around`, with the signed one somewhere in it. */
const SIGNED_ELSEWHERE = (xml: string) =>
  xml.replace('xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ', '');

/** XML signature wrapping: the signed bytes exist, but a reader could read other content. */
export const WRAPPING_ATTACKS: readonly Attack[] = [
  attack('XSW 1: a forged response around the signed one, in its signature', () => {
    const original = whole();
    const signature = cutSignature(original);
    const bare = original.replace(signature, '');
    const forgedResponse = response({ assertion: forged() }).replace('_response-1', '_evil');
    const holder = signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`);
    return forgedResponse.replace('</saml:Issuer>', `</saml:Issuer>${holder}`);
  }, ['assertions', 'object', 'reference', 'digest', 'same-assertion']),
  attack('XSW 2: the signature next to the signed response, inside the forged one', () => {
    const original = whole();
    const signature = cutSignature(original);
    const bare = original.replace(signature, '');
    const forgedResponse = response({ assertion: forged() }).replace('_response-1', '_evil');
    return forgedResponse.replace(
      '</saml:Issuer>',
      `</saml:Issuer>${signature}<samlp:Extensions>${bare}</samlp:Extensions>`,
    );
  }, ['schema', 'assertions', 'extensions', 'reference', 'digest', 'same-assertion']),
  attack(
    'XSW 3: a forged assertion before the signed one',
    () => signed().replace('<saml:Assertion', `${forged()}<saml:Assertion`),
    ['assertions', 'unreadable'],
  ),
  attack(
    'XSW 3: a forged assertion after the signed one',
    () => signed().replace('</samlp:Response>', `${forged()}</samlp:Response>`),
    ['assertions'],
  ),
  attack(
    'XSW 4: the signed assertion inside the forged one',
    () => response({ assertion: forged().replace('</saml:Assertion>', `${inside()}</saml:Assertion>`) }),
    ['schema', 'assertions', 'signatures', 'signature', 'same-assertion'],
  ),
  attack('XSW 5: the forged assertion has the signature, and the signed one is at the end', () => {
    const original = signed();
    const signature = cutSignature(original);
    const bare = cutAssertion(original).replace(signature, '');
    const evil = forged().replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
    return response({ assertion: evil + bare });
  }, ['assertions', 'reference', 'digest', 'same-assertion']),
  attack('XSW 6: the signed assertion within the signature of the forged one', () => {
    const original = signed();
    const signature = cutSignature(original);
    const bare = cutAssertion(original).replace(signature, '');
    const holder = signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`);
    return response({ assertion: forged().replace('</saml:Issuer>', `</saml:Issuer>${holder}`) });
  }, ['assertions', 'object', 'reference', 'digest', 'same-assertion']),
  attack(
    'XSW 7: the forged assertion in Extensions',
    () => response({ extensions: `<samlp:Extensions>${forged()}</samlp:Extensions>`, assertion: inside() }),
    ['assertions', 'extensions'],
  ),
  attack('XSW 8: the signed assertion in an object of the forged one', () => {
    const original = signed();
    const signature = cutSignature(original);
    const bare = cutAssertion(original).replace(signature, '');
    const holder = signature.replace(
      '</ds:Signature>',
      `<ds:Object><x xmlns="urn:x">${bare}</x></ds:Object></ds:Signature>`,
    );
    return response({
      assertion: forged('_assertion-1').replace('</saml:Issuer>', `</saml:Issuer>${holder}`),
    });
  }, ['schema', 'ids', 'assertions', 'object', 'digest', 'signature']),
  attack(
    'the signed assertion in Extensions',
    () => response({ extensions: `<samlp:Extensions>${inside()}</samlp:Extensions>`, assertion: forged() }),
    ['assertions', 'extensions', 'signatures', 'signature', 'same-assertion'],
  ),
  attack('two assertions that the provider has signed, each its own', () => {
    const second = assertion().replace('_assertion-1', '_assertion-2');
    const both = signElement(response({ assertion: assertion() + second }), signers.own);
    return signElement(both, signers.own, { id: '_assertion-2' });
  }, ['assertions', 'digest']),
  attack(
    'the signed assertion in SubjectConfirmationData',
    () =>
      response({
        assertion: assertion({ subject: subject({ inside: inside() }) }).replace('_assertion-1', '_evil'),
      }),
    ['assertions', 'signatures', 'signature', 'same-assertion'],
  ),
  attack(
    'the signed assertion in Advice',
    () =>
      response({
        assertion: forged().replace(
          '<saml:AuthnStatement',
          `<saml:Advice>${inside()}</saml:Advice><saml:AuthnStatement`,
        ),
      }),
    ['assertions', 'signatures', 'signature', 'same-assertion'],
  ),
  attack(
    'the signed assertion in an AttributeValue',
    () => response({ assertion: forged().replace('>finance<', `>${inside()}<`) }),
    ['assertions', 'signatures', 'signature', 'same-assertion'],
  ),
  attack('the signature moved to the response', () => {
    const original = signed();
    const signature = cutSignature(original);
    return original.replace(signature, '').replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
  }, ['reference', 'digest']),
  attack('the signature moved to the end of the assertion', () => {
    const original = signed();
    const signature = cutSignature(original);
    return original.replace(signature, '').replace('</saml:Assertion>', `${signature}</saml:Assertion>`);
  }, ['schema']),
  attack(
    'a forged assertion with the ID of the signed one',
    () => signed().replace('</samlp:Response>', `${forged('_assertion-1')}</samlp:Response>`),
    ['schema', 'ids', 'assertions', 'signature'],
  ),
  attack(
    'an assertion next to an encrypted one',
    () =>
      signed().replace(
        '</samlp:Response>',
        '<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"><xenc:CipherData><xenc:CipherValue>AA==</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion></samlp:Response>',
      ),
    ['encryption'],
  ),
  attack(
    'a forged assertion in a foreign namespace',
    () =>
      signed().replace(
        '<saml:Assertion',
        `${forged().replace('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:x')}<saml:Assertion`,
      ),
    ['schema', 'assertions'],
  ),
  attack(
    'only an assertion in a foreign namespace',
    () =>
      signElement(
        response({ assertion: assertion().replace('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:x') }),
        signers.own,
      ),
    ['schema', 'assertions', 'signatures', 'unreadable'],
  ),
  attack('id for ID', () => signed().replace('ID="_assertion-1"', 'id="_assertion-1"'), [
    'schema',
    'reference',
    'digest',
    'signature',
  ]),
  attack(
    'a second response inside the first',
    () =>
      signed(
        {},
        {
          extensions: `<samlp:Extensions>${SIGNED_ELSEWHERE(response({ assertion: '' })).replace('_response-1', '_r2')}</samlp:Extensions>`,
        },
      ),
    ['schema', 'assertions', 'extensions'],
  ),
  attack(
    'an element of another kind with the ID of the assertion',
    () =>
      signElement(
        response({
          assertion: assertion({
            statement: `<saml:AttributeStatement>${attribute('other', '<x xmlns="urn:x" Id="_assertion-1"/>')}</saml:AttributeStatement>`,
          }),
        }),
        signers.own,
      ),
    ['ids', 'signature'],
  ),
];
