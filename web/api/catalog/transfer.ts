import { ApiError } from '../request.ts';
import { type Entry, isFolder, listChildren } from './catalog.ts';

/** What became of one item of a transfer. */
export interface Outcome {
  /** The path of the item, or of the file. */
  readonly name: string;
  readonly status: 'done' | 'skipped' | 'failed';
  /** Why it was skipped, or failed. */
  readonly message?: string;
}

/** How a transfer of several items reports its progress. */
export interface Reporter {
  /** Aborted when the person cancels. */
  readonly signal: AbortSignal;
  readonly setTotal: (total: number) => void;
  /** Names the item that is transferred now. */
  readonly begin: (name: string) => void;
  readonly end: (outcome: Outcome) => void;
}

/** An item below a folder, with the names from this folder down to it. */
export interface Descendant {
  readonly entry: Entry;
  readonly names: readonly string[];
}

/** The maximum of items in one transfer. */
const MAX_ITEMS = 10_000;

/** Lists everything below a folder, each folder before its contents. Rejects if there are more than 10,000 items. */
export async function listBelow(path: string, signal: AbortSignal): Promise<readonly Descendant[]> {
  const descendants: Descendant[] = [];
  const folders: { readonly path: string; readonly names: readonly string[] }[] = [{ path, names: [] }];
  for (const folder of folders) {
    for (const entry of await listChildren(folder.path, signal)) {
      const names = [...folder.names, entry.name];
      descendants.push({ entry, names });
      if (isFolder(entry.type)) folders.push({ path: entry.path, names });
    }
    if (descendants.length > MAX_ITEMS)
      throw new Error('The folder has more than 10,000 items. Take its folders one by one.');
  }
  return descendants;
}

/** Reports the outcome of one step. Rejects only when the transfer must end. */
export async function report(
  name: string,
  { signal, begin, end }: Reporter,
  step: () => Promise<string | undefined>,
): Promise<void> {
  begin(name);
  try {
    const skipped = await step();
    end(skipped === undefined ? { name, status: 'done' } : { name, status: 'skipped', message: skipped });
  } catch (error) {
    if (signal.aborted || (error instanceof ApiError && [0, 401].includes(error.status))) throw error;
    end({ name, status: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}
