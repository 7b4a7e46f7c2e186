import { expect, it } from 'vitest';
import { createExecWorld } from './world.ts';

/** All objects in a value, including the value. */
function* walk(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Readonly<Record<string, unknown>>;
  for (const each of Object.values(value)) yield* walk(each);
}

it('the document has the formats and errors of executions, and all its references exist', async () => {
  const { ask } = await createExecWorld();
  const { body } = await ask('GET', '/openapi.json');
  const { paths, components } = body as {
    paths: Readonly<Record<string, Readonly<Record<string, { responses: object }>>>>;
    components: Readonly<Record<'schemas' | 'responses', object>>;
  };
  const { responses } = paths['/api/v1/exec/sql']!.post!;
  expect(Object.keys(responses)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '406', '409', '422', '502', '503', '504']),
  );
  const formats = (responses as { '200': { content: object } })['200'].content;
  expect(Object.keys(formats)).toEqual([
    'application/json',
    'text/csv',
    'application/vnd.apache.arrow.stream',
    'application/x-ndjson',
  ]);
  const known = Object.entries({ schemas: components.schemas, responses: components.responses }).flatMap(
    ([kind, parts]) => Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  const references = [...walk(body)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
  expect(references.filter((reference) => !known.includes(reference))).toEqual([]);
  expect(references).toContain('#/components/schemas/TestResults');
});
