import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { retryUnreachable } from '../../api/client.ts';
import { reachable, request } from '../../api/request.ts';
import { useStore } from '../../api/store.ts';
import { WarningIcon } from '../icons.tsx';
import classes from './server-banner.module.css';

/** The time between two attempts to reach the server. */
const RETRY_MS = 2_000;
const TIMEOUT_MS = 10_000;

/** Says that the server cannot be reached, until it responds again; then repeats what failed. */
export function ServerBanner() {
  const isReachable = useStore(reachable);
  usePings(isReachable);
  useRetries();
  return (
    <div role="status" className={classes.place}>
      {!isReachable && (
        <div className={classes.banner}>
          <WarningIcon />
          <span>The server cannot be reached. This page connects again as soon as it responds.</span>
          <Button size="compact-sm" variant="default" onClick={() => void ping()}>
            Try now
          </Button>
        </div>
      )}
    </div>
  );
}

/** Sends a request that is public and small; its response reports that the server is reachable again. */
async function ping(): Promise<void> {
  await request('setup', { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
}

/** Sends one request after the other while the server is unreachable. */
function usePings(isReachable: boolean): void {
  useEffect(() => {
    if (isReachable) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const repeat = () => {
      if (!isOver) timer = setTimeout(() => void ping().then(repeat), RETRY_MS);
    };
    repeat();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isReachable]);
}

/** Repeats what failed as soon as the server is reachable again: queries, and the load of a page. */
function useRetries(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    return reachable.subscribe(() => {
      if (!reachable.get()) return;
      void retryUnreachable(client);
      if (router.state.matches.some(({ status }) => status === 'error')) void router.invalidate();
    });
  }, [client, router]);
}
