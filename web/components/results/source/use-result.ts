import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../../api/request.ts';
import { useStore } from '../../../api/store.ts';
import { createResultLoader, type LoadedResult } from './result-loader.ts';

/** The rows of a result of a run; they are loaded while the component is shown. */
export function useResult(run: string, index: number): LoadedResult {
  const loader = useMemo(() => createResultLoader(run, index), [run, index]);
  const loaded = useStore(loader);
  const client = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads on
  useEffect(() => {
    const stop = new AbortController();
    void loader.load(stop.signal);
    return () => stop.abort();
  }, [loader, attempt]);
  const { error } = loaded;
  useEffect(() => {
    const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403);
    // The shell leads to the sign-in page if the session has ended.
    if (isRefused) void client.invalidateQueries({ queryKey: ['session'] });
  }, [error, client]);
  return { ...loaded, retry: () => setAttempt((before) => before + 1) };
}
