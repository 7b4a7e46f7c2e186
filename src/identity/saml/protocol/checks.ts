/**
 * Every check that a SAML response passes (identity 4), in the order in which they are made, and what it asks for. The
 * log names the check that refused a response.
 */
export const RESPONSE_CHECKS = {
  size: 'the response has at most 256 KB',
  base64: 'the response is strict base64',
  encoding: 'the XML is UTF-8 without control characters',
  elements: 'the XML has at most 1,500 tags, 3,000 attributes, and 500 characters in a name',
  markup: 'the XML has no DOCTYPE, comment, CDATA section or processing instruction',
  'well-formed': 'the XML is well-formed, with one root and at most 256 levels',
  root: 'the root is a Response of SAML 2.0',
  status: 'the identity provider says Success',
  encryption: 'nothing is encrypted',
  schema: 'the XML is valid by the schemas of SAML',
  ids: 'each ID occurs once',
  assertions: 'the response has one assertion, directly below its root',
  extensions: 'the response has no extensions',
  version: 'response and assertion have version 2.0',
  destination: 'the destination is the callback of this instance',
  issuer: 'the issuer is the identity provider',
  signatures: 'there is one signature or two, each directly below the response or the assertion, one in each',
  reference: 'a signature refers to the element that it stands in, and to nothing else',
  transforms:
    'a signature has two transforms: enveloped signature, and exclusive canonicalization without comments',
  algorithms: 'a signature uses RSA with SHA-256 or SHA-512, and digests of SHA-256 or SHA-512',
  object: 'a signature contains no object',
  key: 'each signature is made with a key of the identity provider',
  digest: 'what is signed is unchanged',
  signature: 'the signature library verifies the signature',
  'same-assertion': 'both XML parsers read the same assertion',
  'assertion-issuer': 'the issuer of the assertion is the identity provider',
  'name-id': 'the subject has one NameID, an e-mail address of plain characters',
  'name-id-format': 'the format of the NameID is emailAddress',
  confirmation: 'the subject is confirmed once, by bearer',
  recipient: 'the recipient is the callback of this instance',
  'confirmation-time': 'the confirmation has an end, which is not over, and no beginning',
  'in-response-to': 'response and confirmation name the same request',
  conditions: 'the assertion has conditions, with an end',
  'conditions-time': 'the conditions hold now',
  audience: 'the audience is this instance and nothing else',
  'authn-statement': 'the assertion says once when the user has signed in',
  'session-time': 'the session at the identity provider is not over',
  attributes: 'each mapped attribute occurs once, except that of the groups',
} as const;

/** The name of a check. */
export type ResponseCheck = keyof typeof RESPONSE_CHECKS;

/** Characters of a detail: strangers choose what stands in it. */
const MAX_DETAIL_LENGTH = 500;

/** A response that a check refuses; `detail` is for the log, and has nothing secret. */
export class SamlRefusal extends Error {
  readonly check: string;
  readonly detail: string;
  /** Users see no reason, since an attacker would see it, too. */
  readonly userText = null;

  constructor(check: string, detail: string) {
    const shown = detail.slice(0, MAX_DETAIL_LENGTH).toWellFormed();
    super(`${check}: ${shown}`);
    this.name = 'SamlRefusal';
    this.check = check;
    this.detail = shown;
  }
}

/** Decides what a check refuses. */
export interface Checker {
  /** Throws a SamlRefusal unless `isMet`, or the check is off. */
  require(check: ResponseCheck, isMet: boolean, detail: string | (() => string)): void;
}

/** Makes every check but those that are `off`: tests alone turn any off, to see what then gets in. */
export function createChecker(off: ReadonlySet<ResponseCheck> = new Set()): Checker {
  return {
    require: (check, isMet, detail) => {
      if (isMet || off.has(check)) return;
      const found = typeof detail === 'string' ? detail : detail();
      throw new SamlRefusal(check, `expected: ${RESPONSE_CHECKS[check]}; found: ${found}`);
    },
  };
}
