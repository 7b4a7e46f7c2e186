import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { request } from '../api/request.ts';
import { toReturnPath } from '../api/return-path.ts';
import { sessionQuery } from '../api/session.ts';
import { Root } from '../components/shell/root.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';

interface Context {
  readonly client: QueryClient;
}

/** The parent of all routes. */
export const rootRoute = createRootRouteWithContext<Context>()({
  component: Root,
  notFoundComponent: NotFoundPage,
});

/**
 * Loads a part of the console. If that fails, the cause is either an unreachable server, which the page reports, or a
 * newer version of the console, for which the router loads the page again.
 */
export function load<Module>(part: () => Promise<Module>): () => Promise<Module> {
  return () =>
    part().catch(async (error: unknown) => {
      await request('setup');
      throw error;
    });
}

/** The parent of all routes that require a session. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session !== null) return;
    const path = toReturnPath(location.href, window.location.origin);
    throw redirect({ to: '/login', search: path === '/' ? {} : { return: path }, replace: true });
  },
  component: lazyRouteComponent(
    load(() => import('../components/shell/shell.tsx')),
    'Shell',
  ),
});
