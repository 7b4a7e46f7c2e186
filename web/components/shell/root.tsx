import { Button, CloseButton, Paper, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { retryUnreachable } from '../../api/client.ts';
import { reachable, request } from '../../api/request.ts';
import { sessionQuery } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { CheckIcon, WarningIcon } from '../icons.tsx';
import { dismiss, type Toast, useToasts } from '../notify.ts';
import classes from './server-banner.module.css';
import toastClasses from './toasts.module.css';

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

/** The time between two attempts to reach the server. */
const RETRY_MS = 2_000;
const TIMEOUT_MS = 10_000;

/** Says that the server cannot be reached, until it responds again; then repeats what failed. */
function ServerBanner() {
  const isReachable = useStore(reachable);
  usePings(isReachable);
  useRetries();
  return (
    <div role="status" className={classes.place}>
      {!isReachable && (
        <div className={classes.banner}>
          <WarningIcon />
          <span>The server cannot be reached. This page connects again as soon as it responds.</span>
          <Button size="compact-sm" variant="default" onClick={() => void ping()}>
            Try now
          </Button>
        </div>
      )}
    </div>
  );
}

/** Sends a request that is public and small; its response reports that the server is reachable again. */
async function ping(): Promise<void> {
  await request('setup', { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
}

/** Sends one request after the other while the server is unreachable. */
function usePings(isReachable: boolean): void {
  useEffect(() => {
    if (isReachable) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const repeat = () => {
      if (!isOver) timer = setTimeout(() => void ping().then(repeat), RETRY_MS);
    };
    repeat();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isReachable]);
}

/** Repeats what failed as soon as the server is reachable again: queries, and the load of a page. */
function useRetries(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    return reachable.subscribe(() => {
      if (!reachable.get()) return;
      void retryUnreachable(client);
      if (router.state.matches.some(({ status }) => status === 'error')) void router.invalidate();
    });
  }, [client, router]);
}

const VISIBLE_MS = 6_000;

/** The messages about what is done. The live region exists from the start, so that screen readers observe it. */
function Toasts() {
  const toasts = useToasts();
  return (
    <section className={toastClasses.region} aria-label="Notifications" aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** Disappears by itself, but not while the pointer or the focus is on it. */
function ToastCard({ toast }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(toast.id), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [toast.id, isHeld]);
  return (
    <Paper
      className={toastClasses.toast}
      shadow="md"
      radius="md"
      withBorder
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toast.kind !== 'note' && (
        <span className={toastClasses.mark} data-failure={toast.kind === 'failure' || undefined}>
          {toast.kind === 'failure' ? <WarningIcon /> : <CheckIcon />}
        </span>
      )}
      <Text size="sm" className={toastClasses.text}>
        {toast.text}
      </Text>
      {toast.action !== undefined && <ActionButton id={toast.id} action={toast.action} />}
      <CloseButton size="sm" aria-label="Dismiss the notification" onClick={() => dismiss(toast.id)} />
    </Paper>
  );
}

interface ActionButtonProps {
  readonly id: number;
  readonly action: NonNullable<Toast['action']>;
}

/** The button of a message, which closes the message. */
function ActionButton({ id, action: { label, run } }: ActionButtonProps) {
  const act = () => {
    dismiss(id);
    run();
  };
  return (
    <Button size="compact-sm" variant="default" onClick={act}>
      {label}
    </Button>
  );
}
