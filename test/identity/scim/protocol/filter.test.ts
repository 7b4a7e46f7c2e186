import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  double,
  letrec,
  oneof,
  property,
  record,
  string,
  stringMatching,
  tuple,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFilter, matchesFilter } from '../../../../src/identity/scim/protocol/match-filter.ts';
import {
  type Comparison,
  type Filter,
  listEqualities,
  parseFilter,
} from '../../../../src/identity/scim/protocol/parse-filter.ts';
import { attribute, COMMON_ATTRIBUTES, complex } from '../../../../src/identity/scim/protocol/schema.ts';
import { share } from '../../../support/rotation.ts';

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

const paths = stringMatching(
  /^(urn:[a-z0-9.]{1,8}:[A-Z][a-z]{0,5}:)?[A-Za-z$][A-Za-z0-9_$-]{0,8}(\.[a-z]{1,5})?$/,
);
const comparisons = record({
  kind: constant('compare' as const),
  path: paths,
  operator: constantFrom(...OPERATORS),
  value: oneof(
    string({ unit: 'binary' }),
    double({ noNaN: true, noDefaultInfinity: true }),
    boolean(),
    constant(null),
  ),
});

const filters = (withSome: boolean): Arbitrary<Filter> =>
  letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
    leaf: oneof(comparisons, record({ kind: constant('present' as const), path: paths })),
    filter: oneof(
      { maxDepth: 4 },
      tie('leaf'),
      record({
        kind: constantFrom('and' as const, 'or' as const),
        parts: array(tie('filter'), { minLength: 2, maxLength: 3 }),
      }),
      record({ kind: constant('not' as const), filter: tie('filter') }),
      ...(withSome ? [record({ kind: constant('some' as const), path: paths, filter: filters(false) })] : []),
    ),
  })).filter;

/** Prints a filter with all possible parentheses, or only the necessary ones. */
function print(filter: Filter, isFull: boolean): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts
        .map((part) =>
          isFull || part.kind === 'and' || part.kind === 'or'
            ? `(${print(part, isFull)})`
            : print(part, isFull),
        )
        .join(` ${filter.kind} `);
    case 'not':
      return `not (${print(filter.filter, isFull)})`;
    case 'some':
      return `${filter.path}[${print(filter.filter, isFull)}]`;
    case 'present':
      return `${filter.path} pr`;
    case 'compare':
      return `${filter.path} ${filter.operator} ${JSON.stringify(filter.value)}`;
  }
}

const equality = (path: string, value: Comparison['value']): Comparison => ({
  kind: 'compare',
  path,
  operator: 'eq',
  value,
});

describe('filters', () => {
  it('are parsed to the structure that was printed', () => {
    assert(
      property(filters(true), boolean(), (filter, isFull) => {
        expect(parseFilter(print(filter, isFull))).toEqual(toJsonNumbers(filter));
      }),
      { numRuns: share(1_000) },
    );
  });

  it('are parsed or refused with a SCIM error, for any text', () => {
    const words = constantFrom(
      'a',
      'eq',
      '"x"',
      'and',
      'or',
      'not',
      '(',
      ')',
      '[',
      ']',
      'pr',
      'true',
      '1',
      '.',
      ':',
      'urn:x:y',
      '"',
      '\\',
      '-',
    );
    assert(
      property(
        oneof(
          string({ unit: 'binary', maxLength: 50 }),
          tuple(array(words, { maxLength: 20 }), constantFrom('', ' ')).map(([tokens, space]) =>
            tokens.join(space),
          ),
        ),
        (text) => {
          let filter: Filter | undefined;
          try {
            filter = parseFilter(text);
          } catch (error) {
            expect(error).toMatchObject({ status: 400, scimType: 'invalidFilter' });
            expect((error as { detail: string }).detail.length).toBeLessThan(300);
          }
          if (filter !== undefined) expect(parseFilter(print(filter, true))).toEqual(filter);
        },
      ),
      { numRuns: share(2_000) },
    );
  });

  it.each([
    ['USERNAME EQ "A@B.C"', equality('USERNAME', 'A@B.C')],
    ['userName eq "say \\"\\u00e9\\" \\\\"', equality('userName', 'say "é" \\')],
    ['  (userName   eq\t"x" ) ', equality('userName', 'x')],
    ['userName eq"x"', equality('userName', 'x')],
    ['active eq True', equality('active', true)],
    ['n eq -1.5e3', equality('n', -1500)],
    ['manager eq NULL', equality('manager', null)],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"',
      equality('urn:ietf:params:scim:schemas:core:2.0:User:userName', 'x'),
    ],
    ['order pr', { kind: 'present', path: 'order' }],
    ['not(a pr)', { kind: 'not', filter: { kind: 'present', path: 'a' } }],
  ])('are parsed in every spelling: %s', (text, filter) => {
    expect(parseFilter(text)).toEqual(filter);
  });

  it('bind "and" more tightly than "or", and "not" more tightly than both', () => {
    const [a, b, c] = [equality('a', 1), equality('b', 2), equality('c', 3)];
    expect(parseFilter('a eq 1 or b eq 2 and not (c eq 3)')).toEqual({
      kind: 'or',
      parts: [a, { kind: 'and', parts: [b, { kind: 'not', filter: c }] }],
    });
  });

  it.each([
    ['', 'character 1: expected an attribute'],
    ['userName', 'character 9: expected an operator'],
    ['userName is "x"', 'character 10: expected an operator'],
    ['userName eq', 'character 12: expected a value'],
    ['userName eq x', 'character 13: expected a value'],
    ["userName eq 'x'", 'character 13: expected a value'],
    ['userName eq "x', 'character 13: expected a JSON string'],
    ['userName eq "\\x"', 'character 13: expected a JSON string'],
    ['userName eq "x" userName', 'character 17: expected the end'],
    ['userName eq "x" and', 'character 20: expected an attribute'],
    ['(userName eq "x"', 'character 17: expected ")"'],
    ['emails[type eq "x"', 'character 19: expected "]"'],
    ['emails[a[b eq 1]]', 'character 9: expected an operator'],
    ['not userName pr', 'character 5: expected "("'],
    ['a..b pr', 'character 2: expected an operator'],
    ['__proto__ eq "x"', 'character 1: expected an attribute'],
    ['n eq 01', 'character 6: expected a value'],
    [`${'('.repeat(51)}a pr${')'.repeat(51)}`, 'character 52: nested more than 50 levels deep'],
    [`${'not ('.repeat(100_000)}`, 'character 1: longer than 10000 characters'],
    [`a eq "${'x'.repeat(10_000)}"`, 'character 1: longer than 10000 characters'],
  ])('are refused with the position: %s', (text, detail) => {
    expect(() => parseFilter(text)).toThrow(
      expect.objectContaining({
        status: 400,
        scimType: 'invalidFilter',
        detail: expect.stringContaining(`Filter is not valid at ${detail}`),
      }),
    );
  });

  it('are equalities when they have only "eq", joined by "and"', () => {
    expect(
      listEqualities(parseFilter('a eq 1 and (b eq 2 and members[value eq "x" and type eq "y"])')),
    ).toEqual([
      equality('a', 1),
      equality('b', 2),
      equality('members.value', 'x'),
      equality('members.type', 'y'),
    ]);
    for (const text of ['a ne 1', 'a eq 1 or b eq 2', 'a eq 1 and b pr', 'not (a eq 1)', 'm[a co "x"]']) {
      expect(listEqualities(parseFilter(text))).toBeNull();
    }
  });
});

describe('a filter', () => {
  const attributes = [
    attribute('text', 'Without case'),
    attribute('exact', 'With case', { caseExact: true }),
    attribute('flag', 'True or false', { type: 'boolean' }),
    attribute('at', 'A time', { type: 'dateTime' }),
    attribute('bytes', 'Base64', { type: 'binary' }),
    complex('items', 'A list', [attribute('value', 'A value'), attribute('type', 'A type')], {
      multiValued: true,
    }),
  ];
  const object = {
    text: 'Main',
    exact: 'Main',
    flag: true,
    at: '2026-01-31T08:00:00Z',
    items: [
      { value: '1', type: 'work' },
      { value: '2', type: 'home' },
    ],
  };
  const matches = (text: string) => {
    const filter = parseFilter(text);
    checkFilter(filter, attributes);
    return matchesFilter(filter, object, attributes);
  };

  it.each([
    ['TEXT eq "mAIN"', true],
    ['text eq "other"', false],
    ['text ne "other"', true],
    ['text co "AI"', true],
    ['text sw "ma"', true],
    ['text sw "in"', false],
    ['text ew "IN"', true],
    ['text gt "mail"', true],
    ['text lt "mail"', false],
    ['text ge "main"', true],
    ['text le "main"', true],
    ['exact eq "main"', false],
    ['exact eq "Main"', true],
    ['exact co "m"', false],
    ['flag eq true', true],
    ['flag eq "True"', true],
    ['flag ne "FALSE"', true],
    ['flag eq false', false],
    ['at eq "2026-01-31T09:00:00+01:00"', true],
    ['at gt "2026-01-31T08:00:00.001Z"', false],
    ['at lt "2026-02-01"', true],
    ['bytes pr', false],
    ['bytes eq null', true],
    ['bytes ne "x"', true],
    ['bytes eq "x"', false],
    ['text eq null', false],
    ['text ne null', true],
    ['text pr and items pr', true],
    ['not (text pr)', false],
    ['text eq "x" or flag eq true', true],
    ['text eq "x" and flag eq true', false],
    ['items[value eq "1" and type eq "work"]', true],
    ['items[value eq "1" and type eq "home"]', false],
    ['items[not (type eq "work")]', true],
    ['text eq 5', false],
  ])('%s: %s', (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  it('with pr does not match empty strings and lists', () => {
    for (const empty of [{ text: '' }, { items: [] }, {}]) {
      const filter = parseFilter('text pr or items pr');
      expect(matchesFilter(filter, empty, attributes)).toBe(false);
    }
  });

  it.each([
    ['shoe eq "x"', 'there is no attribute shoe'],
    ['shoe pr', 'there is no attribute shoe'],
    ['constructor pr', 'there is no attribute constructor'],
    ['items[shoe eq "x"]', 'there is no attribute shoe'],
    ['not (text pr and shoe pr)', 'there is no attribute shoe'],
    ['items eq "x"', 'items cannot be compared by eq'],
    ['flag gt true', 'flag cannot be compared by gt'],
    ['bytes co "x"', 'bytes cannot be compared by co'],
    ['at co "2026"', 'at cannot be compared by co'],
    ['at gt "soon"', 'at can only be compared with a date and time'],
    ['flag eq "maybe"', 'flag can only be compared with true or false'],
  ])('is refused: %s', (text, detail) => {
    expect(() => matches(text)).toThrow(
      expect.objectContaining({
        status: 400,
        scimType: 'invalidFilter',
        detail: `Filter is not valid: ${detail}`,
      }),
    );
  });

  it('compares case as the common attributes define it', () => {
    const matchesCommon = (text: string) =>
      matchesFilter(parseFilter(text), { id: 'aB', externalId: 'aB' }, COMMON_ATTRIBUTES);
    expect(matchesCommon('id eq "aB" and externalId eq "aB"')).toBe(true);
    expect(matchesCommon('id eq "ab" or externalId eq "ab"')).toBe(false);
  });
});

/** A filter with the numbers that JSON can represent. */
function toJsonNumbers(filter: Filter): Filter {
  if (filter.kind === 'compare' && Object.is(filter.value, -0)) return { ...filter, value: 0 };
  if (filter.kind === 'and' || filter.kind === 'or')
    return { ...filter, parts: filter.parts.map(toJsonNumbers) };
  if (filter.kind === 'not' || filter.kind === 'some')
    return { ...filter, filter: toJsonNumbers(filter.filter) };
  return filter;
}
