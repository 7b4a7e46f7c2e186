import type { XmlElement } from 'libxml2-wasm';
import { elementAt } from '../../../invariants/must.ts';
import type { Checker } from './checks.ts';
import type { ResponseExpectations, VerifiedResponse } from './expectations.ts';
import { findChildren, NAMESPACE, readAttribute, readText } from './xml.ts';

type Attributes = VerifiedResponse['attributes'];

/** The attributes of an assertion, and the mapped ones. Throws a SamlError. */
export function readAttributes(
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
        (value) => readText(value) ?? '',
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
  const found = attributes.filter((attribute) => attribute.name === name);
  const values = found.flatMap((attribute) => attribute.values);
  const isSingle = found.length <= 1 && values.length <= 1;
  checker.require(
    'attributes',
    isSingle,
    `\`${name}\` occurs ${found.length} times, with ${values.length} values`,
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
