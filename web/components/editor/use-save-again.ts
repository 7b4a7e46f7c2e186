import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, reachable } from '../../api/request.ts';
import { sessionQuery } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import type { Tab } from './workspace/tab.ts';

interface FailedSave {
  readonly saveError: Tab['saveError'];
  readonly save: () => void;
  readonly forget: () => void;
}

/**
 * Ends the notice of a failed save with its cause: saves once more when the server responds again, and forgets the error
 * when the person has signed in again.
 */
export function useSaveAgain({ saveError, save, forget }: FailedSave): void {
  const isReachable = useStore(reachable);
  const isSignedIn = Boolean(useQuery(sessionQuery).data);
  useEffect(() => {
    if (!(saveError instanceof ApiError)) return;
    if (saveError.status === 0 && isReachable) save();
    if (saveError.status === 401 && isSignedIn) forget();
  });
}
