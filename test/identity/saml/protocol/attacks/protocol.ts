import { at, CALLBACK, conditions, ENTITY_ID, NAME_ID, REQUEST_ID, subject } from '../identity-provider.ts';
import { type Attack, attack, signed } from './attack.ts';

const data = (text: string) => signed({ subject: subject({ data: text }) });
const head = (text: string) =>
  signed({}, { attributes: `ID="_response-1" Version="2.0" IssueInstant="${at(-1)}" ${text}` });
const until = (seconds: number) =>
  `NotOnOrAfter="${at(seconds)}" Recipient="${CALLBACK}" InResponseTo="${REQUEST_ID}"`;
const code = (name: string) =>
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${name}"/></samlp:Status>`;
const name = (format: string) => subject({ nameId: NAME_ID.replace(/Format="[^"]*"/, format) });
const FORMAT = 'urn:oasis:names:tc:SAML:';

/** Responses that the provider has signed for another service, at another time, or of another kind. */
export const PROTOCOL_ATTACKS: readonly Attack[] = [
  attack(
    'another audience',
    () => signed({ conditions: conditions({ audiences: ['https://other.example.org'] }) }),
    ['audience'],
  ),
  attack('no audience', () => signed({ conditions: conditions({ audiences: [] }) }), ['audience']),
  attack(
    'a foreign audience next to the entity ID',
    () => signed({ conditions: conditions({ audiences: [ENTITY_ID, 'https://other.example.org'] }) }),
    ['audience'],
  ),
  attack(
    'an audience that starts with the entity ID',
    () => signed({ conditions: conditions({ audiences: [`${ENTITY_ID}/`] }) }),
    ['audience'],
  ),
  attack('another recipient', () => data(until(300).replace(CALLBACK, 'https://other.example.org/acs')), [
    'recipient',
  ]),
  attack('no recipient', () => data(`NotOnOrAfter="${at(300)}" InResponseTo="${REQUEST_ID}"`), ['recipient']),
  attack(
    'another destination',
    () => head(`Destination="https://other.example.org/acs" InResponseTo="${REQUEST_ID}"`),
    ['destination'],
  ),
  attack('no destination', () => head(`InResponseTo="${REQUEST_ID}"`), ['destination']),
  attack(
    'a response without a request',
    () =>
      signed(
        { subject: subject({ data: `NotOnOrAfter="${at(300)}" Recipient="${CALLBACK}"` }) },
        { attributes: `ID="_response-1" Version="2.0" IssueInstant="${at(-1)}" Destination="${CALLBACK}"` },
      ),
    ['in-response-to'],
  ),
  attack('an answer to two requests', () => head(`Destination="${CALLBACK}" InResponseTo="_request-2"`), [
    'in-response-to',
  ]),
  attack('a response that names no request', () => head(`Destination="${CALLBACK}"`), ['in-response-to']),
  attack(
    'another issuer of the response',
    () => signed({}, { issuer: '<saml:Issuer>https://evil.example.com</saml:Issuer>' }, {}),
    ['issuer'],
  ),
  attack(
    'another issuer of the assertion',
    () => signed({ issuer: '<saml:Issuer>https://evil.example.com</saml:Issuer>' }),
    ['assertion-issuer'],
  ),
  attack('the status Responder', () => signed({}, { status: code('Responder') }), ['status']),
  attack('the status AuthnFailed', () => signed({}, { status: code('AuthnFailed') }), ['status']),
  attack(
    'a persistent NameID',
    () => signed({ subject: name(`Format="${FORMAT}2.0:nameid-format:persistent"`) }),
    ['name-id-format'],
  ),
  attack('a NameID without a format', () => signed({ subject: name('') }), ['name-id-format']),
  attack('holder of key', () => signed({ subject: subject({ method: `${FORMAT}2.0:cm:holder-of-key` }) }), [
    'confirmation',
  ]),
  attack(
    'two confirmations',
    () =>
      signed({
        subject: subject().replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '$&$&'),
      }),
    ['confirmation'],
  ),
  attack(
    'no confirmation',
    () =>
      signed({ subject: subject().replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '') }),
    ['confirmation', 'recipient', 'confirmation-time', 'in-response-to'],
  ),
  attack('a confirmation that was over 61 s ago', () => data(until(-61)), ['confirmation-time']),
  attack(
    'a confirmation without an expiry',
    () => data(`Recipient="${CALLBACK}" InResponseTo="${REQUEST_ID}"`),
    ['confirmation-time'],
  ),
  attack('a confirmation with a beginning', () => data(`NotBefore="${at(-10)}" ${until(300)}`), [
    'confirmation-time',
  ]),
  attack(
    'conditions that expired 61 s ago',
    () => signed({ conditions: conditions({ times: `NotOnOrAfter="${at(-61)}"` }) }),
    ['conditions-time'],
  ),
  attack(
    'conditions that begin in 61 s',
    () => signed({ conditions: conditions({ times: `NotBefore="${at(61)}" NotOnOrAfter="${at(300)}"` }) }),
    ['conditions-time'],
  ),
  attack(
    'conditions without an expiry',
    () => signed({ conditions: conditions({ times: `NotBefore="${at(-5)}"` }) }),
    ['conditions', 'conditions-time'],
  ),
  attack('no conditions', () => signed({ conditions: '' }), ['conditions', 'conditions-time', 'audience']),
  attack('two conditions', () => signed({ conditions: conditions().repeat(2) }), ['schema', 'conditions']),
  attack('no AuthnStatement', () => signed({ authn: '' }), ['authn-statement']),
  attack(
    'a session that expired 61 s ago',
    () =>
      signed({
        authn: `<saml:AuthnStatement AuthnInstant="${at(-900)}" SessionNotOnOrAfter="${at(-61)}"><saml:AuthnContext><saml:AuthnContextClassRef>x</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
      }),
    ['session-time'],
  ),
  attack('a time of another zone', () => data(until(300).replace(/12:05:00.000Z/, '12:05:00.000+00:00')), [
    'confirmation-time',
  ]),
  attack(
    'another version',
    () =>
      signed(
        {},
        {
          attributes: `ID="_response-1" Version="2.1" IssueInstant="${at(-1)}" Destination="${CALLBACK}" InResponseTo="${REQUEST_ID}"`,
        },
      ),
    ['version'],
  ),
  attack(
    'Extensions',
    () => signed({}, { extensions: '<samlp:Extensions><x xmlns="urn:x"/></samlp:Extensions>' }),
    ['extensions'],
  ),
];
