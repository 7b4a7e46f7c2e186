import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './request.ts';
import { endSession } from './session.ts';

/** Of requests that only read. */
const MOST_RETRIES = 2;

/** What keeps the server's answers; `onSessionEnd` is called when one of them says that nobody is signed in any more. */
export function createClient(onSessionEnd: () => void): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401 && endSession(client)) onSessionEnd();
    // The session may have become another one, in another tab.
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

/** What could not be reached, or failed on the server's side, may go well the next time. */
function isWorthRetrying(failures: number, error: Error): boolean {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !isRefusal && failures < MOST_RETRIES;
}
