import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readBinSearch } from '../api/catalog/catalog-bin.ts';
import { readCatalogSearch, readRunId } from '../api/catalog/catalog-search.ts';
import { type ChartSearch, readChartSearch } from '../components/chart/chart-search.ts';
import { readSideSearch, type SideSearch, toIndex } from '../components/results/side/side-search.ts';
import { load, signedInRoute } from './base-routes.ts';

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
    load(() => import('../pages/catalog/catalog-page.tsx')),
    'CatalogPage',
  ),
});

/** The bin: the deleted items of the catalog. */
const binRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/catalog/bin',
  validateSearch: readBinSearch,
  component: lazyRouteComponent(
    load(() => import('../pages/catalog/bin-page.tsx')),
    'BinPage',
  ),
});

/** The search parameters of pages that show the rows of a run. */
interface RowsSearch extends SideSearch {
  /** Shows rows as a chart, if they can be drawn. */
  readonly show?: 'chart' | undefined;
  readonly chart?: ChartSearch | undefined;
}

const readRowsSearch = (search: Record<string, unknown>): RowsSearch => ({
  show: search.show === 'chart' ? search.show : undefined,
  chart: readChartSearch(search.chart),
  ...readSideSearch(search),
});

interface SqlSearch extends RowsSearch {
  /** The line of the text to show, from 1. */
  readonly line?: number | undefined;
  /** A run to show below the text. */
  readonly run?: string | undefined;
  /** Opens the text that was closed last. */
  readonly reopen?: 1 | undefined;
}

/** The editor: a query of this browser, or a script by its path. */
const sqlRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sql/$',
  validateSearch: (search: Record<string, unknown>): SqlSearch => ({
    line: readCatalogSearch(search).line,
    run: readRunId(search.run),
    reopen: search.reopen === 1 ? 1 : undefined,
    ...readRowsSearch(search),
  }),
  component: lazyRouteComponent(
    load(() => import('../pages/sql/sql-page.tsx')),
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
  validateSearch: ({ tab, ...search }: Record<string, unknown>): RunSearch => ({
    ...readRowsSearch(search),
    tab: tab === 'tests' || tab === 'messages' ? tab : toIndex(tab),
  }),
  component: lazyRouteComponent(
    load(() => import('../pages/runs/run-page.tsx')),
    'RunPage',
  ),
});

/** The pages of the catalog, of the editor and of runs. */
export const catalogRoutes = [homeRoute, catalogRoute, binRoute, sqlRoute, runRoute];
