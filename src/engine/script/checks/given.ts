import { suggest } from '../../../text/suggest.ts';
import type { BlockDeclaration, Expression, MapExpression } from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';
import type { CheckError } from './severity.ts';

/** The keys of given rows. */
export const GIVEN_KEYS: readonly string[] = ['block', 'rows', 'types'];

/** Whether a test has given rows instead of those of blocks (docs/reference/given-rows.md). */
export function hasGiven({ meta }: BlockDeclaration): boolean {
  return findEntry(meta, 'given') !== null;
}

/** The errors of `:given` and `:expect` of a test, as far as its source shows them. */
export function checkGiven({ meta }: BlockDeclaration): readonly CheckError[] {
  const given = findEntry(meta, 'given');
  const expected = findEntry(meta, 'expect');
  return [
    ...(given === null ? [] : checkEntries(given)),
    ...(expected === null ? [] : checkRows(expected, ':expect')),
    ...(expected !== null && given === null
      ? [{ at: expected, message: '`:expect` needs `:given`: the rows of blocks without it are not known' }]
      : []),
  ];
}

function checkEntries(given: Expression): readonly CheckError[] {
  if (given.kind !== 'list') {
    return [
      {
        at: given,
        message: '`:given` must be a list of maps, such as [ { :block Orders, :rows [ { :id 1 } ] } ]',
      },
    ];
  }
  return given.items.flatMap((item) =>
    item.kind === 'map'
      ? checkEntry(item)
      : [{ at: item, message: 'given rows must be a map with `:block` and `:rows`' }],
  );
}

function checkEntry(item: MapExpression): readonly CheckError[] {
  const [block, rows, types] = GIVEN_KEYS.map((key) => findEntry(item, key));
  const unknown = item.entries.flatMap(({ key }) => {
    if (GIVEN_KEYS.includes(key.name)) return [];
    const near = suggest(key.name, GIVEN_KEYS);
    const hint = near === undefined ? '' : `, did you mean \`:${near}\`?`;
    return [{ at: key, message: `given rows have no option \`:${key.name}\`${hint}` }];
  });
  const isBlock = block?.kind === 'name' || block?.kind === 'member';
  return [
    ...unknown,
    ...(isBlock ? [] : [{ at: block ?? item, message: 'given rows need `:block`, the name of a block' }]),
    ...(rows == null ? [{ at: item, message: 'given rows need `:rows`' }] : checkRows(rows, ':rows')),
    ...(types == null || isTypes(types)
      ? []
      : [{ at: types, message: '`:types` must be a map of types in quotes, such as { :id "BIGINT" }' }]),
  ];
}

function isTypes(types: Expression): boolean {
  if (types.kind !== 'map') return false;
  return types.entries.every(({ value }) => value.kind === 'literal' && typeof value.value === 'string');
}

function checkRows(rows: Expression, what: string): readonly CheckError[] {
  if (rows.kind !== 'list')
    return [{ at: rows, message: `\`${what}\` must be a list of maps, one for each row` }];
  const wrong = rows.items.find((row) => row.kind !== 'map');
  if (wrong !== undefined) return [{ at: wrong, message: 'a row must be a map, such as { :id 1 }' }];
  if (what !== ':expect') return [];
  const keys = rows.items.map((row) =>
    row.kind === 'map'
      ? row.entries
          .map(({ key }) => key.name)
          .sort()
          .join()
      : '',
  );
  const other = rows.items.find((_, at) => keys[at] !== keys[0]);
  return other === undefined
    ? []
    : [{ at: other, message: 'the rows of `:expect` must have the same columns' }];
}
