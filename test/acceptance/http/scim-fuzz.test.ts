import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { ENTERPRISE, expectScimRefusal, GROUP, type Kind, USER } from '../../support/scim.ts';
import { shareServer } from '../../support/server.ts';
import { listStrangers, patchBodies, resourceBodies, type SchemaDocument } from './scim-bodies.ts';
import { shareProvider } from './scim-provider.ts';

const shared = shareServer();
const COMMON = ['schemas', 'id', 'externalId', 'meta'];
const provider = shareProvider(shared);
let schemas: Readonly<Record<Kind, readonly SchemaDocument[]>>;
let member: string;

beforeAll(async () => {
  const { body } = await provider.send('GET', '/Schemas');
  const all = (body as { Resources: SchemaDocument[] }).Resources;
  const pick = (...ids: string[]) => ids.map((id) => all.find((each) => each.id === id)!);
  schemas = { Users: pick(USER, ENTERPRISE), Groups: pick(GROUP) };
  member = (await provider.addUser('member')).id;
});

const textOf = async (target: string) => (await provider.send('GET', target)).text;

/** The answers of an unharmed server about itself, and about objects that no request changes. */
async function readUnharmed(): Promise<readonly string[]> {
  const { body } = await provider.send('POST', '/Users', { body: { userName: 'fresh' } });
  const { id, meta: _meta, ...fresh } = body as { id: string; meta: unknown };
  await provider.send('DELETE', `/Users/${id}`);
  return [
    JSON.stringify(fresh),
    await textOf(`/Users/${member}?excludedAttributes=groups,meta`),
    await textOf('/Schemas'),
    await textOf('/ServiceProviderConfig'),
    (await textOf('/Users/nobody')).replace(/"request_id":"[^"]*"/, ''),
    (await shared.admin.list('')).text.replace(/"\d{4}-[^"]*Z"/g, '""'),
  ];
}

/** Sends one body after another to one resource; returns the share of accepted bodies. */
async function bombard(
  kind: Kind,
  method: 'PATCH' | 'PUT',
  target: string,
  bodies: fc.Arbitrary<string>,
  numRuns: number,
): Promise<number> {
  let before = await textOf(target);
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await provider.send(method, target, { body });
      const after = await textOf(target);
      if (answer.status < 300) {
        taken++;
        expect(answer.text).toBe(after);
        expect(listStrangers(JSON.parse(after), schemas[kind], COMMON)).toEqual([]);
      } else {
        const { scimType } = answer.body as { scimType?: string };
        expect([400, 409]).toContain(answer.status);
        expectScimRefusal(answer, answer.status, scimType ?? 'one of RFC 7644');
        expect(after).toBe(before);
      }
      before = after;
    }),
    { numRuns },
  );
  return taken / numRuns;
}

it('any PATCH of a user is applied or refused as a whole, within the schema', async () => {
  const unharmed = await readUnharmed();
  const { id } = await provider.addUser('target');
  const taken = await bombard('Users', 'PATCH', `/Users/${id}`, patchBodies(schemas.Users), 1_500);
  expect(taken).toBeGreaterThan(0.1);
  expect(await readUnharmed()).toEqual(unharmed);
});

it('any PATCH of a group is applied or refused as a whole, within the schema', async () => {
  const unharmed = await readUnharmed();
  const { id } = await provider.addGroup('target', [member]);
  const other = (await provider.addUser('another member')).id;
  const members = fc
    .tuple(fc.constantFrom('add', 'replace', 'remove'), fc.subarray([member, other, 'nobody']))
    .map(([op, chosen]) =>
      JSON.stringify({ Operations: [{ op, path: 'members', value: chosen.map((value) => ({ value })) }] }),
    );
  const bodies = fc.oneof(
    { weight: 3, arbitrary: patchBodies(schemas.Groups) },
    { weight: 1, arbitrary: members },
  );
  expect(await bombard('Groups', 'PATCH', `/Groups/${id}`, bodies, 800)).toBeGreaterThan(0.1);
  expect(await readUnharmed()).toEqual(unharmed);
});

it('any PUT is applied or refused as a whole, within the schema', async () => {
  const unharmed = await readUnharmed();
  for (const [kind, name] of [
    ['Users', 'userName'],
    ['Groups', 'displayName'],
  ] as const) {
    const made = kind === 'Users' ? await provider.addUser('put') : await provider.addGroup('put');
    const bodies = resourceBodies(schemas[kind], [name, 'put']);
    expect(await bombard(kind, 'PUT', `/${kind}/${made.id}`, bodies, 500)).toBeGreaterThan(0.1);
  }
  expect(await readUnharmed()).toEqual(unharmed);
});
