import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readKeysSearch } from '../api/administration/keys-search.ts';
import { load, signedInRoute } from './base-routes.ts';

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  component: lazyRouteComponent(
    load(() => import('../pages/profile.tsx')),
    'ProfilePage',
  ),
});

const tokensRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile/tokens',
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/tokens.tsx')),
    'TokensPage',
  ),
});

/** The pages of the user's own account. */
export const profileRoutes = [profileRoute, tokensRoute];
