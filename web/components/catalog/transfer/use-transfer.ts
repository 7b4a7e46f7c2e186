import { useEffect, useRef, useState } from 'react';
import type { Outcome, Reporter } from '../../../api/catalog/transfer.ts';

/** The state of a transfer of several items. */
export interface Transfer {
  readonly status: 'idle' | 'running' | 'ended';
  /** Null until the items are counted. */
  readonly total: number | null;
  readonly current: string;
  readonly outcomes: readonly Outcome[];
  readonly isCancelled: boolean;
  /** Why it ended before its end. */
  readonly error: Error | null;
}

const IDLE: Transfer = {
  status: 'idle',
  total: null,
  current: '',
  outcomes: [],
  isCancelled: false,
  error: null,
};

/** Runs a transfer with progress; it ends with the component. */
export function useTransfer() {
  const [transfer, setTransfer] = useState(IDLE);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const change = (fields: Partial<Transfer>) => setTransfer((before) => ({ ...before, ...fields }));
  const run = async (work: (reporter: Reporter) => Promise<unknown>) => {
    const abort = new AbortController();
    controller.current = abort;
    setTransfer({ ...IDLE, status: 'running' });
    try {
      await work({
        signal: abort.signal,
        setTotal: (total) => change({ total }),
        begin: (current) => change({ current }),
        end: (outcome) => setTransfer((before) => ({ ...before, outcomes: [...before.outcomes, outcome] })),
      });
      change({ status: 'ended' });
    } catch (error) {
      const isCancelled = abort.signal.aborted;
      const reason = error instanceof Error ? error : new Error(String(error));
      change({ status: 'ended', isCancelled, error: isCancelled ? null : reason });
    }
  };
  return { transfer, run, cancel: () => controller.current?.abort() };
}
