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

/** One row of the table: what is posted, and the checks that refuse it, each with those before it switched off. */
export interface Attack {
  readonly name: string;
  readonly posted: () => string;
  readonly checks: readonly string[];
  /** What differs for this one. */
  readonly expected?: Partial<ResponseExpectations>;
}

/** A row of XML. */
export function attack(
  name: string,
  xml: () => string,
  checks: readonly string[],
  expected: Partial<ResponseExpectations> = {},
): Attack {
  return { name, posted: () => post(xml()), checks, expected };
}

/** A response whose assertion the provider itself has signed, with these parts. */
export function signed(
  parts: Partial<AssertionParts> = {},
  around: Partial<ResponseParts> = {},
  signing: Signing = {},
): string {
  return signElement(response({ assertion: assertion(parts), ...around }), signers.own, signing);
}

/** The signed assertion alone, as an attacker cuts it out. */
export function cutAssertion(xml: string): string {
  return xml.slice(
    xml.indexOf('<saml:Assertion'),
    xml.indexOf('</saml:Assertion>') + '</saml:Assertion>'.length,
  );
}

/** The signature alone. */
export function cutSignature(xml: string): string {
  return xml.slice(xml.indexOf('<ds:Signature '), xml.indexOf('</ds:Signature>') + '</ds:Signature>'.length);
}

/** An assertion about an administrator that nobody has signed. */
export function forged(id = '_forged'): string {
  return assertion().replace('_assertion-1', id).replace('ann@example.com', 'admin@example.com');
}
