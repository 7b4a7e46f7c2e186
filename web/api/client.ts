import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './request.ts';
import { endSession } from './session.ts';

/** Maximum retries of requests that only read. */
const MAX_RETRIES = 2;

/** Creates the cache of responses, which learns from each response whether the session has ended. */
export function createClient(): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.status === 401) endSession(client);
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
  shareSessions(client);
  return client;
}

/** Makes other tabs check the session as soon as this one has started or ended it, and the reverse. */
function shareSessions(client: QueryClient): void {
  const channel = new BroadcastChannel('session');
  channel.onmessage = () => void client.refetchQueries({ queryKey: ['session'] });
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryKey[0] !== 'session') return;
    if (event.action.type === 'success' && event.action.manual === true) channel.postMessage('changed');
  });
}

/** Repeats the queries that failed because the server could not be reached. */
export async function retryUnreachable(client: QueryClient): Promise<void> {
  await client.refetchQueries({ type: 'active', predicate: ({ state }) => isUnreachable(state.error) });
}

/** Whether the server could not be reached. */
function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Network errors and server errors can be temporary. */
function isWorthRetrying(failures: number, error: Error): boolean {
  const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !isRefusal && failures < MAX_RETRIES;
}
