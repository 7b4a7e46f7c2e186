import type { CliContext } from '../context/context.ts';
import { printAligned } from '../terminal/print-aligned.ts';

/** Prints an ISO 8601 time: short, and local unless `--utc` is given. */
type PrintTime = (time: string) => string;

/** A column of a listing. */
export interface ListingColumn<Item> {
  readonly header: string;
  /** The cell on a terminal. */
  readonly read: (item: Item, printTime: PrintTime) => string;
  /** The cell of piped output, which scripts parse, where it differs. */
  readonly piped?: (item: Item) => string;
}

/** The options of a listing. */
interface ListingOptions {
  readonly json: boolean;
  readonly utc?: boolean;
}

/**
 * Prints items as JSON (`{"data":[…]}`) or as aligned columns: with a header and short times on a terminal, and otherwise
 * without a header and with times in ISO 8601.
 */
export async function printListing<Item>(
  context: CliContext,
  items: readonly Item[],
  columns: readonly ListingColumn<Item>[],
  { json, utc = false }: ListingOptions,
): Promise<void> {
  const { stdout } = context;
  if (json) return stdout.write(`${JSON.stringify({ data: items })}\n`);
  const { isTerminal } = stdout;
  const printTime = printTimeFor(context, utc);
  const rows = items.map((item) =>
    columns.map(({ read, piped }) =>
      isTerminal || piped === undefined ? read(item, printTime) : piped(item),
    ),
  );
  const hasHeader = isTerminal && rows.length > 0;
  await stdout.write(printAligned(hasHeader ? [columns.map(({ header }) => header), ...rows] : rows));
}

/** How a command prints times on its output: short on a terminal, else in ISO 8601. */
export function printTimeFor({ stdout }: CliContext, utc: boolean): PrintTime {
  return stdout.isTerminal ? (time) => printShortTime(time, utc) : (time) => time;
}

/** `2027-01-31 08:00` in local time, or `2027-01-31 08:00Z`. */
function printShortTime(time: string, utc: boolean): string {
  const at = new Date(time);
  if (utc) return `${at.toISOString().slice(0, 16).replace('T', ' ')}Z`;
  const pad = (part: number) => String(part).padStart(2, '0');
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(pad).join('-');
  return `${day} ${pad(at.getHours())}:${pad(at.getMinutes())}`;
}
