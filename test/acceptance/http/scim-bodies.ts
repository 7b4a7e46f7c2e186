import fc from 'fast-check';
import { ENTERPRISE, USER } from '../../support/scim.ts';

/** An attribute as in `/Schemas` (RFC 7643, 7), with the parts that tests need. */
interface Attribute {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly subAttributes?: readonly Attribute[];
}

/** A schema as in `/Schemas`. */
export interface SchemaDocument {
  readonly id: string;
  readonly attributes: readonly Attribute[];
}

/** Bodies as text, so that they can have keys that an object of the test could not have. */
type Text = fc.Arbitrary<string>;

const MEAN = [
  '__proto__',
  'constructor',
  'toString',
  'prototype',
  'hasOwnProperty',
  'constructor.prototype.polluted',
  '__proto__.polluted',
  'emails[__proto__ eq "x"].value',
  'emails[type eq "work"].__proto__',
  '',
  ' ',
  '.',
  'a.b.c.d',
  '[',
  ']',
  'emails[',
  'emails[]',
  'emails[type eq',
  'emails[type eq "work"',
  'emails[type eq "work"]]',
  'emails[not (type eq "a")].value',
  'userName[value eq "x"]',
  'urn:',
  `${USER}:`,
  `${ENTERPRISE}.`,
  `${ENTERPRISE}:nothing`,
  '\0',
  '😀',
  '\ud83d',
  'x'.repeat(300),
  `emails[${'('.repeat(200)}`,
];

const anyText = fc.oneof(
  fc.constantFrom('a', 'work', 'home', 'True', 'FALSE', 'ADMIN', 'a@example.org', '', 'x'.repeat(10_001)),
  fc.constantFrom('\0', '\ud83d', '"', '\\', '12345678', '2026-01-01T00:00:00Z', 'YQ=='),
  fc.string({ maxLength: 12 }),
);
const anyCase = (text: string) =>
  fc.constantFrom(text, text, text.toUpperCase(), text.toLowerCase(), ` ${text}`);

const json = (value: unknown) => JSON.stringify(value);
const textJson = anyText.map(json);
const flagJson = fc.constantFrom('true', 'false', '"True"', '"false"', '"maybe"', '1', 'null');
const oddJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }).map(json),
  fc.constantFrom('null', '[]', '{}', '[[]]', '[null]', '[{}]', '{"value":null}', '0', '1e308', '[[[[]]]]'),
  fc.constant(`${'['.repeat(2_000)}${']'.repeat(2_000)}`),
);

function objectOf(key: Text, value: Text): Text {
  return fc
    .array(fc.tuple(key, value), { maxLength: 4 })
    .map((pairs) => `{${pairs.map(([name, inner]) => `${json(name)}:${inner}`).join(',')}}`);
}

/** A value that an attribute may have, or an invalid one. */
function valueFor(attribute: Attribute): Text {
  const { multiValued, type, subAttributes = [] } = attribute;
  let one = type === 'boolean' ? flagJson : textJson;
  if (type === 'complex') {
    const fields = subAttributes.map((sub) => valueFor(sub).map((value) => `${json(sub.name)}:${value}`));
    const parts = fc.subarray(fields).chain((chosen) => fc.tuple(...chosen));
    one = parts.map((chosen) => `{${chosen.join(',')}}`);
  }
  const many = fc.array(one, { maxLength: 3 }).map((values) => `[${values.join(',')}]`);
  const right = multiValued ? fc.oneof(many, one) : one;
  return fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: oddJson });
}

/** A path of an attribute or of one of its sub-attributes, with a value for it. */
function pathOf(prefix: string, attribute: Attribute): fc.Arbitrary<readonly [path: string, value: string]> {
  const { name, multiValued, subAttributes = [] } = attribute;
  const whole = `${prefix}${name}`;
  const pair = (path: Text, target: Attribute) => fc.tuple(path, valueFor(target));
  const choices = [pair(anyCase(whole), attribute)];
  const filter = fc
    .tuple(
      fc.constantFrom('value', 'type', 'primary', 'display', 'nothing'),
      fc.constantFrom('eq', 'EQ', 'co', 'pr', 'gt'),
      fc.constantFrom('"work"', '"a"', '"True"', 'true', '1', 'null', ''),
    )
    .map((words) => words.join(' ').trim());
  for (const sub of subAttributes) {
    choices.push(pair(anyCase(`${whole}.${sub.name}`), sub));
    if (multiValued)
      choices.push(
        pair(
          filter.map((text) => `${whole}[${text}].${sub.name}`),
          sub,
        ),
      );
  }
  if (multiValued)
    choices.push(
      pair(
        filter.map((text) => `${whole}[${text}]`),
        attribute,
      ),
    );
  return fc.oneof(...choices);
}

const odd = fc.oneof(fc.constantFrom(...MEAN), fc.string({ maxLength: 20 }));

/** Paths of a resource's schemas and values, mostly valid. */
function assignments(schemas: readonly SchemaDocument[]) {
  const known = schemas.flatMap(({ id, attributes }) =>
    attributes.map((attribute) =>
      fc
        .constantFrom(id === ENTERPRISE ? `${id}:` : '', `${id}:`)
        .chain((prefix) => pathOf(prefix, attribute)),
    ),
  );
  return fc.oneof(
    { weight: 12, arbitrary: fc.oneof(...known) },
    { weight: 1, arbitrary: fc.tuple(odd, oddJson) },
  );
}

const pairsToObject = (pairs: readonly (readonly [string, string])[]) =>
  `{${pairs.map(([name, value]) => `${json(name)}:${value}`).join(',')}}`;

/** Bodies of PATCH, whose operations are mostly valid. */
export function patchBodies(schemas: readonly SchemaDocument[]): Text {
  const assignment = assignments(schemas);
  const op = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('add', 'Add', 'replace', 'Replace', 'remove', 'REMOVE') },
    { weight: 1, arbitrary: odd },
  );
  const at = fc
    .tuple(op, assignment)
    .map(([verb, [path, value]]) => `{"op":${json(verb)},"path":${json(path)},"value":${value}}`);
  const removal = assignment.map(([path]) => `{"op":"remove","path":${json(path)}}`);
  const pathless = fc
    .tuple(op, fc.array(assignment, { maxLength: 3 }))
    .map(([verb, pairs]) => `{"op":${json(verb)},"value":${pairsToObject(pairs)}}`);
  const unusual = fc.oneof(
    oddJson,
    objectOf(odd, oddJson),
    oddJson.map((value) => `{"op":"add","path":${value},"value":1}`),
  );
  const operation = fc.oneof(
    { weight: 6, arbitrary: at },
    { weight: 2, arbitrary: removal },
    { weight: 3, arbitrary: pathless },
    { weight: 1, arbitrary: unusual },
  );
  const key = fc.constantFrom('Operations', 'Operations', 'Operations', 'operations', 'ops');
  return fc
    .tuple(key, fc.array(operation, { minLength: 1, maxLength: 3 }))
    .map(([name, operations]) => `{${json(name)}:[${operations.join(',')}]}`);
}

/** Bodies of PUT, mostly valid, that end with the required attributes. */
export function resourceBodies(
  schemas: readonly SchemaDocument[],
  needed: readonly [name: string, value: string],
): Text {
  const [name, value] = needed;
  return fc
    .array(assignments(schemas), { maxLength: 4 })
    .map((pairs) => pairsToObject([...pairs, [name, json(value)]]));
}

/** The names in a resource that its schemas do not have, by their paths. */
export function listStrangers(
  resource: object,
  schemas: readonly SchemaDocument[],
  common: readonly string[],
): readonly string[] {
  const [core, ...extensions] = schemas;
  return Object.entries(resource).flatMap(([name, value]) => {
    if (common.includes(name)) return [];
    const extension = extensions.find(({ id }) => id === name);
    if (extension !== undefined) return listUnknown(value, extension.attributes, `${name}:`);
    return listUnknown({ [name]: value }, core!.attributes, '');
  });
}

function listUnknown(value: object, attributes: readonly Attribute[], prefix: string): readonly string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`;
    const attribute = attributes.find((each) => each.name === name);
    if (attribute === undefined) return [path];
    const { subAttributes } = attribute;
    if (subAttributes === undefined) return typeof inner === 'object' ? [path] : [];
    return [inner].flat().flatMap((each) => listUnknown(each, subAttributes, `${path}.`));
  });
}
