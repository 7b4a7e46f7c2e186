import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readCatalogSearch } from './api/catalog/catalog-search.ts';
import { request } from './api/request.ts';
import { toReturnPath } from './api/return-path.ts';
import { sessionQuery } from './api/session.ts';
import { setupQuery } from './api/setup.ts';
import { hasSkippedPassword } from './api/skipped-password.ts';
import { LoadFailed } from './components/load-failed.tsx';
import { PageLoading } from './components/page-loading.tsx';
import { Root } from './components/shell/root.tsx';
import { NotFoundPage } from './pages/not-found.tsx';

interface Context {
  readonly client: QueryClient;
}

const rootRoute = createRootRouteWithContext<Context>()({ component: Root, notFoundComponent: NotFoundPage });

/**
 * Loads a part of the console. If that fails, the cause is either an unreachable server, which the page reports, or a
 * newer version of the console, for which the router loads the page again.
 */
function load<Module>(part: () => Promise<Module>): () => Promise<Module> {
  return () =>
    part().catch(async (error: unknown) => {
      await request('setup');
      throw error;
    });
}

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
    load(() => import('./pages/login.tsx')),
    'LoginPage',
  ),
});

/** The parent of all routes that require a session. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session !== null) return;
    const path = toReturnPath(location.href, window.location.origin);
    throw redirect({ to: '/login', search: path === '/' ? {} : { return: path }, replace: true });
  },
  component: lazyRouteComponent(
    load(() => import('./components/shell/shell.tsx')),
    'Shell',
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
    load(() => import('./pages/choose-password.tsx')),
    'ChoosePasswordPage',
  ),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(
    load(() => import('./pages/invitation.tsx')),
    'InvitationPage',
  ),
});

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  component: lazyRouteComponent(
    load(() => import('./pages/profile.tsx')),
    'ProfilePage',
  ),
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/catalog/$', params: { _splat: '' }, search: {}, replace: true });
  },
});

/** The catalog: the namespaces, or an item by its path. */
const catalogRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/catalog/$',
  validateSearch: readCatalogSearch,
  component: lazyRouteComponent(
    load(() => import('./pages/catalog/catalog-page.tsx')),
    'CatalogPage',
  ),
});

/** The search parameters of pages that show the rows of a run. */
interface RowsSearch {
  /** Shows rows as a chart, if they can be drawn. */
  readonly show?: 'chart' | undefined;
}

const readShow = (show: unknown) => (show === 'chart' ? show : undefined);

interface SqlSearch extends RowsSearch {
  /** The line of the text to show, from 1. */
  readonly line?: number | undefined;
  /** A run to show below the text. */
  readonly run?: string | undefined;
}

/** The editor: a query of this browser, or a script by its path. */
const sqlRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sql/$',
  validateSearch: (search: Record<string, unknown>): SqlSearch => ({
    line: readCatalogSearch(search).line,
    run: typeof search.run === 'string' && /^[\da-f-]{36}$/.test(search.run) ? search.run : undefined,
    show: readShow(search.show),
  }),
  component: lazyRouteComponent(
    load(() => import('./pages/sql/sql-page.tsx')),
    'SqlPage',
  ),
});

interface RunSearch extends RowsSearch {
  /** The shown tab: the index of a statement, or another part of the run. */
  readonly tab?: number | 'tests' | 'messages' | undefined;
}

/** A run and its results. */
const runRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/runs/$id',
  validateSearch: ({ tab, show }: Record<string, unknown>): RunSearch => ({
    show: readShow(show),
    tab: tab === 'tests' || tab === 'messages' ? tab : toIndex(tab),
  }),
  component: lazyRouteComponent(
    load(() => import('./pages/runs/run-page.tsx')),
    'RunPage',
  ),
});

function toIndex(value: unknown): number | undefined {
  const index = Number(value ?? Number.NaN);
  return Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}

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
    load(() => import('./pages/tokens.tsx')),
    'TokensPage',
  ),
});

const routes = rootRoute.addChildren([
  loginRoute,
  choosePasswordRoute,
  invitationRoute,
  signedInRoute.addChildren([homeRoute, catalogRoute, sqlRoute, runRoute, profileRoute, tokensRoute]),
]);

/** The pages and their addresses. */
export function createAppRouter(client: QueryClient) {
  return createRouter({
    routeTree: routes,
    context: { client },
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
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
