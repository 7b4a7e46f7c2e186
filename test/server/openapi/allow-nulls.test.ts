import { expect, it } from 'vitest';
import { allowNulls } from '../../../src/server/openapi/allow-nulls.ts';

const text = { type: 'string', minLength: 1 };
const titled = { title: 'Named', type: 'object', properties: { name: text }, required: ['name'] };

it('the document allows null for optional fields, and nowhere else', () => {
  const schema = {
    type: 'object',
    required: ['name', 'part', 'list'],
    properties: {
      name: text,
      part: { type: 'object', properties: { note: text } },
      list: { type: 'array', items: { type: 'object', required: ['a'], properties: { a: text, b: text } } },
      count: { type: 'integer' },
      kind: { enum: ['A', 'B'] },
      known: { type: ['string', 'null'] },
      any: { description: 'Anything' },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      items: { type: 'array', items: text },
      map: { type: 'object', patternProperties: { '^.*$': text } },
      titled,
    },
  };
  const orNull = { ...text, type: ['string', 'null'] };
  expect(allowNulls(schema)).toEqual({
    ...schema,
    properties: {
      ...schema.properties,
      part: { type: 'object', properties: { note: orNull } },
      list: { type: 'array', items: { type: 'object', required: ['a'], properties: { a: text, b: orNull } } },
      count: { type: ['integer', 'null'] },
      kind: { enum: ['A', 'B', null] },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      items: { anyOf: [{ type: 'array', items: text }, { type: 'null' }] },
      map: { anyOf: [{ type: 'object', patternProperties: { '^.*$': text } }, { type: 'null' }] },
      titled: { anyOf: [titled, { type: 'null' }] },
    },
  });
});
