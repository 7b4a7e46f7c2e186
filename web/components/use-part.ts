import { useCallback, useEffect, useState } from 'react';

/** A part of a page that is loaded when it is first needed. */
interface PartState<Value> {
  /** Null until it is loaded. */
  readonly part: Value | null;
  /** Why it could not be loaded; null without an error. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Loads a part of a page; `load` must stay the same. What the page shows meanwhile stays. */
export function usePart<Value extends object>(load: () => Promise<Value>): PartState<Value> {
  const [part, setPart] = useState<Value | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const start = useCallback(() => {
    setError(null);
    load().then(
      (loaded) => setPart(loaded),
      () => setError(new Error('A part of the page could not be loaded.')),
    );
  }, [load]);
  useEffect(start, [start]);
  return { part, error, retry: start };
}
