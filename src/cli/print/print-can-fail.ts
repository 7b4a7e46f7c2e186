import {
  type DamageKind,
  type DamageName,
  listUnnoticed,
  type TriedTest,
  type UntriedDamage,
} from '../../engine/run/outcome/can-fail-report.ts';
import type { ExecutionOutcome } from '../../execution/contract/outcome.ts';
import { printCount } from '../../invariants/print-count.ts';
import type { CliContext } from '../context/context.ts';
import { printQuantity } from '../context/print-quantity.ts';
import { coloursOf } from '../terminal/colours.ts';

const DAMAGES: Readonly<Record<DamageKind, string>> = {
  no_rows: 'no rows',
  row_less: 'one row less',
  row_twice: 'one row twice',
  null: 'NULL',
  plus_one: 'plus one',
  sign: 'sign',
  ending: 'ending',
  day: 'day',
  unknown_value: 'unknown value',
  exchanged: 'exchanged',
};

/** Columns that were not tried of one block, up to which each of them has a line. */
const MAX_LISTED = 5;

/** Prints which tests cannot fail, and what no test notices (docs/reference/can-fail.md#report). */
export async function printTriedTests(context: CliContext, tests: readonly TriedTest[]): Promise<void> {
  const { stdout } = context;
  const { red, yellow } = coloursOf({ env: context.env, stderr: stdout });
  for (const test of tests.filter(({ status }) => status === 'CANNOT_FAIL')) {
    const count = printQuantity(test.tried.length, 'damage');
    await stdout.write(
      `${red('CANNOT FAIL')} ${printName(test)}: passes with each of ${count}\n  ${test.file}:${test.line}:${test.column}\n`,
    );
  }
  for (const test of tests.filter(({ status }) => status === 'NOT_TRIED')) {
    await stdout.write(`${yellow('not tried')} ${printName(test)}: ${test.message}\n`);
  }
  await stdout.write([...printUnnoticed(tests), ...printUntried(tests), printCanFailCounts(tests)].join(''));
}

/** The report as JSON (docs/reference/can-fail.md#report). */
export function printCanFailDocument(tests: readonly TriedTest[], stats: ExecutionOutcome['stats']): string {
  const entries = tests.map(({ file: _, line: __, column: ___, tried, ...entry }) => ({
    ...entry,
    tried: tried.length,
  }));
  const blocks = listUnnoticed(tests).map(({ block, columns }) => ({
    block,
    unnoticed: columns.map(({ column, damages }) => ({ column, damages })),
  }));
  return `${JSON.stringify({ tests: entries, blocks, stats: { ...countTried(tests), ...stats } }, null, 2)}\n`;
}

function countTried(tests: readonly TriedTest[]) {
  const count = (wanted: TriedTest['status']) => tests.filter(({ status }) => status === wanted).length;
  return {
    tests: tests.length,
    can_fail: count('CAN_FAIL'),
    cannot_fail: count('CANNOT_FAIL'),
    not_tried: count('NOT_TRIED'),
  };
}

function printCanFailCounts(tests: readonly TriedTest[]): string {
  const { can_fail, cannot_fail, not_tried } = countTried(tests);
  return `${printQuantity(tests.length, 'test')}: ${can_fail} can fail, ${cannot_fail} cannot fail, ${not_tried} not tried\n`;
}

function printUnnoticed(tests: readonly TriedTest[]): readonly string[] {
  const blocks = listUnnoticed(tests);
  if (blocks.length === 0) return [];
  const lines = blocks.flatMap(({ block, columns }) => [
    `  ${block}\n`,
    ...columns.map(({ column, damages, all }) => {
      const isWhole = all && column !== null;
      return `    ${column ?? 'rows'}: ${isWhole ? 'all damages' : damages.map((kind) => DAMAGES[kind]).join(', ')}\n`;
    }),
  ]);
  return ['no test notices:\n', ...lines];
}

/** The damages that each test did not try in its time, and those that no copy can have. */
function printUntried(tests: readonly TriedTest[]): readonly string[] {
  const select = ({ not_tried }: TriedTest, wanted: UntriedDamage['reason']) =>
    not_tried.filter(({ reason }) => reason === wanted);
  const late = tests.flatMap((test) =>
    printList(`${printName(test)} did not try in its time (--can-fail-timeout)`, select(test, 'time')),
  );
  const refused = tests.flatMap((test) => select(test, 'refused'));
  const distinct = new Map(refused.map((name) => [JSON.stringify(name), name]));
  return [...late, ...printList('not tried, because the column cannot hold it', [...distinct.values()])];
}

function printList(title: string, names: readonly DamageName[]): readonly string[] {
  if (names.length === 0) return [];
  const lines = [...Map.groupBy(names, ({ block }) => block)].flatMap(([block, all]) => {
    const columns = [...Map.groupBy(all, ({ column }) => column)].map(([column, damages]) => {
      return `    ${column ?? 'rows'}: ${damages.map(({ damage }) => DAMAGES[damage]).join(', ')}\n`;
    });
    const rest = columns.slice(MAX_LISTED).length;
    const more = rest === 0 ? [] : [`    … and ${printCount(rest)} more (--json lists them)\n`];
    return [`  ${block}\n`, ...columns.slice(0, MAX_LISTED), ...more];
  });
  return [`${title}:\n`, ...lines];
}

function printName({ package_name, test_name }: TriedTest): string {
  return `${package_name}.${test_name}`;
}
