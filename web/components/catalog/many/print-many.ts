import type { Outcome } from '../../../api/catalog/transfer.ts';
import { printCount, printCounted } from '../view/print-size.ts';

/** What became of several items: “9,998 items moved, 2 not: @Shared/a: Name already exists.” */
export function printMany(verb: string, outcomes: readonly Outcome[], total: number): string {
  const done = outcomes.filter(({ status }) => status === 'done').length;
  const text = `${printCounted(done, 'item')} ${verb}`;
  if (done === total) return text;
  const first = outcomes.find(({ status }) => status !== 'done');
  const reason = first === undefined ? 'cancelled' : `${first.name}: ${first.message ?? 'skipped'}`;
  return `${text}, ${printCount(total - done)} not: ${reason}`;
}
