import type { XmlElement } from 'libxml2-wasm';
import { elementAt } from '../../../invariants/must.ts';
import type { AssertedUser } from '../../asserted-user.ts';
import { EMAIL_FORMAT } from '../names.ts';
import type { Checker } from './checks.ts';
import type { ResponseExpectations, SamlSession, VerifiedResponse } from './expectations.ts';
import { findChildren, NAMESPACE, readAttribute, readElementText } from './xml.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** An address of visible ASCII characters, as in RFC 5321 without quotes, comments and address literals. */
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*$/;
const MAX_EMAIL_LENGTH = 254;

/**
 * Checks and reads the content of an assertion's verified bytes (docs/reference/saml-sign-in.md#checks). Throws a
 * SamlError.
 */
export function readAssertion(
  assertion: XmlElement,
  expected: ResponseExpectations,
  checker: Checker,
): VerifiedResponse {
  const [issuer] = findChildren(assertion, NAMESPACE.assertion, 'Issuer');
  const issuerName = issuer === undefined ? null : readElementText(issuer);
  checker.require(
    'assertion-issuer',
    issuerName === expected.identityProvider.entityId,
    `it is ${issuerName}`,
  );
  const [subject] = findChildren(assertion, NAMESPACE.assertion, 'Subject');
  const session = readSubject(subject, checker);
  const confirmation = checkConfirmation(subject, expected, checker);
  const conditionsEnd = checkConditions(assertion, expected, checker);
  const authentication = checkAuthentication(assertion, expected, checker);
  const { attributes, ...mapped } = readAttributes(assertion, expected.attributes, checker);
  return {
    issuer: expected.identityProvider.entityId,
    assertionId: readAttribute(assertion, 'ID') ?? '',
    inResponseTo: confirmation.inResponseTo,
    expiresAt: Math.max(confirmation.end, conditionsEnd) + expected.skewMs,
    email: session.nameId,
    session: { ...session, sessionIndex: authentication.sessionIndex },
    ...mapped,
    attributes,
    sessionEndsAt: authentication.endsAt,
  };
}

function readSubject(subject: XmlElement | undefined, checker: Checker): Omit<SamlSession, 'sessionIndex'> {
  const names = subject === undefined ? [] : findChildren(subject, NAMESPACE.assertion, 'NameID');
  const [name] = names;
  const text = (name && readElementText(name)) ?? '';
  const isAddress = names.length === 1 && isEmail(text);
  checker.require('name-id', isAddress, `${names.length} NameIDs, the first of ${text.length} characters`);
  const read = (attribute: string) => (name === undefined ? null : readAttribute(name, attribute));
  const format = read('Format');
  checker.require('name-id-format', format === EMAIL_FORMAT, `it is ${format ?? 'missing'}`);
  return {
    nameId: text,
    nameQualifier: read('NameQualifier'),
    spNameQualifier: read('SPNameQualifier'),
  };
}

function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

/** The user that an assertion names, checked or not, for a message about it. */
export function findUser(assertion: XmlElement): AssertedUser {
  const [subject] = findChildren(assertion, NAMESPACE.assertion, 'Subject');
  const [name] = subject === undefined ? [] : findChildren(subject, NAMESPACE.assertion, 'NameID');
  const nameId = name === undefined ? null : readElementText(name);
  return { nameId, email: nameId !== null && isEmail(nameId) ? nameId : null };
}

function checkConfirmation(
  subject: XmlElement | undefined,
  expected: ResponseExpectations,
  checker: Checker,
): { readonly inResponseTo: string; readonly end: number } {
  const all = subject === undefined ? [] : findChildren(subject, NAMESPACE.assertion, 'SubjectConfirmation');
  const methods = all.map((confirmation) => readAttribute(confirmation, 'Method'));
  checker.require(
    'confirmation',
    methods.length === 1 && methods[0] === BEARER,
    () => `${methods.join(', ')}`,
  );
  const data = all.flatMap((one) => findChildren(one, NAMESPACE.assertion, 'SubjectConfirmationData'))[0];
  const read = (attribute: string) => (data === undefined ? null : readAttribute(data, attribute));
  const recipient = read('Recipient');
  checker.require('recipient', recipient === expected.callbackUrl, `it is ${recipient ?? 'missing'}`);
  const end = toTime(read('NotOnOrAfter'));
  const isOpen = expected.now < end + expected.skewMs && read('NotBefore') === null;
  checker.require('confirmation-time', isOpen, () => describeTimes(read, expected));
  return { inResponseTo: read('InResponseTo') ?? '', end };
}

/** Checks the conditions and their end. */
function checkConditions(assertion: XmlElement, expected: ResponseExpectations, checker: Checker): number {
  const all = findChildren(assertion, NAMESPACE.assertion, 'Conditions');
  const [conditions] = all;
  const read = (name: string) => (conditions === undefined ? null : readAttribute(conditions, name));
  const end = toTime(read('NotOnOrAfter'));
  checker.require(
    'conditions',
    all.length === 1 && !Number.isNaN(end),
    `${all.length}, the end is ${read('NotOnOrAfter')}`,
  );
  const { now, skewMs } = expected;
  const begin = read('NotBefore');
  const isBegun = begin === null || now >= toTime(begin) - skewMs;
  checker.require('conditions-time', isBegun && now < end + skewMs, () => describeTimes(read, expected));
  const restrictions =
    conditions === undefined ? [] : findChildren(conditions, NAMESPACE.assertion, 'AudienceRestriction');
  const audiences = restrictions.map((restriction) =>
    findChildren(restriction, NAMESPACE.assertion, 'Audience').map((audience) => readElementText(audience)),
  );
  const isForUs =
    audiences.length > 0 && audiences.every((names) => names.length === 1 && names[0] === expected.entityId);
  checker.require('audience', isForUs, () => `it is ${audiences.flat().join(', ') || 'missing'}`);
  return end;
}

function checkAuthentication(
  assertion: XmlElement,
  { now, skewMs }: ResponseExpectations,
  checker: Checker,
): { readonly sessionIndex: string | null; readonly endsAt: number | null } {
  const statements = findChildren(assertion, NAMESPACE.assertion, 'AuthnStatement');
  const [statement] = statements;
  checker.require('authn-statement', statements.length === 1, `it has ${statements.length}`);
  const end = statement === undefined ? null : readAttribute(statement, 'SessionNotOnOrAfter');
  const endsAt = end === null ? null : toTime(end);
  checker.require('session-time', endsAt === null || now < endsAt + skewMs, `it ended at ${end}`);
  return { sessionIndex: statement === undefined ? null : readAttribute(statement, 'SessionIndex'), endsAt };
}

/** Parses a SAML time, which is in UTC; NaN for any other string, so that every comparison fails. */
function toTime(text: string | null): number {
  return text?.endsWith('Z') === true ? Date.parse(text) : Number.NaN;
}

/** Describes times for an administrator; a clock may be wrong. */
function describeTimes(read: (name: string) => string | null, { now, skewMs }: ResponseExpectations): string {
  const [begin, end] = [read('NotBefore'), read('NotOnOrAfter')];
  const time = new Date(now).toISOString();
  return `from ${begin ?? 'any time'} until ${end ?? 'any time'}; the time here is ${time}, and the clocks may differ by ${skewMs / 1000} s`;
}

type Attributes = VerifiedResponse['attributes'];

/** The attributes of an assertion, and the mapped ones. Throws a SamlError. */
function readAttributes(
  assertion: XmlElement,
  names: ResponseExpectations['attributes'],
  checker: Checker,
): Pick<VerifiedResponse, 'userName' | 'firstName' | 'lastName' | 'groups' | 'attributes'> {
  const attributes: Attributes = findChildren(assertion, NAMESPACE.assertion, 'AttributeStatement')
    .flatMap((statement) => findChildren(statement, NAMESPACE.assertion, 'Attribute'))
    .map((attribute) => ({
      name: readAttribute(attribute, 'Name') ?? '',
      // A value with child elements is not a string.
      values: findChildren(attribute, NAMESPACE.assertion, 'AttributeValue').map(
        (value) => readElementText(value) ?? '',
      ),
    }));
  const single = (name: string) => readSingle(attributes, name, checker);
  return {
    userName: single(names.userName),
    firstName: single(names.firstName),
    lastName: single(names.lastName),
    groups: listGroups(attributes, names.groups),
    attributes,
  };
}

function readSingle(attributes: Attributes, name: string, checker: Checker): string | null {
  const matches = attributes.filter((attribute) => attribute.name === name);
  const values = matches.flatMap((attribute) => attribute.values);
  const isSingle = matches.length <= 1 && values.length <= 1;
  checker.require(
    'attributes',
    isSingle,
    `\`${name}\` occurs ${matches.length} times, with ${values.length} values`,
  );
  const text = values.length === 0 ? '' : elementAt(values, 0).trim();
  return text === '' ? null : text;
}

/** Reads the groups, which may be one attribute with several values, several attributes, a single value, or missing. */
function listGroups(attributes: Attributes, name: string): string[] {
  const values = attributes
    .filter((attribute) => attribute.name === name)
    .flatMap((attribute) => attribute.values);
  return [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))];
}
