import { describe, expect, it } from 'vitest';
import { SemanticError } from '../../../src/semantic/errors.ts';
import { OPERANDS, readQuery } from '../../../src/semantic/query/read-query.ts';

const field = { entity: 'orders', field: 'status' };
const ask = (more: object) => ({ dimensions: [field], ...more });
const where = (operator: unknown) => ask({ filters: [{ type: 'CONDITION', field, operator }] });
const nest = (depth: number): object =>
  depth === 0
    ? { type: 'CONDITION', field, operator: { type: 'IS_NULL' } }
    : { type: 'AND', filters: [nest(depth - 1)] };

function findRefusal(query: unknown): string | null {
  try {
    readQuery(query);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(SemanticError);
    expect((error as SemanticError).kind).toBe('invalid');
    return (error as SemanticError).message;
  }
}

describe('a semantic query', () => {
  it('is read with all defaults', () => {
    expect(readQuery(ask({}))).toEqual({
      dimensions: [field],
      measures: [],
      filters: [],
      orderBy: [],
      limit: null,
    });
  });

  it('is read with all its parts', () => {
    const filters = [
      {
        type: 'OR',
        filters: [
          { type: 'CONDITION', field, operator: { type: 'EQUALS', values: ['a', ''] } },
          { type: 'CONDITION', field, operator: { type: 'LESS_THAN', value: '5' } },
          { type: 'AND', filters: [{ type: 'CONDITION', field, operator: { type: 'IS_NULL' } }] },
        ],
      },
    ];
    const query = {
      dimensions: [{ ...field, alias: 'Status' }],
      measures: [{ entity: 'orders', field: 'revenue', more: 1 }],
      filters,
      order_by: [{ field, desc: true }, { field }],
      limit: { fetch: 10, skip: 5 },
      unknown: true,
    };
    expect(readQuery(query)).toEqual({
      dimensions: [{ ...field, alias: 'Status' }],
      measures: [{ entity: 'orders', field: 'revenue' }],
      filters,
      orderBy: [
        { field, desc: true },
        { field, desc: false },
      ],
      limit: { fetch: 10, skip: 5 },
    });
  });

  it('accepts null for an absent field', () => {
    const nothing = { measures: null, filters: null, order_by: null, limit: null };
    expect(readQuery(ask(nothing))).toEqual(readQuery(ask({})));
    const alias = { dimensions: [{ ...field, alias: null }] };
    expect(readQuery(alias).dimensions).toEqual([field]);
    const operator = { type: 'IS_NULL', value: null, values: null };
    expect(readQuery(where(operator)).filters).toHaveLength(1);
    expect(readQuery(ask({ limit: { fetch: 1, skip: null } })).limit).toEqual({ fetch: 1, skip: 0 });
  });

  it.each([
    [undefined, 'Query is required'],
    [null, 'Query is required'],
    [[], 'Query must be an object'],
    ['x', 'Query must be an object'],
    [{}, 'At least one dimension or measure is required'],
    [{ dimensions: [], measures: [] }, 'At least one dimension or measure is required'],
    [{ dimensions: {} }, 'Dimensions must be an array'],
    [{ measures: 'a.b' }, 'Measures must be an array'],
    [{ dimensions: ['a.b'] }, 'Dimension must be an object'],
    [{ dimensions: [{ field: 'a' }] }, 'Entity is required'],
    [{ dimensions: [{ entity: '', field: 'a' }] }, 'Entity is required'],
    [{ dimensions: [{ entity: 1, field: 'a' }] }, 'Entity must be a string'],
    [{ measures: [{ entity: 'a' }] }, 'Field is required'],
    [{ dimensions: [{ ...field, alias: 1 }] }, 'Alias must be a string'],
    [{ dimensions: [{ ...field, alias: '\0' }] }, 'Alias must be well-formed Unicode without NUL'],
    [ask({ filters: {} }), 'Filters must be an array'],
    [ask({ filters: [1] }), 'Filter must be an object'],
    [ask({ filters: [{}] }), 'Filter type is required'],
    [ask({ filters: [{ type: 'NOT' }] }), 'Invalid filter type: NOT'],
    [ask({ filters: [{ type: 'and' }] }), 'Invalid filter type: and'],
    [ask({ filters: [{ type: 'AND', filters: [] }] }), 'Filters must not be empty'],
    [ask({ filters: [{ type: 'OR' }] }), 'Filters must not be empty'],
    [ask({ filters: [{ type: 'CONDITION', operator: { type: 'IS_NULL' } }] }), 'Field is required'],
    [ask({ filters: [{ type: 'CONDITION', field }] }), 'Operator is required'],
    [where({}), 'Operator type is required'],
    [where({ type: 'LIKE', values: ['a'] }), 'Invalid operator type: LIKE'],
    [where({ type: 'toString' }), 'Invalid operator type: toString'],
    [where({ type: 'EQUALS', value: 'a' }), 'Operator EQUALS takes one value or more'],
    [where({ type: 'EQUALS', values: 'a' }), 'Operator EQUALS takes one value or more'],
    [where({ type: 'EQUALS', values: [1] }), 'Values must be strings'],
    [where({ type: 'IN_DATE_RANGE', values: ['2026-01-01', null] }), 'Values must be strings'],
    [where({ type: 'EQUALS', values: ['a'], value: 'b' }), 'Operator EQUALS takes one value or more'],
    [where({ type: 'GREATER_THAN', values: ['1'] }), 'Operator GREATER_THAN takes one value'],
    [where({ type: 'GREATER_THAN', value: 1 }), 'Value must be a string'],
    [where({ type: 'GREATER_THAN' }), 'Operator GREATER_THAN takes one value'],
    [where({ type: 'IS_NULL', value: '' }), 'Operator IS_NULL takes no value'],
    [where({ type: 'EQUALS', values: ['\ud800'] }), 'Value must be well-formed Unicode without NUL'],
    [ask({ order_by: {} }), 'Order by must be an array'],
    [ask({ order_by: [field] }), 'Field must be an object'],
    [ask({ order_by: [{ field, desc: 'yes' }] }), 'Desc must be true or false'],
    [ask({ limit: 5 }), 'Limit must be an object'],
    [ask({ limit: {} }), 'Fetch is required'],
    [ask({ limit: { fetch: '5' } }), 'Fetch must be an integer'],
    [ask({ limit: { fetch: 1.5 } }), 'Fetch must be an integer'],
    [ask({ limit: { fetch: 1e300 } }), 'Fetch must be an integer'],
    [ask({ limit: { fetch: 0 } }), 'Fetch must be greater than 0'],
    [ask({ limit: { fetch: -0 } }), 'Fetch must be greater than 0'],
    [ask({ limit: { fetch: 1, skip: -1 } }), 'Skip must be 0 or greater'],
    [ask({ filters: [nest(100)] }), 'Filters are nested more than 100 deep'],
    [ask({ filters: [nest(5_000)] }), 'Filters are nested more than 100 deep'],
  ])('%#: is refused: %s', (query, message) => {
    expect(findRefusal(query)).toBe(message);
  });

  it('can be nested a hundred deep, and have ten thousand filters', () => {
    expect(findRefusal(ask({ filters: [nest(99)] }))).toBeNull();
    expect(findRefusal(ask({ filters: Array(10_000).fill(nest(0)) }))).toBeNull();
  });

  it('accepts every operator of the interface', () => {
    expect(Object.keys(OPERANDS)).toHaveLength(20);
    for (const [type, count] of Object.entries(OPERANDS)) {
      const operand = count === 0 ? {} : count === 1 ? { value: '1' } : { values: ['1', '2'] };
      expect(readQuery(where({ type, ...operand })).filters).toEqual([
        { type: 'CONDITION', field, operator: { type, ...operand } },
      ]);
    }
  });
});
