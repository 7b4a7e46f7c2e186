import { toError } from '../invariants/narrow.ts';

/** How a ledger opens its store and reports lost entries. */
export interface SideLedgerOptions<Store> {
  readonly open: () => Store;
  readonly warn: (line: string) => void;
  /** The warning at the first failure; `reason` is the message of a HomeError. */
  readonly notWritten: (reason: string) => string;
  /** The warning at the recovery. */
  readonly writtenAgain: (lost: number) => string;
}

/** The store of a side database for its only writer. Its methods do not throw. */
export interface SideLedger<Store> {
  /** The result of `work`; null if it fails, and then `atStake` entries are lost. */
  use<T>(atStake: number, work: (store: Store) => T): T | null;
  close(): void;
}

/** Opens a store on first use. The first failure and the recovery are reported once. */
export function createSideLedger<Store extends { close(): void }>({
  open,
  warn,
  notWritten,
  writtenAgain,
}: SideLedgerOptions<Store>): SideLedger<Store> {
  let store: Store | undefined;
  let lost = 0;
  let isFailing = false;

  return {
    use(atStake, work) {
      let result: ReturnType<typeof work>;
      try {
        store ??= open();
        result = work(store);
      } catch (error) {
        lost += atStake;
        if (!isFailing) warn(notWritten(toError(error).message));
        isFailing = true;
        return null;
      }
      if (isFailing) warn(writtenAgain(lost));
      isFailing = false;
      lost = 0;
      return result;
    },
    close: () => store?.close(),
  };
}
