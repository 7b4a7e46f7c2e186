import type { Execution, ExecutionRegistry } from '../execution/registry.ts';
import { toPrincipal } from '../identity/users.ts';
import type { Services } from './services.ts';

/** How often is looked, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/**
 * Cancels what runs for users who may not have it run any more: they are disabled or gone, their token is deleted, or
 * they may not use the connection (identity 2). It looks now and then, since another process may have changed that. The
 * returned function ends it.
 */
export function watchRights(
  registry: ExecutionRegistry,
  services: Pick<Services, 'users' | 'accounts' | 'connections'>,
): () => void {
  const timer = setInterval(() => {
    registry.cancelWhere((execution) => !mayGoOn(execution, services));
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

function mayGoOn(
  { owner, token, connection }: Execution,
  { users, accounts, connections }: Pick<Services, 'users' | 'accounts' | 'connections'>,
): boolean {
  try {
    const user = users.findById(owner);
    if (user?.active !== true) return false;
    const principal = toPrincipal(user);
    const hasToken = token === null || accounts.tokens.list(principal).some(({ id }) => id === token);
    return hasToken && connections.list(principal).some(({ name }) => name === connection);
  } catch {
    // The home cannot be read now; the next look tells.
    return true;
  }
}
