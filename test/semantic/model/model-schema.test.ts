import path from 'node:path';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { modelSchema } from '../../../src/semantic/model/model-schema.ts';
import { readDocument } from '../../../src/semantic/model/read/read-document.ts';

const file = path.resolve(import.meta.dirname, '../../../schema/semantic-model.schema.json');

/** The schema as editors get it. */
const published = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...modelSchema,
  title: 'A file of a semantic model of Quern',
};

const MODEL = {
  version: '1.0',
  layers: [
    {
      name: 'l',
      label: 'L',
      environment: { platform: 'duckdb' },
      x_timezone: 'UTC',
      domains: [
        {
          name: 'd',
          entities: [
            {
              name: 'e',
              table_name: 't',
              x_primary_key: ['id'],
              dimensions: [{ name: 'f', data_type: 'DATE', expr: 'f', hidden: true, x_grains: ['day'] }],
              measures: [
                { name: 'm', data_type: 'NUMBER', expr: 'm', aggregation_type: 'SUM', x_filter: 'a' },
              ],
              relationships: [{ name: 'r', join_type: 'MANY_TO_ONE', to_entity: 'g', expr: 'e.a = g.a' }],
            },
            { name: 'g', query: 'SELECT 1' },
          ],
        },
      ],
    },
  ],
};

/** The paths of all values in a value, as keys from its root. */
function listPlaces(value: unknown, place: readonly string[] = []): readonly (readonly string[])[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, each]) => listPlaces(each, [...place, key]))
      : [];
  return [...inner, place];
}

const STRANGE = [
  '',
  ' ',
  'a.b',
  'sum',
  'TEXT',
  'Custom',
  'x y',
  7,
  1.5,
  true,
  null,
  [],
  {},
  ['a'],
  { name: 'z' },
];

/** A model with one value replaced, removed, or added under a new key. */
const changes = fc.record({
  place: fc.constantFrom(...listPlaces(MODEL).filter((place) => place.length > 0)),
  how: fc.constantFrom('replace', 'remove', 'rename'),
  value: fc.constantFrom(...STRANGE),
});

function change({ place, how, value }: { place: readonly string[]; how: string; value: unknown }): unknown {
  const copy = structuredClone(MODEL) as unknown;
  const last = place.at(-1)!;
  const parent = place.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy);
  if (Array.isArray(parent)) {
    if (how === 'remove') parent.splice(Number(last), 1);
    else parent[Number(last)] = value;
  } else {
    const owner = parent as Record<string, unknown>;
    if (how === 'rename') owner[`${last}s`] = owner[last];
    if (how === 'replace') owner[last] = value;
    else delete owner[last];
  }
  return copy;
}

describe('the schema of models', () => {
  it('is published unchanged', async () => {
    await expect(`${JSON.stringify(published, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  it('accepts the model with every feature', () => {
    expect(Compile(modelSchema).Check(MODEL)).toBe(true);
    expect(readDocument({ name: 'm', text: JSON.stringify(MODEL) }).errors).toEqual([]);
  });

  it('agrees with the reader about the form of every document', () => {
    const validator = Compile(modelSchema);
    const counts = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(changes, (only) => {
        const document = change(only);
        const text = JSON.stringify(document);
        const { errors } = readDocument({ name: 'm', text });
        // A later check ensures that an entity has exactly one source.
        const hasSources = !/"oneOf"/.test(JSON.stringify(validator.Errors(document)));
        if (!hasSources) return;
        const isRight = validator.Check(document);
        counts[isRight ? 'right' : 'wrong']++;
        expect([text, errors.length === 0]).toEqual([text, isRight]);
      }),
      { numRuns: 3_000, seed: 9 },
    );
    expect(counts.right).toBeGreaterThan(200);
    expect(counts.wrong).toBeGreaterThan(1_000);
  });
});
