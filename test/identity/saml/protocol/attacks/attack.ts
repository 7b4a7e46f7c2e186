import type { ResponseExpectations } from '../../../../../src/identity/saml/protocol/expectations.ts';
import {
  type AssertionParts,
  assertion,
  post,
  type ResponseParts,
  response,
  type Signing,
  signElement,
} from '../identity-provider.ts';
import { signers } from '../world.ts';

/**
 * An attack: the posted text, and the checks that refuse it. Each check is listed with all earlier ones switched off.
 */
export interface Attack {
  readonly name: string;
  readonly posted: () => string;
  readonly checks: readonly string[];
  /** The expectations that differ for this attack. */
  readonly expected?: Partial<ResponseExpectations>;
}

/** An attack with a posted XML document. */
export function attack(
  name: string,
  xml: () => string,
  checks: readonly string[],
  expected: Partial<ResponseExpectations> = {},
): Attack {
  return { name, posted: () => post(xml()), checks, expected };
}

/** A response with these parts, whose assertion the provider has signed. */
export function signed(
  parts: Partial<AssertionParts> = {},
  around: Partial<ResponseParts> = {},
  signing: Signing = {},
): string {
  return signElement(response({ assertion: assertion(parts), ...around }), signers.own, signing);
}

/** Extracts only the signed assertion. */
export function cutAssertion(xml: string): string {
  return xml.slice(
    xml.indexOf('<saml:Assertion'),
    xml.indexOf('</saml:Assertion>') + '</saml:Assertion>'.length,
  );
}

/** Extracts only the signature. */
export function cutSignature(xml: string): string {
  return xml.slice(xml.indexOf('<ds:Signature '), xml.indexOf('</ds:Signature>') + '</ds:Signature>'.length);
}

/** An unsigned assertion about an administrator. */
export function forged(id = '_forged'): string {
  return assertion().replace('_assertion-1', id).replace('ann@example.com', 'admin@example.com');
}
