import { inflateRawSync } from 'node:zlib';
import { isSignedBy, SIGNATURE_HASHES } from './check-signatures.ts';
import { SamlError } from './checks.ts';
import {
  describeXmlError,
  findChildren,
  isNamed,
  listElements,
  NAMESPACE,
  readAttribute,
  readElementText,
  SUCCESS,
  withDocument,
} from './xml.ts';

/** The values that a response to a sign-out request must match. */
export interface LogoutExpectations {
  /** The single logout URL of this instance. */
  readonly logoutUrl: string;
  readonly identityProvider: { readonly entityId: string; readonly certificates: readonly string[] };
}

/** The content of a verified response. */
export interface VerifiedLogout {
  /** The ID of the request that it answers. */
  readonly inResponseTo: string;
  /** Whether the identity provider has ended the session everywhere. */
  readonly isDone: boolean;
  /** The codes of its status. */
  readonly status: string;
}

const MAX_SIZE = 64 * 1024;

/**
 * Verifies the response to a sign-out request (docs/reference/saml-sign-in.md#sign-out), received in the query of the
 * single logout URL with the redirect binding. `query` must be unchanged, because its bytes are signed. Throws a
 * SamlError.
 */
export function verifyLogout(query: string, expected: LogoutExpectations): VerifiedLogout {
  const parameters = readParameters(query);
  checkSignature(parameters, expected.identityProvider.certificates);
  const xml = inflate(decode(parameters, 'SAMLResponse'));
  try {
    return withDocument(xml, ({ root }) => {
      require('logout-root', isNamed(root, NAMESPACE.protocol, 'LogoutResponse'), `the root is ${root.name}`);
      const [issuer] = findChildren(root, NAMESPACE.assertion, 'Issuer');
      const name = issuer === undefined ? null : readElementText(issuer);
      require('logout-issuer', name === expected.identityProvider.entityId, `it is ${name}`);
      const destination = readAttribute(root, 'Destination');
      require('logout-destination', destination === null ||
        destination === expected.logoutUrl, `it is ${destination}`);
      const codes = listElements(root)
        .filter((element) => isNamed(element, NAMESPACE.protocol, 'StatusCode'))
        .map((element) => readAttribute(element, 'Value') ?? '');
      const isDone = codes.length === 1 && codes[0] === SUCCESS;
      return { inResponseTo: readAttribute(root, 'InResponseTo') ?? '', isDone, status: codes.join(', ') };
    });
  } catch (error) {
    if (error instanceof SamlError) throw error;
    throw new SamlError('logout-xml', describeXmlError(error));
  }
}

function require(check: string, isMet: boolean, detail: string): void {
  if (!isMet) throw new SamlError(check, detail);
}

/** The SAML parameters in their encoded form; each may occur once. */
function readParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.split('&')) {
    const [, name, value] = /^(SAMLResponse|RelayState|SigAlg|Signature)=(.*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) continue;
    require('logout-parameters', !parameters.has(name), `\`${name}\` occurs twice`);
    parameters.set(name, value);
  }
  const missing = ['SAMLResponse', 'SigAlg', 'Signature'].filter((name) => !parameters.has(name));
  require('logout-parameters', missing.length === 0, `${missing.join(', ')}: missing`);
  return parameters;
}

function checkSignature(parameters: ReadonlyMap<string, string>, certificates: readonly string[]): void {
  const algorithm = decode(parameters, 'SigAlg');
  const hash = SIGNATURE_HASHES.get(algorithm);
  require('logout-algorithm', hash !== undefined, algorithm.slice(0, 200));
  const signed = ['SAMLResponse', 'RelayState', 'SigAlg']
    .filter((name) => parameters.has(name))
    .map((name) => `${name}=${parameters.get(name)}`)
    .join('&');
  const signature = Buffer.from(decode(parameters, 'Signature'), 'base64');
  const isVerified = certificates.some((certificate) => isSignedBy(certificate, hash, signed, signature));
  require('logout-signature', isVerified, `the signature matches none of ${certificates.length} certificates`);
}

function decode(parameters: ReadonlyMap<string, string>, name: string): string {
  try {
    return decodeURIComponent(parameters.get(name) ?? '');
  } catch {
    throw new SamlError('logout-parameters', `\`${name}\` is not percent-encoded`);
  }
}

function inflate(base64: string): string {
  try {
    const bytes = inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_SIZE });
    const xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    require('logout-xml', !xml.includes('<!'), 'it contains markup that responses do not need');
    return xml;
  } catch (error) {
    if (error instanceof SamlError) throw error;
    throw new SamlError('logout-xml', `it is not deflated UTF-8 of at most ${MAX_SIZE} bytes`);
  }
}
