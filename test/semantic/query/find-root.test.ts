import { describe, expect, it } from 'vitest';
import { createModelIndex } from '../../../src/semantic/model/index/index-model.ts';
import type { Relationship } from '../../../src/semantic/model/model.ts';
import { prepareParser } from '../../../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../../../src/semantic/translate/answer-statements.ts';
import { createDimension, createEntity, createModel } from '../shop.ts';

const parse = await prepareParser();

const link = (name: string, joinType: Relationship['joinType'], toEntity: string): Relationship => ({
  name,
  joinType,
  toEntity,
  expr: '',
});

function compile(text: string, relationships: Readonly<Record<'a' | 'b' | 'c', readonly Relationship[]>>) {
  const entities = (['a', 'b', 'c'] as const).map((name) =>
    createEntity({
      name,
      dimensions: [createDimension({ name: `${name}x`, dataType: 'INTEGER' })],
      relationships: relationships[name].map((own) => ({
        ...own,
        expr: `${name}.${own.name}_id = ${own.toEntity}.id`,
      })),
    }),
  );
  const model = createModel(entities);
  return answerStatements({ model, index: createModelIndex(model) }, parse(text), { strict: false })[0]!.sql;
}

const STATEMENTS = ['SELECT ax, bx FROM a, b', 'SELECT SUM(ax * bx) AS s FROM a, b'];

describe.each(STATEMENTS)('%s', (text) => {
  it('counts the rows of the entity that declares a one-to-one relationship', () => {
    const sql = compile(text, { a: [link('b', 'ONE_TO_ONE', 'b')], b: [], c: [] });
    expect(sql).toContain('FROM shop.a');
  });

  it.each([
    [
      'both are many-to-one',
      { a: [link('b', 'MANY_TO_ONE', 'b')], b: [link('a', 'MANY_TO_ONE', 'a')], c: [] },
    ],
    [
      'the way back is another one',
      {
        a: [link('b', 'MANY_TO_ONE', 'b'), link('c', 'ONE_TO_ONE', 'c')],
        b: [link('c', 'MANY_TO_ONE', 'c')],
        c: [],
      },
    ],
  ])('is refused where each reaches the other and %s', (_, relationships) => {
    expect(() => compile(text, relationships)).toThrow(/each of them reaches the others/);
  });
});
