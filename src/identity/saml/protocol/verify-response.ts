import type { XmlElement, XsdValidator } from 'libxml2-wasm';
import { elementAt } from '../../../invariants/must.ts';
import { canonicalize, checkSignatures } from './check-signatures.ts';
import { checkStructure } from './check-structure.ts';
import { type Checker, createChecker, SamlError } from './checks.ts';
import type { ResponseExpectations, VerifiedResponse } from './expectations.ts';
import { findUser, readAssertion } from './read-assertion.ts';
import { type VerifyAssertion, verifyAssertion } from './verify-assertion.ts';
import { describeXmlError, findChildren, NAMESPACE, readAttribute, withDocument } from './xml.ts';

/** The parts of the verification; only tests replace the default ones. */
interface Verification {
  readonly schemas: XsdValidator;
  readonly checker?: Checker;
  readonly verify?: VerifyAssertion;
}

/**
 * Verifies a response that a browser has posted (docs/reference/saml-sign-in.md#response): its form, its signatures
 * with two implementations, and the signed content. Only signed bytes are read. The caller checks whether the request
 * is known and the assertion new. Throws a SamlError.
 */
export function verifyResponse(
  posted: string,
  expected: ResponseExpectations,
  { schemas, checker = createChecker(), verify = verifyAssertion }: Verification,
): VerifiedResponse {
  const xml = decodeResponse(posted, checker);
  return parse(xml, (document) => {
    checkStructure(document, schemas, expected, checker);
    const facts = checkSignatures(document, xml, expected.identityProvider.certificates, checker);
    const verified = verify(xml, facts);
    if (verified === null) throw new SamlError('signature', 'the signature does not match');
    return withDocument(verified, ({ root: assertion }) => {
      checkSame(xml, canonicalize(assertion), checker);
      try {
        return readVerified(assertion, readAttribute(document.root, 'InResponseTo'), expected, checker);
      } catch (error) {
        if (error instanceof SamlError) error.user = findUser(assertion);
        throw error;
      }
    });
  });
}

/** Checks and reads an assertion whose signature was verified; `answered` is the request that its response names. */
function readVerified(
  assertion: XmlElement,
  answered: string | null,
  expected: ResponseExpectations,
  checker: Checker,
): VerifiedResponse {
  const response = readAssertion(assertion, expected, checker);
  const isAnswer = response.inResponseTo !== '' && answered === response.inResponseTo;
  checker.require('in-response-to', isAnswer, `${answered ?? 'none'} and ${response.inResponseTo || 'none'}`);
  return response;
}

function parse<T>(xml: string, use: Parameters<typeof withDocument<T>>[1]): T {
  try {
    return withDocument(xml, use);
  } catch (error) {
    if (error instanceof SamlError) throw error;
    // Canonicalization throws for documents without a canonical form, as with relative namespace names.
    throw new SamlError('well-formed', describeXmlError(error));
  }
}

/** Compares the signature library's result with the same part of the document as this parser reads it. */
function checkSame(xml: string, verified: string, checker: Checker): void {
  const assertions = withDocument(xml, ({ root }) => {
    const assertion = elementAt(findChildren(root, NAMESPACE.assertion, 'Assertion'), 0);
    const whole = canonicalize(assertion);
    // A signature of the assertion does not sign itself; a signature of the response covers it.
    for (const signature of findChildren(assertion, NAMESPACE.signature, 'Signature')) signature.remove();
    return [whole, canonicalize(assertion)];
  });
  checker.require('same-assertion', assertions.includes(verified), 'the results of the two parsers differ');
}

/** In bytes of base64. */
const MAX_SIZE = 256 * 1024;
/** The signature library's time grows with the square of the number of tags. */
const MAX_TAGS = 1_500;
const XML_DECLARATION =
  /^<\?xml version=(["'])1\.0\1(?:\s+encoding=(["'])utf-8\2)?(?:\s+standalone=(["'])(?:yes|no)\3)?\s*\?>/i;
const STRICT_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes the XML of a response that a browser has posted; base64 may contain line breaks. Throws a SamlError. */
function decodeResponse(posted: string, checker: Checker): string {
  checker.require('size', posted.length <= MAX_SIZE, `${posted.length} bytes`);
  const base64 = posted.replaceAll(/[\r\n]/g, '');
  checker.require(
    'base64',
    STRICT_BASE64.test(base64) && base64 !== '',
    'an invalid character, or the end is missing',
  );
  const xml = decodeUtf8(Buffer.from(base64, 'base64'), checker);
  const tags = count(xml, '<');
  checker.require('elements', tags <= MAX_TAGS, `${tags} tags`);
  const content = xml.replace(XML_DECLARATION, '');
  checker.require('markup', !content.includes('<!') && !content.includes('<?'), () =>
    describeMarkup(content),
  );
  return xml;
}

function decodeUtf8(bytes: Buffer, checker: Checker): string {
  const text = new TextDecoder('utf-8').decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for them
  const hasControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/.test(text);
  checker.require('encoding', !hasControls, 'bytes that are not UTF-8, or control characters');
  return text;
}

function count(text: string, part: string): number {
  let occurrences = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) occurrences++;
  return occurrences;
}

function describeMarkup(xml: string): string {
  return `it has \`${/<[!?][A-Za-z[-]*/.exec(xml)?.[0] ?? ''}\``;
}
