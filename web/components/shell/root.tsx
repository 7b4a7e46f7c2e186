import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { ServerBanner } from './server-banner.tsx';
import { Toasts } from './toasts.tsx';

/** What surrounds every page, also the sign-in page. */
export function Root() {
  useFocusAfterNavigation();
  useOtherSignIn();
  usePreload();
  return (
    <>
      <Outlet />
      <ServerBanner />
      <Toasts />
    </>
  );
}

/**
 * Moves the focus to the heading of each page that is opened, so that screen readers announce it and the tab key
 * continues there. A field that the page itself has focused, and a tree in which one moves from page to page, keep it.
 */
function useFocusAfterNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    return router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
      if (!pathChanged || fromLocation === undefined) return;
      const main = document.querySelector('main');
      if (main === null || main.contains(document.activeElement)) return;
      const heading = main.querySelector('h1') ?? main;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [router]);
}

/** Leaves the sign-in page when the person has signed in in another tab. */
function useOtherSignIn(): void {
  const router = useRouter();
  const { data: session } = useQuery(sessionQuery);
  const isSignedIn = Boolean(session);
  useEffect(() => {
    if (isSignedIn && router.latestLocation.pathname === '/login') void router.invalidate();
  }, [isSignedIn, router]);
}

/** The parts of the start page, which the sign-in page loads while the person types. */
const PRELOADED = ['/signed-in', '/signed-in/catalog/$'] as const;
/** For browsers without `requestIdleCallback`. */
const IDLE_MS = 300;

/** Loads the start page as soon as the browser is idle. A failure does not matter: the page is loaded again when needed. */
function usePreload(): void {
  const router = useRouter();
  useEffect(() => {
    const preload = () => {
      for (const id of PRELOADED) router.loadRouteChunk(router.routesById[id])?.catch(() => undefined);
    };
    if (typeof requestIdleCallback === 'function') {
      const idle = requestIdleCallback(preload);
      return () => cancelIdleCallback(idle);
    }
    const timer = setTimeout(preload, IDLE_MS);
    return () => clearTimeout(timer);
  }, [router]);
}
