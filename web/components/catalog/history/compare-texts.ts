/** A row of a side-by-side comparison; a line is null where the other text has one more. */
export interface DiffRow {
  readonly kind: 'same' | 'changed';
  readonly before: DiffLine | null;
  readonly after: DiffLine | null;
}

interface DiffLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** The maximum time of a comparison, in milliseconds. */
const TIMEOUT_MS = 2_000;

/** Compares two texts line by line; null if they are too different to compare in time. */
export async function compareTexts(before: string, after: string): Promise<readonly DiffRow[] | null> {
  const { diffLines } = await import('diff');
  const changes = diffLines(before, after, { timeout: TIMEOUT_MS });
  if (changes === undefined) return null;
  const rows: DiffRow[] = [];
  let left = 0;
  let right = 0;
  let removed: DiffLine[] = [];
  const flush = (added: readonly DiffLine[]) => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      rows.push({ kind: 'changed', before: removed[at] ?? null, after: added[at] ?? null });
    removed = [];
  };
  for (const change of changes) {
    const lines = splitLines(change.value);
    if (change.removed) {
      removed = lines.map((text) => ({ number: ++left, text }));
    } else if (change.added) {
      flush(lines.map((text) => ({ number: ++right, text })));
    } else {
      flush([]);
      for (const text of lines)
        rows.push({ kind: 'same', before: { number: ++left, text }, after: { number: ++right, text } });
    }
  }
  flush([]);
  return rows;
}

/** The same comparison with one line a row: where the texts differ, the removed lines come before the added ones. */
export function toOneColumn(rows: readonly DiffRow[]): readonly DiffRow[] {
  const one: DiffRow[] = [];
  let added: DiffRow[] = [];
  for (const row of rows) {
    if (row.kind === 'same') {
      one.push(...added, row);
      added = [];
      continue;
    }
    if (row.before !== null) one.push({ ...row, after: null });
    if (row.after !== null) added.push({ ...row, before: null });
  }
  return [...one, ...added];
}

function splitLines(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
