import type { TestResult } from './test-report.ts';

/** The limits of each test that is tried. */
export interface CanFailLimits {
  /** The maximum of rows that are copied of each block. */
  readonly maxRows: number;
  readonly timeoutMs: number;
}

/** The kinds of damages of the rows of a block, in the order in which they are tried (docs/reference/can-fail.md#damages). */
export type DamageKind =
  | 'no_rows'
  | 'row_less'
  | 'row_twice'
  | 'null'
  | 'plus_one'
  | 'sign'
  | 'ending'
  | 'day'
  | 'unknown_value'
  | 'exchanged';

/** One damage of the rows of a block; `column` is null for one of whole rows. */
export interface DamageName {
  readonly block: string;
  readonly column: string | null;
  readonly damage: DamageKind;
}

/** A damage that a test noticed, in one row (in two for an exchange) or only in every row. */
export interface NoticedDamage extends DamageName {
  readonly rows: 'one' | 'all';
}

/** A damage that was not tried: because of the time limit, or because the column cannot hold it. */
export interface UntriedDamage extends DamageName {
  readonly reason: 'time' | 'refused';
}

/** Whether a test can fail, as far as damaged copies of rows show it (docs/reference/can-fail.md). */
export interface TriedTest
  extends Pick<TestResult, 'package_name' | 'test_name' | 'file' | 'line' | 'column'> {
  readonly status: 'CAN_FAIL' | 'CANNOT_FAIL' | 'NOT_TRIED';
  /** Why it was not tried; null if it was. */
  readonly message: string | null;
  readonly tried: readonly DamageName[];
  readonly noticed: readonly NoticedDamage[];
  readonly not_tried: readonly UntriedDamage[];
}

/** The columns of a block with the damages that some test tried, and no test noticed. */
export interface UnnoticedDamages {
  readonly block: string;
  readonly columns: readonly {
    readonly column: string | null;
    readonly damages: readonly DamageKind[];
    /** Whether no test noticed any damage of the column. */
    readonly all: boolean;
  }[];
}

/**
 * The damages that no test noticed, by block and column, in the order in which they were tried. A damage that one of the
 * tests of its block could not try in its time is left out.
 */
export function listUnnoticed(tests: readonly TriedTest[]): readonly UnnoticedDamages[] {
  const noticed = new Set(tests.flatMap((test) => test.noticed).map(toKey));
  const late = tests.flatMap((test) => test.not_tried).filter(({ reason }) => reason === 'time');
  const unknown = new Set(late.map(toKey));
  const tried = new Map(tests.flatMap((test) => test.tried).map((name) => [toKey(name), name]));
  const blocks = Map.groupBy(tried.values(), ({ block }) => block);
  return [...blocks].flatMap(([block, names]) => {
    const columns = [...Map.groupBy(names, ({ column }) => column)].flatMap(([column, all]) => {
      const left = all.filter((name) => !noticed.has(toKey(name)) && !unknown.has(toKey(name)));
      const damages = left.map(({ damage }) => damage);
      return left.length === 0 ? [] : [{ column, damages, all: left.length === all.length }];
    });
    return columns.length === 0 ? [] : [{ block, columns }];
  });
}

function toKey({ block, column, damage }: DamageName): string {
  return JSON.stringify([block, column, damage]);
}
