import {
  anything,
  array,
  assert,
  constantFrom,
  dictionary,
  jsonValue,
  letrec,
  oneof,
  property,
  record,
  string,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/errors/service-error.ts';
import { applyOperation } from '../../../../src/identity/scim/protocol/apply-operation.ts';
import { parsePatch } from '../../../../src/identity/scim/protocol/parse-patch.ts';
import { projectResource } from '../../../../src/identity/scim/protocol/project.ts';
import { readResource } from '../../../../src/identity/scim/protocol/read-resource.ts';
import type { ScimObject } from '../../../../src/identity/scim/protocol/resource.ts';
import { GROUP_TYPE } from '../../../../src/identity/scim/resources/group-schema.ts';
import { USER_TYPE } from '../../../../src/identity/scim/resources/user-schema.ts';
import { share } from '../../../support/rotation.ts';
import { CORE_USER, ENTERPRISE, listErrors, pictureOfGlobals } from './patching.ts';

/** Names of all kinds: known ones in any case, of other schemas, and names that exist on every object. */
const names = oneof(
  constantFrom(
    'userName',
    'USERNAME',
    'active',
    'name',
    'name.givenName',
    'emails',
    'emails.value',
    'roles',
    'id',
    'meta',
  ),
  constantFrom(
    'displayName',
    'members',
    'members.value',
    'external',
    'groups',
    'schemas',
    'externalId',
    'password',
  ),
  constantFrom(
    'value',
    'type',
    'primary',
    'display',
    '$ref',
    'givenName',
    'manager',
    'superUser',
    'department',
    'addresses',
  ),
  constantFrom(
    ENTERPRISE,
    ENTERPRISE.toLowerCase(),
    CORE_USER,
    `${ENTERPRISE}:manager`,
    `${CORE_USER}:userName`,
  ),
  constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '__proto__.x',
    'constructor.prototype.x',
    '',
  ),
);
const conditions = constantFrom(
  'type eq "work"',
  'primary eq "True"',
  'value pr',
  'value co "a" or type eq "b"',
  'x eq 1',
  '(',
);
const paths = oneof(
  names,
  record({
    name: names,
    condition: conditions,
    sub: oneof(constantFrom('', '.value', '.type', '.x', '.__proto__')),
  }).map(({ name, condition, sub }) => `${name}[${condition}]${sub}`),
  string(),
);
const { value: values } = letrec((tie) => ({
  value: oneof(
    { maxDepth: 4 },
    constantFrom('a', 'True', 'false', 'work', '', '__proto__', null, true, false, 0, 1.5),
    array(tie('value'), { maxLength: 4 }),
    dictionary(names, tie('value'), { maxKeys: 5, noNullPrototype: true }),
    jsonValue(),
  ),
}));
const operations = record(
  {
    op: oneof({ weight: 9, arbitrary: constantFrom('add', 'Replace', 'REMOVE') }, constantFrom('x', null)),
    path: oneof({ weight: 9, arbitrary: paths }, values),
    value: oneof(values, constantFrom('a', 'True', { value: 'a' })),
  },
  { requiredKeys: ['op'] },
);

/** The result of a call, or null when it throws a valid error. */
function attempt(act: () => ScimObject): ScimObject | null {
  try {
    return act();
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 400, detail: expect.any(String) });
    expect((error as ServiceError).detail.length).toBeLessThan(1_000);
    return null;
  }
}

/** JSON as in a request: `__proto__` is an own key. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

describe.each([
  [USER_TYPE, { userName: 'ann', emails: [{ value: 'a', type: 'work' }], [ENTERPRISE]: { manager: 'x' } }],
  [GROUP_TYPE, { displayName: 'team', members: ['a', 'b'] }],
] as const)('any JSON, $name', (type, start) => {
  it('as a resource is refused, or becomes a document that follows the schema', () => {
    const before = pictureOfGlobals();
    let accepted = 0;
    const bodies = oneof(
      anything({ withNullPrototype: false }),
      values,
      dictionary(names, values, { maxKeys: 6 }),
    );
    assert(
      property(bodies, (body) => {
        const whole =
          typeof body === 'object' && !Array.isArray(body) ? { ...start, ...(body as object) } : body;
        const document = attempt(() => readResource(type, sent(whole)));
        if (document === null) return;
        accepted++;
        expect(listErrors(type, document)).toEqual([]);
        expect(readResource(type, sent(document))).toEqual(document);
        expect(listErrors(type, projectResource(type, document, {}))).toEqual([]);
      }),
      { numRuns: share(2_000) },
    );
    expect(accepted).toBeGreaterThan(share(20));
    expect(pictureOfGlobals()).toEqual(before);
  });

  it('as a PATCH is refused, or results in a document that follows the schema', () => {
    const before = pictureOfGlobals();
    let accepted = 0;
    assert(
      property(
        array(oneof({ weight: 9, arbitrary: operations }, values), { minLength: 1, maxLength: 2 }),
        (given) => {
          const document = readResource(type, start);
          const changed = attempt(() => {
            for (const operation of parsePatch(type, sent({ Operations: given })))
              applyOperation(document, operation);
            return document;
          });
          if (changed !== null) accepted++;
          expect(listErrors(type, document)).toEqual([]);
        },
      ),
      { numRuns: share(3_000) },
    );
    expect(accepted).toBeGreaterThan(share(20));
    expect(pictureOfGlobals()).toEqual(before);
  });
});
