import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './request.ts';
import { endSession } from './session.ts';

/** Maximum attempts of requests that only read. */
const MOST_RETRIES = 2;

/** Creates the cache of responses; calls `onSessionEnd` when a response reports that the session has ended. */
export function createClient(onSessionEnd: () => void): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401 && endSession(client)) onSessionEnd();
    // Another tab can have started another session.
    if (error.status === 403) void client.invalidateQueries({ queryKey: ['session'] });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: isWorthRetrying, retryDelay: 400, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });
  return client;
}

/** Network errors and server errors can be temporary. */
function isWorthRetrying(failures: number, error: Error): boolean {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !isRefusal && failures < MOST_RETRIES;
}
