import type { AssertedUser } from '../../asserted-user.ts';

/**
 * All checks of a SAML response (docs/reference/saml-sign-in.md#checks) in their order, with the condition that each
 * one requires. The log names the check that refused a response.
 *
 * @internal
 */
export const RESPONSE_CHECKS = {
  size: 'the response has at most 256 KB',
  base64: 'the response is strict base64',
  encoding: 'the XML is UTF-8 without control characters',
  elements: 'the XML has at most 1,500 tags, 3,000 attributes, and 500 characters in a name',
  markup: 'the XML has no DOCTYPE, comment, CDATA section or processing instruction',
  'well-formed': 'the XML is well-formed, with one root and at most 256 levels',
  root: 'the root is a Response of SAML 2.0',
  status: 'the status is Success',
  encryption: 'no element is encrypted',
  schema: 'the XML is valid against the SAML schemas',
  ids: 'each ID occurs once',
  assertions: 'the response has one assertion, directly below its root',
  extensions: 'the response has no extensions',
  version: 'response and assertion have version 2.0',
  destination: 'the destination is the callback of this instance',
  issuer: 'the issuer is the identity provider',
  signatures: 'there is one signature or two, each directly below the response or the assertion, one in each',
  reference: 'a signature references its parent element and nothing else',
  transforms:
    'a signature has two transforms: enveloped signature, and exclusive canonicalization without comments',
  algorithms: 'a signature uses RSA with SHA-256 or SHA-512, and digests of SHA-256 or SHA-512',
  object: 'a signature contains no object',
  key: 'each signature is made with a key of the identity provider',
  digest: 'the signed content is unchanged',
  signature: 'the signature library verifies the signature',
  'same-assertion': 'both XML parsers read the same assertion',
  'assertion-issuer': 'the issuer of the assertion is the identity provider',
  'name-id': 'the subject has one NameID, an e-mail address of plain characters',
  'name-id-format': 'the format of the NameID is emailAddress',
  confirmation: 'the subject is confirmed once, by bearer',
  recipient: 'the recipient is the callback of this instance',
  'confirmation-time': 'the confirmation has a NotOnOrAfter in the future, and no NotBefore',
  'in-response-to': 'response and confirmation name the same request',
  conditions: 'the assertion has Conditions with a NotOnOrAfter',
  'conditions-time': 'the current time is within the Conditions',
  audience: 'the audience is this instance and nothing else',
  'authn-statement': 'the assertion has exactly one AuthnStatement',
  'session-time': 'the session at the identity provider has not ended',
  attributes: 'each mapped attribute occurs once, except that of the groups',
} as const;

/** The name of a check. */
export type ResponseCheck = keyof typeof RESPONSE_CHECKS;

/** The maximum length of a detail in characters: unauthenticated clients choose its content. */
const MAX_DETAIL_LENGTH = 500;

/** A response that a check refuses; `detail` is for the log and contains no secrets. */
export class SamlError extends Error {
  readonly check: string;
  readonly detail: string;
  /** Users see no reason, because an attacker would see it as well. */
  readonly userText = null;
  /** Null before the signature of the assertion was verified. */
  user: AssertedUser | null;

  constructor(check: string, detail: string, user: AssertedUser | null = null) {
    const shown = detail.slice(0, MAX_DETAIL_LENGTH).toWellFormed();
    super(`${check}: ${shown}`);
    this.name = 'SamlError';
    this.check = check;
    this.detail = shown;
    this.user = user;
  }
}

/** Refuses a response when a check is not met. */
export interface Checker {
  /** Throws a SamlError unless `isMet`, or the check is off. */
  require(check: ResponseCheck, isMet: boolean, detail: string | (() => string)): void;
}

/** Performs every check except those in `off`. Only tests disable checks, to see what then gets through. */
export function createChecker(off: ReadonlySet<ResponseCheck> = new Set()): Checker {
  return {
    require: (check, isMet, detail) => {
      if (isMet || off.has(check)) return;
      const text = typeof detail === 'string' ? detail : detail();
      throw new SamlError(check, `expected: ${RESPONSE_CHECKS[check]}; found: ${text}`);
    },
  };
}
