import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { LoadFailed } from './components/load-failed.tsx';
import { PageLoading } from './components/page-loading.tsx';
import { administrationRoutes } from './routes/administration-routes.ts';
import { rootRoute, signedInRoute } from './routes/base-routes.ts';
import { catalogRoutes } from './routes/catalog-routes.ts';
import { profileRoutes } from './routes/profile-routes.ts';
import { signInRoutes } from './routes/sign-in-routes.ts';

const routes = rootRoute.addChildren([
  ...signInRoutes,
  signedInRoute.addChildren([...catalogRoutes, ...profileRoutes, ...administrationRoutes]),
]);

/** The pages and their addresses. */
export function createAppRouter(client: QueryClient) {
  return createRouter({
    routeTree: routes,
    context: { client },
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    defaultErrorComponent: LoadFailed,
    scrollRestoration: true,
    pathParamsAllowedCharacters: ['@'],
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
