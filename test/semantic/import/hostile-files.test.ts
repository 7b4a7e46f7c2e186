import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Document, isCollection, isPair, parseDocument, visit } from 'yaml';
import type { Source } from '../../../src/engine/text/source.ts';
import type { ImportFormat } from '../../../src/semantic/import/import-model.ts';
import { FIXTURES, importSources, importText, readSources } from './import-fixture.ts';

/** Values of unexpected types. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  Number.NaN,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '*',
  'a.b',
  '__proto__',
  'constructor',
  'Ω'.repeat(300),
  "'; DROP TABLE x; --",
  'x)) OR ((1 = 1',
  'a -- b',
  '/* b',
  '{CUBE}',
  '{{ x }}',
  '{CUBE}.{CUBE}',
  '{orders.orders.orders}',
  '{constructor}',
  "{{ Dimension('__proto__') }}",
  "{{ Dimension('a__b__c') }} {% raw %}",
  'SUM(SUM(x)) OVER ()',
  'COUNT(DISTINCT *)',
  'orders..x',
  'orders.',
  '$1 ? :x',
  '{"entity":"orders","name":{}}',
  [],
  [[[]]],
  {},
  { name: {} },
  { __proto__: null, name: 'x', type: [] },
  [{ name: 'orders' }, null, 7],
];

/** Replaces, removes or duplicates some values of the files. */
function mutate(sources: readonly Source[], changes: readonly Change[]): readonly Source[] {
  const documents = sources.map(({ name, text }) => ({ name, document: parseDocument(text) }));
  for (const { file, place, odd, how } of changes) {
    const { document } = documents[file % documents.length]!;
    const pairs: { parent: object; at: number }[] = [];
    visit(document, {
      Collection: (_, node) => node.items.forEach((_item, at) => void pairs.push({ parent: node, at })),
    });
    const chosen = pairs[place % pairs.length];
    if (chosen === undefined || !isCollection(chosen.parent)) continue;
    change(document, chosen.parent.items as unknown[], chosen.at, ODD[odd % ODD.length], how);
  }
  return documents.map(({ name, document }) => ({ name, text: print(document) }));
}

function change(document: Document, items: unknown[], at: number, odd: unknown, how: number): void {
  const item = items[at];
  const node = document.createNode(odd);
  if (how % 4 === 1) items.splice(at, 1);
  else if (how % 4 === 2 && !isPair(item)) items.push(item);
  else if (isPair(item)) item.value = node;
  else items[at] = node;
}

function print(document: Document): string {
  try {
    return String(document);
  } catch {
    return 'a: [';
  }
}

interface Change {
  readonly file: number;
  readonly place: number;
  readonly odd: number;
  readonly how: number;
}

const changes = fc.array(
  fc.record({ file: fc.nat(9), place: fc.nat(9_999), odd: fc.nat(999), how: fc.nat(99) }),
  { minLength: 1, maxLength: 6 },
);

/** Whatever the input: a valid model or errors, and every message has a location in a file. */
function expectSound(from: ImportFormat, sources: readonly Source[]): void {
  const { failures, errors, losses, model } = importSources(from, sources);
  if (failures.length > 0) return;
  expect(errors).toEqual([]);
  expect(model).not.toBeNull();
  for (const { file, line, column, message } of losses) {
    const { text } = sources.find(({ name }) => name === file)!;
    expect(line, message).toBeGreaterThan(0);
    expect(line, message).toBeLessThanOrEqual(text.split('\n').length);
    expect(column, message).toBeGreaterThan(0);
    expect(message).not.toMatch(/undefined|\[object/);
  }
}

describe.each(FIXTURES)('files of %s with unexpected values', (name, from) => {
  it('produce a valid model or errors, and never an exception', () => {
    const sources = readSources(name);
    fc.assert(
      fc.property(changes, (each) => expectSound(from, mutate(sources, each))),
      { numRuns: 30 },
    );
  });
});

describe.each<ImportFormat>(['ossie', 'dbt', 'cube'])('%s', (from) => {
  it('keeps any text unchanged', () => {
    for (const text of [
      '',
      ' ',
      'null',
      '7',
      '[]',
      '{}',
      'a: b',
      '- 1',
      '"',
      '{{ x }}',
      '%',
      '--- 1\n--- 2',
      '&a [*a]',
    ]) {
      const { failures, model } = importText(from, text);
      expect(model, text).toBeNull();
      expect(failures.length, text).toBeGreaterThan(0);
    }
    expect(importText(from).failures).toHaveLength(1);
  });

  it('reports a template, and a duplicate key', () => {
    expect(importText(from, '{% for x in y %}\ncubes:\n{% endfor %}').failures).toEqual([
      expect.stringContaining('this file is a Jinja template: render it first'),
    ]);
    expect(importText(from, 'a: 1\na: 2').failures).toEqual(['2:1 `a` is given twice']);
  });
});

it.each<readonly [ImportFormat, text: string, message: string]>([
  [
    'cube',
    "cubes:\n- name: a\n  sql_table: '{{ x }}.a'\nmore: 1",
    '2:3 the cube a: only the other tool understands `{{ x }}`',
  ],
  [
    'dbt',
    "semantic_models:\n- name: a\n  model: '{{ x }}'",
    '3:10 the semantic model a: `{{ x }}` does not name a dbt model',
  ],
  ['ossie', 'semantic_model:\n- name: a\n  datasets:\n  - name: x', '4:5 the dataset x: it has no `source`'],
])('explains why a model of %s is empty', (from, text, message) => {
  expect(importText(from, text).failures).toEqual([message]);
});

describe('files that would block other requests', () => {
  it('are refused if their aliases expand to too many values', () => {
    const lines = ['a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]'];
    for (let at = 1; at < 12; at++)
      lines.push(
        `a${at}: &a${at} [${Array(10)
          .fill(`*a${at - 1}`)
          .join(', ')}]`,
      );
    expect(importText('cube', lines.join('\n')).failures[0]).toContain('aliases make this file too large');
    expect(importText('cube', 'a: &a { b: *a }').failures).toEqual([
      '1:12 there is no anchor `&a` before this alias',
    ]);
    expect(importText('cube', 'a: *b').failures).toEqual(['1:4 there is no anchor `&b` before this alias']);
  });

  it('are refused if they are nested too deep or too long', () => {
    expect(importText('cube', `a: ${'['.repeat(200_000)}`).failures[0]).toMatch(
      /nested too deep|no valid YAML/,
    );
    expect(importText('cube', `a: "${'x'.repeat(3 * 1024 ** 2)}"`).failures[0]).toContain('at most 2 MB');
    const parts = Array.from({ length: 9 }, () => `a: "${'x'.repeat(1_900_000)}"`);
    expect(importText('cube', ...parts).failures.at(-1)).toContain('at most 16777216 characters');
  });
});

describe('recursive definitions', () => {
  it('do not grow without limit in Cube', () => {
    const dimensions = Array.from({ length: 60 }, (_, at) => {
      const sql = at === 0 ? 'a' : `CONCAT({d${at - 1}}, {d${at - 1}})`;
      return `  - { name: d${at}, type: string, sql: "${sql}" }`;
    });
    const measures = Array.from({ length: 60 }, (_, at) => {
      const sql = at === 0 ? 'SUM(a)' : `{m${at - 1}} + {m${at - 1}}`;
      return `  - { name: m${at}, type: number, sql: "${sql}" }`;
    });
    const { lines, model } = importText(
      'cube',
      `cubes:\n- name: c\n  sql_table: t\n  dimensions:\n${dimensions.join('\n')}\n  measures:\n${measures.join('\n')}\n`,
    );
    expect(model!.layers[0]!.domains[0]!.entities[0]!.dimensions.length).toBeLessThan(20);
    expect(lines.some((line) => line.endsWith('with the SQL of its parts it becomes too long'))).toBe(true);
    expect(lines.some((line) => line.endsWith('it needs `m20`, which could not be imported'))).toBe(true);
  });

  it('do not grow without limit in dbt', () => {
    const metrics = Array.from({ length: 60 }, (_, at) => {
      const inputs = `{ expr: m${at - 1} + m${at - 1}, metrics: [m${at - 1}] }`;
      if (at === 0) return '- { name: m0, type: simple, type_params: { measure: a } }';
      return `- { name: m${at}, type: derived, type_params: ${inputs} }`;
    });
    const { lines } = importText(
      'dbt',
      `semantic_models:\n- { name: o, model: ref('o'), measures: [{ name: a, agg: sum }] }\nmetrics:\n${metrics.join('\n')}\n`,
    );
    expect(lines.some((line) => line.endsWith('with the SQL of its parts it becomes too long'))).toBe(true);
  });

  it('are reported as a cycle', () => {
    const cube = importText(
      'cube',
      `cubes:
- name: c
  sql_table: t
  dimensions:
  - { name: a, type: string, sql: "{b}" }
  - { name: b, type: string, sql: "{a}" }
  measures:
  - { name: x, type: number, sql: "{y} + 1" }
  - { name: y, type: number, sql: "{x} + 1" }
`,
    );
    expect(cube.lines).toHaveLength(4);
    expect(cube.lines[0]).toContain('it refers to itself through `a`');
    const dbt = importText(
      'dbt',
      `semantic_models: [{ name: o, model: ref('o') }]
metrics:
- { name: x, type: derived, type_params: { expr: y, metrics: [y] } }
- { name: y, type: derived, type_params: { expr: x, metrics: [x] } }
`,
    );
    expect(dbt.lines.slice(1).every((line) => line.includes('which could not be imported'))).toBe(true);
  });
});
