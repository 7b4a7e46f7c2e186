import { type Condition, column, type Expression, equal, literal } from './expression.ts';
import { toFraction } from './fraction.ts';
import type { Random } from './random.ts';
import type { Row } from './value.ts';

/** How a child row finds its parent. */
type KeyKind = 'simple' | 'composite' | 'range' | 'expression' | 'extra' | 'otherwise' | 'either';

/** A child and its parent, before rows exist; `one`: a parent has at most one such child. */
export interface Link {
  readonly child: number;
  readonly parent: number;
  readonly one: boolean;
  readonly kind: KeyKind;
  /** The probability that a key of the child is NULL. */
  readonly nulls: number;
  /** The index of the child's columns: one for each of its links. */
  readonly slot: number;
}

/** Most links are of the simplest kind. */
export const KINDS: readonly KeyKind[] = [
  'simple',
  'simple',
  'simple',
  'simple',
  'simple',
  'simple',
  'simple',
  'simple',
  'otherwise',
  'either',
  'composite',
  'range',
  'expression',
  'extra',
];

/** The link columns of a child: a parent's key, an orphan's key or NULL. */
export function createReference(link: Link, parents: number, used: Set<number>, random: Random): Row {
  const [a, b] = [`k${link.slot}`, `p${link.slot}`];
  const key = parents === 0 || random.chance(0.1) ? 90 + random.int(5) : random.int(parents) + 1;
  const isTaken = link.one && used.has(key);
  if (isTaken || random.chance(link.nulls))
    return { [a]: null, [b]: random.chance(0.5) ? null : toFraction(1) };
  used.add(key);
  const value = link.kind === 'range' ? key * 10 + random.int(10) : key;
  const other = random.chance(0.9) ? key % 2 : 7;
  return { [a]: toFraction(value), [b]: toFraction(other) };
}

/** The condition of a link; `extra` also compares a column of the child. */
export function createCondition(link: Link, child: string, parent: string): Condition {
  const key = column(`k${link.slot}`, child);
  const part = column(`p${link.slot}`, child);
  const same = equal(key, column('id', parent));
  switch (link.kind) {
    case 'simple':
      return same;
    case 'composite':
      return { kind: 'and', parts: [same, equal(part, column('part', parent))] };
    case 'range':
      return {
        kind: 'and',
        parts: [
          { kind: 'compare', op: '>=', left: key, right: column('low', parent) },
          { kind: 'compare', op: '<', left: key, right: column('high', parent) },
        ],
      };
    case 'expression': {
      const moved: Expression = {
        kind: 'arithmetic',
        op: '+',
        left: key,
        right: literal('INTEGER', toFraction(0n)),
      };
      return equal(moved, column('id', parent));
    }
    case 'otherwise': {
      const first = literal('INTEGER', toFraction(1n));
      return equal({ kind: 'coalesce', of: key, otherwise: first }, column('id', parent));
    }
    case 'either': {
      const isFirst = equal(column('id', parent), literal('INTEGER', toFraction(1n)));
      const nobody: Condition = { kind: 'is null', of: key };
      return { kind: 'or', parts: [same, { kind: 'and', parts: [nobody, isFirst] }] };
    }
    case 'extra':
      return { kind: 'and', parts: [same, { kind: 'is not null', of: column('qty', child) }] };
  }
}
