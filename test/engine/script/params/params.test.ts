import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkTexts,
  findUnsetParams,
  isReplaced,
  ParamError,
  type Params,
  type Rendered,
  substituteParams,
  toOriginalSpan,
} from '../../../../src/engine/script/params/params.ts';
import { duckdbRules, mysqlRules, postgresqlRules } from '../../../../src/engine/text/lexical-rules.ts';
import { share } from '../../../support/rotation.ts';
import { gap, literal, quotedName } from '../../text/sql-pieces.ts';

function render(text: string, params: Params): Rendered {
  return substituteParams({ name: 'a.sql', text }, params);
}

function renderText(text: string, params: Params): string {
  return render(text, params).text;
}

/** Values that JSON can contain although the type forbids them. */
function untyped(json: string): Params {
  return JSON.parse(json) as Params;
}

describe('substituteParams', () => {
  it.each<[string, Params, string]>([
    ['select $x', {}, 'select $x'],
    ['select $x, $$x', { x: 1 }, 'select 1, 1'],
    ['$date_from', { date: 1 }, '$date_from'],
    ['$x1 $x $xé $x-1', { x: 'v' }, '$x1 v vé v-1'],
    ['$X', { x: 1 }, '$X'],
    ['a$x', { x: 'b' }, 'ab'],
    ['$$$x', { x: 'v' }, '$v'],
    ['$$$$x$', { x: 'v' }, '$$v$'],
    ['$a$b', { a: 1, b: 2 }, '12'],
    ['$a$b', { b: 2 }, '$a2'],
    ['$$a$b', { b: 2 }, '$$a2'],
    ['$', { x: 1 }, '$'],
    ['$1 $ x', { x: 1 }, '$1 $ x'],
    ['$_ $A9_z', { _: 'u', A9_z: 'v' }, 'u v'],
    ['$a $b', { a: '$b', b: '$a' }, '$b $a'],
    ['$a$b', { a: '$', b: 'b' }, '$b'],
    ['\'$x\' -- $x\n/* $x */ "$x"', { x: 'v' }, '\'v\' -- v\n/* v */ "v"'],
    ['$constructor $__proto__ $toString', { x: 1 }, '$constructor $__proto__ $toString'],
    ['$x', { x: '$&$1' }, '$&$1'],
  ])('replaces in %j the parameters %j', (text, params, expected) => {
    expect(renderText(text, params)).toBe(expected);
  });

  it('keeps dollar quotes unless a parameter has exactly their name', () => {
    const text = '$$ a $$ $tag$ $x $tag$ $$tag$$';
    expect(renderText(text, { ta: 1, tags: 2, a: 3 })).toBe(text);
    expect(renderText(text, { x: 4 })).toBe('$$ a $$ $tag$ 4 $tag$ $$tag$$');
    expect(renderText(text, { tag: 5 })).toBe('$$ a $$ 5$ $x 5$ 5$$');
  });

  it.each<[Params[string], string]>([
    ['it\'s "so"', 'it\'s "so"'],
    ['', ''],
    [null, ''],
    [true, 'true'],
    [false, 'false'],
    [-1.5, '-1.5'],
    [-0, '0'],
    [9007199254740993n, '9007199254740993'],
    [10n ** 30n, '1000000000000000000000000000000'],
    [[], ''],
    [[1, 'a', null, true], '1, a, , true'],
    [[1, [2, [], [3]]], '1, 2, , 3'],
  ])('renders %s', (value, expected) => {
    expect(renderText('<$x>', { x: value })).toBe(`<${expected}>`);
  });

  it('renders lists of any depth', () => {
    const deep = untyped(`{"x": ${'['.repeat(50_000)}7${']'.repeat(50_000)}}`);
    expect(renderText('$x', deep)).toBe('7');
  });

  it.each([
    ['a key that is not a name', { '1a': 1 }, /"1a" is not a parameter name/],
    ['an empty key', { $: 1 }, /"\$" is not a parameter name/],
    ['three dollars', { $$$x: 1 }, /"\$\$\$x" is not a parameter name/],
    ['control characters in a key', { 'a\u001b': 1 }, /"a\\u001b" is not a parameter name/],
    [
      'one name with two types',
      { x: 1, $$x: '1' },
      /x is given twice with different values, as x and as \$\$x/,
    ],
    [
      'one name with two values',
      { x: 1, $$x: 2 },
      /x is given twice with different values, as x and as \$\$x/,
    ],
    ['undefined instead of a value', { x: undefined } as unknown as Params, /Parameter x has no value/],
  ])('rejects %s, even if unused', (_, params, message) => {
    expect(() => render('select 1', params as Params)).toThrow(ParamError);
    expect(() => render('select 1', params as Params)).toThrow(message);
  });

  it('accepts one name in several notations with the same value', () => {
    expect(renderText('$x', { x: 1, $x: 1, $$x: 1 })).toBe('1');
  });

  it('keeps the name of a parameter that is a map, and refuses it in SQL', () => {
    for (const params of [untyped('{"x": {"a": 1}}'), untyped('{"x": [[{}]]}')]) {
      const rendered = render('a $x', params);
      expect(rendered.text).toBe('a $x');
      expect(() => checkTexts(rendered)).toThrow('parameter `$x` is a map, which cannot be inserted');
      expect(() => checkTexts(render('a', params))).not.toThrow();
    }
  });

  it('accepts `__proto__` as an own key', () => {
    expect(renderText('$__proto__ $toString', untyped('{"__proto__": 1}'))).toBe('1 $toString');
  });

  it('rejects a result that is too long', () => {
    const value = 'v'.repeat(2 ** 20);
    expect(() => render('$x '.repeat(300), { x: value })).toThrow(/a\.sql exceeds .* with parameter x/);
  });

  it('replaces the same references as a pattern of the supplied names', () => {
    const piece = fc.constantFrom('$', '$$', 'a', 'b', 'ab', '_', '1', ' ', 'é', "'", '\n');
    const text = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.subarray(['a', 'b', 'ab', '_']), fc.string(), (content, names, value) => {
        const found = new RegExp(`\\$\\$?(?:${names.join('|')})(?![A-Za-z0-9_])`, 'g');
        const expected = names.length === 0 ? content : content.replace(found, () => value);
        expect(renderText(content, Object.fromEntries(names.map((name) => [name, value])))).toBe(expected);
      }),
      { numRuns: share(1000) },
    );
  });
});

/** A source and its parameters, with the known origin of every rendered character. */
const known = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', ' ', '\n', "'", 'é', '😀', '$z ', '$ ', '$$ ').map((text) => ({ text, name: '' })),
      fc
        .constantFrom('$e', '$$e', '$s', '$long', '$$long')
        .map((text) => ({ text, name: text.replaceAll('$', '') })),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => {
    const params: Params = { e: null, s: '$', long: 'va{{lue' };
    const places: { start: number; end: number }[] = [];
    let text = '';
    for (const piece of pieces) {
      const gapBefore = piece.name === '' ? '' : ' ';
      for (const character of (gapBefore + (piece.name === '' ? piece.text : '')).split('')) {
        places.push({ start: text.length, end: text.length + 1 });
        text += character;
      }
      if (piece.name === '') continue;
      const whole = { start: text.length, end: text.length + piece.text.length };
      for (const _ of String(params[piece.name] ?? '')) places.push(whole);
      text += `${piece.text};`;
      places.push({ start: text.length - 1, end: text.length });
    }
    return { text, params, places };
  });

describe('toOriginalSpan', () => {
  it('returns spans of the original source', () => {
    const rendered = render('select $x, b from $$table where c', { x: 'one_two', table: 't' });
    expect(rendered.text).toBe('select one_two, b from t where c');
    const replaced = Array.from(rendered.text, (character, at) =>
      isReplaced(rendered, at) ? character : '-',
    );
    expect(replaced.join('')).toBe('-------one_two---------t--------');
    const original = (start: number, end: number) => {
      const span = toOriginalSpan(rendered, { start, end });
      return rendered.source.text.slice(span.start, span.end);
    };
    expect(original(0, 6)).toBe('select');
    expect(original(16, 17)).toBe('b');
    expect(original(31, 32)).toBe('c');
    expect(original(7, 14)).toBe('$x');
    expect(original(11, 14)).toBe('$x');
    expect(original(9, 9)).toBe('$x');
    expect(original(12, 24)).toBe('$x, b from $$table');
    expect(original(0, 8)).toBe('select $x');
    expect(original(13, 16)).toBe('$x, ');
    expect(original(14, 14)).toBe('');
    expect(toOriginalSpan(rendered, { start: 16, end: 16 })).toEqual({ start: 11, end: 11 });
    expect(toOriginalSpan(rendered, { start: 99, end: 99 })).toEqual({ start: 33, end: 33 });
    expect(toOriginalSpan(rendered, { start: -9, end: 99 })).toEqual({ start: 0, end: 33 });
  });

  it('includes an empty value only in an empty span', () => {
    const rendered = render('a$x b$x', { x: null });
    expect(rendered.text).toBe('a b');
    expect(toOriginalSpan(rendered, { start: 0, end: 1 })).toEqual({ start: 0, end: 1 });
    expect(toOriginalSpan(rendered, { start: 1, end: 3 })).toEqual({ start: 3, end: 5 });
    expect(toOriginalSpan(rendered, { start: 3, end: 3 })).toEqual({ start: 5, end: 7 });
  });

  it('maps every character to its origin', () => {
    fc.assert(
      fc.property(known, fc.nat(), fc.nat(), ({ text, params, places }, one, other) => {
        const rendered = render(text, params);
        expect(rendered.text.length).toBe(places.length);
        places.forEach((place, at) => {
          expect(toOriginalSpan(rendered, { start: at, end: at + 1 })).toEqual(place);
        });
        const start = Math.min(one, other) % (places.length + 1);
        const end = Math.max(start, Math.max(one, other) % (places.length + 1));
        const expected = { start: places[start]?.start ?? text.length, end: places[end - 1]?.end ?? 0 };
        if (end > start) expect(toOriginalSpan(rendered, { start, end })).toEqual(expected);
      }),
      { numRuns: share(500) },
    );
  });

  it('stays inside the source for any span, and has the values in its regions', () => {
    const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('$a', '$$b', '$')));
    const values = fc.record({ a: fc.string(), b: fc.bigInt() });
    const bounds = fc.tuple(fc.integer({ min: -5, max: 200 }), fc.integer({ min: -5, max: 200 }));
    fc.assert(
      fc.property(text, values, bounds, (parts, params, [start, end]) => {
        const rendered = render(parts.join(''), params);
        const span = toOriginalSpan(rendered, { start, end });
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeGreaterThanOrEqual(span.start);
        expect(span.end).toBeLessThanOrEqual(rendered.source.text.length);
        for (let at = 0; at < rendered.text.length; at += 1) {
          const origin = toOriginalSpan(rendered, { start: at, end: at + 1 });
          const written = rendered.source.text.slice(origin.start, origin.end);
          if (!isReplaced(rendered, at)) expect(written).toBe(rendered.text.charAt(at));
          else expect(['$a', '$$a', '$b', '$$b']).toContain(written);
        }
      }),
      { numRuns: share(500) },
    );
  });
});

describe('findUnsetParams', () => {
  const found = (text: string, lexicalRules = duckdbRules) =>
    findUnsetParams(text, lexicalRules).map(({ kind, name, span }) => [
      kind,
      name,
      text.slice(span.start, span.end),
    ]);

  it.each<[string, string[][]]>([
    ['select 1', []],
    [
      'select $x + $y_1',
      [
        ['named', 'x', '$x'],
        ['named', 'y_1', '$y_1'],
      ],
    ],
    ["'$x' \"$x\" -- $x\n/* $x */ $$ $x $$ $x$ $x $x$ E'\\'$x' a$x", []],
    [
      'select $1, ?, ?2, $é, $"a b"',
      [
        ['positional', '$1', '$1'],
        ['positional', '?', '?'],
        ['positional', '?2', '?2'],
        ['positional', '$é', '$é'],
        ['positional', '$"a b"', '$"a b"'],
      ],
    ],
    ['select $xé', [['named', 'x', '$x']]],
    ['select $', []],
    ['select 1$x', [['named', 'x', '$x']]],
  ])('%j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('supports the other dialects', () => {
    expect(found('select a ? b, $x, $1', postgresqlRules)).toEqual([
      ['named', 'x', '$x'],
      ['positional', '$1', '$1'],
    ]);
    expect(found('select $x, $$y, a$z, `$q`, ?', mysqlRules)).toEqual([
      ['named', 'x', '$x'],
      ['named', 'y', '$$y'],
      ['positional', '?', '?'],
    ]);
  });

  it('finds exactly the parameters of a generated script', () => {
    const quiet = fc
      .oneof(literal, quotedName, gap, fc.constantFrom('a$x', '1'))
      .map((text) => ({ text, kind: '' }));
    const named = fc.constantFrom('$x', '$y_1').map((text) => ({ text, kind: 'named' }));
    const positional = fc.constantFrom('$1', '?', '?2').map((text) => ({ text, kind: 'positional' }));
    fc.assert(
      fc.property(fc.array(fc.oneof(quiet, named, positional), { maxLength: 8 }), (pieces) => {
        const expected: unknown[] = [];
        let text = '';
        for (const piece of pieces) {
          const span = { start: text.length, end: text.length + piece.text.length };
          const name = piece.kind === 'named' ? piece.text.slice(1) : piece.text;
          if (piece.kind !== '') expected.push({ kind: piece.kind, name, span });
          text += `${piece.text} , `;
        }
        expect(findUnsetParams(text, duckdbRules)).toEqual(expected);
      }),
      { numRuns: share(500) },
    );
  });

  it('finds no parameters if all are supplied', () => {
    const rendered = render('select $a, $$b', { a: 1, b: 2 });
    expect(findUnsetParams(rendered.text, duckdbRules)).toEqual([]);
  });
});

it('accepts 200,000 parameter references in a source, and any number of dollar signs', () => {
  expect(renderText(`${'$'.repeat(1_000_000)}x`, { x: 1 })).toBe(`${'$'.repeat(999_998)}1`);
  expect(renderText('$a '.repeat(200_000), { x: 1 })).toHaveLength(600_000);
  expect(() => render('$a '.repeat(200_001), { x: 1 })).toThrow(
    'a.sql has more than 200,000 parameter references: run it without parameters.',
  );
  expect(renderText('$a '.repeat(200_001), {})).toHaveLength(600_003);
});
