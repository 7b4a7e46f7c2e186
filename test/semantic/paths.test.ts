import { describe, expect, it } from 'vitest';
import { modelWith } from '../support/models.ts';
import { readOne } from './files.ts';

/** The warnings of a model with joins `from>to` (many to one), `from=to` (one to one), or `from<to`. */
function findWarnings(...joins: readonly string[]): readonly string[] {
  const names = [...new Set(joins.flatMap((join) => join.split(/[>=<]/)))];
  const types: Readonly<Record<string, string>> = {
    '>': 'MANY_TO_ONE',
    '=': 'ONE_TO_ONE',
    '<': 'ONE_TO_MANY',
  };
  const entities = names.map((name) => {
    const own = joins.filter((join) => join.split(/[>=<]/)[0] === name);
    const relationships = own.map((join, at) => {
      const to = join.slice(name.length + 1);
      return {
        name: `r${at}`,
        join_type: types[join[name.length]!],
        to_entity: to,
        expr: `${name}.k${at} = ${to === name ? `r${at}` : to}.k`,
      };
    });
    return { name, table_name: name, relationships };
  });
  const layer = { name: 'l', environment: { platform: 'duckdb' }, domains: [{ name: 'd', entities }] };
  const { diagnostics } = readOne(JSON.stringify({ version: '1.0', layers: [layer] }));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return diagnostics.map(({ message }) => message.replace(/: queries.*/, ''));
}

describe('paths that tie', () => {
  it.each([
    ['a tree', ['a>b', 'a>c', 'b>d'], []],
    ['a shorter way', ['a>b', 'b>c', 'a>c'], []],
    ['a way with fewer to-many steps', ['a<b', 'b>c', 'a>d', 'd>e', 'e>c'], []],
    ['two roles', ['a>b', 'a>b'], ['several paths lead equally well from `a` to `b`, by a.r0, a.r1']],
    [
      'a diamond',
      ['a>b', 'a>c', 'b>d', 'c>d'],
      [
        'several paths lead equally well from `a` to `d`, by a.r0.r0, a.r1.r0',
        'several paths lead equally well from `b` to `c`, by b.r0.c:r0, b.a:r0.r1',
      ],
    ],
    [
      'an entity behind two roles',
      ['a>b', 'a>b', 'b>c', 'd>a'],
      ['several paths lead equally well from `a` to `b`, by a.r0, a.r1'],
    ],
    ['a self-relationship', ['a>a', 'a>b'], []],
  ])('%s', (_, joins, warnings) => {
    expect(findWarnings(...joins)).toEqual(warnings);
  });

  it('treats a relationship that both entities declare as one relationship', () => {
    const relationship = (type: string, to: string, expr: string) =>
      `relationships: [{ name: ${to}, join_type: ${type}, to_entity: ${to}, expr: ${expr} }]`;
    const text = modelWith(`    - { name: a, table_name: a, ${relationship('MANY_TO_ONE', 'b', 'a.x = b.y')} }
    - { name: b, table_name: b, ${relationship('ONE_TO_MANY', 'a', 'b.y = a.x')} }
`);
    expect(readOne(text).diagnostics).toEqual([]);
  });

  it('reports fifty pairs, and the number of others', () => {
    const joins = Array.from({ length: 60 }, (_, at) => [`a${at}>b${at}`, `a${at}>b${at}`]).flat();
    const warnings = findWarnings(...joins);
    expect(warnings).toHaveLength(51);
    expect(warnings.at(-1)).toContain('and 10 more pairs');
  });
});
