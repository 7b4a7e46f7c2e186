import { quoteArgument } from '../../errors/quote-argument.ts';
import { elementAt } from '../../invariants/must.ts';
import { ADD_COLUMNS, FILL_SHORT, shorten } from './explain-read-error.ts';
import { type FailedRun, refuseData } from './failed-run.ts';
import { type Fold, findFold, type OddLine } from './find-fold.ts';
import type { PreparedFile } from './prepare-inputs.ts';
import type { Shape } from './shape.ts';
import type { TableToLoad } from './table-to-load.ts';

/** Throws a FailedRun for CSV whose columns would be read as one. */
export function refuseFolds({ settings, files }: TableToLoad, shapes: readonly Shape[]): void {
  if (settings.delimiter !== undefined) return;
  for (const [at, { layout }] of shapes.entries()) {
    if (layout === undefined || layout.names.length !== 1) continue;
    const file = elementAt(files, at);
    const fold = findFold(file.head);
    if (fold !== null) throw refuseFold(file, fold);
  }
}

/** An error with the line of a file that is not like the others. */
export function refuseFold({ origin }: PreparedFile, fold: Fold): FailedRun {
  const { odd } = fold;
  const delimiter = quoteArgument(fold.delimiter === '\t' ? 'tab' : fold.delimiter);
  if (odd === null) {
    const message = `${origin}: all lines have ${fold.values} values between \`${fold.delimiter}\`, and were read as one column`;
    return refuseData(message, `--delimiter ${delimiter} splits them`);
  }
  const line = `\`${shorten(odd.text)}\``;
  if (odd.hasOpenQuote) {
    return refuseData(
      `${origin}:${odd.line}: a quote is not closed: ${line}`,
      `--quote ''${fold.isEven ? '' : ' --fill-short'} reads quotes as part of the values`,
    );
  }
  const [what, expected] = odd.line === 1 ? ['the header', fold.values] : ['this line', fold.header];
  const other =
    odd.line === 1 || fold.header === odd.values ? `most lines ${fold.values}` : `the header ${expected}`;
  const values = `${odd.values} ${odd.values === 1 ? 'value' : 'values'}`;
  return refuseData(
    `${origin}:${odd.line}: ${what} has ${values}, ${other}: ${line}`,
    hasUnnamed(odd, fold) ? ADD_COLUMNS : FILL_SHORT,
  );
}

/** Whether lines have more values than the header. */
function hasUnnamed({ line, values }: OddLine, fold: Fold): boolean {
  return line === 1 ? fold.header < fold.values : values > fold.header;
}
