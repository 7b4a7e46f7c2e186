import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { load, signedInRoute } from './base-routes.ts';

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  component: lazyRouteComponent(
    load(() => import('../pages/profile.tsx')),
    'ProfilePage',
  ),
});

interface TokensSearch {
  /** Whether the dialog that creates a token is open. */
  readonly create?: 1 | undefined;
}

const tokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile/tokens',
  validateSearch: ({ create }: Record<string, unknown>): TokensSearch => ({
    create: String(create) === '1' ? 1 : undefined,
  }),
  component: lazyRouteComponent(
    load(() => import('../pages/tokens.tsx')),
    'TokensPage',
  ),
});

/** The pages of the user's own account. */
export const profileRoutes = [profileRoute, tokensRoute];
