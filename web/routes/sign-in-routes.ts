import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { toReturnPath } from '../api/return-path.ts';
import { sessionQuery } from '../api/session.ts';
import { setupQuery } from '../api/setup.ts';
import { hasSkippedPassword } from '../api/skipped-password.ts';
import { load, rootRoute } from './base-routes.ts';

interface LoginSearch {
  /** The path to open after sign-in. */
  readonly return?: string | undefined;
  /** Whether to show the password form, even if only administrators can use it. */
  readonly local?: 1 | undefined;
}

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): LoginSearch => {
    const path = toReturnPath(search.return, window.location.origin);
    // List every parameter: the router would pass unlisted ones on unchecked.
    return {
      return: path === '/' ? undefined : path,
      local: String(search.local) === '1' ? 1 : undefined,
    };
  },
  beforeLoad: async ({ context, search }) => {
    // Without the setup, the form would be visible for a moment. The page itself shows load errors.
    const setup = context.client.prefetchQuery(setupQuery);
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session !== null) throw redirect({ href: search.return ?? '/', replace: true });
    await setup;
  },
  component: lazyRouteComponent(
    load(() => import('../pages/login.tsx')),
    'LoginPage',
  ),
});

const choosePasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/choose-password',
  validateSearch: ({ return: path }: Record<string, unknown>): Pick<LoginSearch, 'return'> => ({
    return: typeof path === 'string' ? toReturnPath(path, window.location.origin) : undefined,
  }),
  beforeLoad: async ({ context, search }) => {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/login', replace: true });
    if (!session.may_choose_password || hasSkippedPassword())
      throw redirect({ href: search.return ?? '/', replace: true });
  },
  component: lazyRouteComponent(
    load(() => import('../pages/choose-password.tsx')),
    'ChoosePasswordPage',
  ),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(
    load(() => import('../pages/invitation.tsx')),
    'InvitationPage',
  ),
});

/** The pages of people who are not signed in yet, or have no password. */
export const signInRoutes = [loginRoute, choosePasswordRoute, invitationRoute];
