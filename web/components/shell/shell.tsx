import {
  Button,
  Drawer,
  Group,
  Modal,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineTheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { type ConsoleSession, sessionQuery } from '../../api/session.ts';
import { discardUnsaved, useHasUnsaved } from '../../api/unsaved.ts';
import { SessionContext, useSession } from '../../api/use-session.ts';
import { CollapseIcon } from '../icons.tsx';
import { notify } from '../notify.ts';
import { ShortcutList } from '../shortcuts/shortcut-list.tsx';
import { SHORTCUTS } from '../shortcuts/shortcuts.ts';
import { ABOVE_DIALOGS } from './layers.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import railClasses from './rail.module.css';
import { listSections } from './sections.tsx';
import classes from './shell.module.css';
import { TopBar } from './top-bar.tsx';
import { usePanes } from './use-panes.ts';
import { SIGN_OUT } from './use-sign-out.ts';

interface ShellProps {
  /** The content; by default the page of the route. */
  readonly children?: ReactNode;
}

/** The frame of every page of a signed-in user. */
export function Shell({ children }: ShellProps) {
  const { data: current } = useQuery(sessionQuery);
  const [shown, setShown] = useState(current ?? null);
  if (current && current !== shown && (shown === null || isSameUser(current, shown))) setShown(current);
  return shown === null ? null : (
    <SessionContext value={shown}>
      <Frame isEnded={!current || !isSameUser(current, shown)}>{children ?? <Outlet />}</Frame>
    </SessionContext>
  );
}

function isSameUser(one: ConsoleSession, other: ConsoleSession): boolean {
  return one.user.user_name === other.user.user_name;
}

function Frame({ isEnded, children }: { readonly isEnded: boolean; readonly children: ReactNode }) {
  const isLeft = useSessionEnd(isEnded);
  const { breakpoints } = useMantineTheme();
  const isWide = useMediaQuery(`(min-width: ${breakpoints.sm})`, true, { getInitialValueInEffect: false });
  const [isCollapsed, toggleCollapsed] = useCollapsed();
  const [isOpen, drawer] = useDisclosure(false);
  const [isListing, listing] = useDisclosure(false);
  usePanes();
  // With and without Shift, by the keyboard's layout; Mantine ignores it in texts and fields.
  useHotkeys(['', 'shift+'].map((shift) => [`${shift}${SHORTCUTS.help.keys}`, listing.open]));
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <TopBar onOpenRail={isWide ? null : drawer.open} />
      {isWide ? (
        <div className={classes.rail} data-collapsed={isCollapsed || undefined}>
          <RailLinks isCollapsed={isCollapsed} />
          <CollapseButton isCollapsed={isCollapsed} onToggle={toggleCollapsed} />
        </div>
      ) : (
        <Drawer opened={isOpen} onClose={drawer.close} title="Pages" size={280}>
          <RailLinks isCollapsed={false} onFollow={drawer.close} />
        </Drawer>
      )}
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <LeaveDialog />
      {isListing && <ShortcutList onClose={listing.close} />}
      {isEnded && !isLeft && <SessionEnded />}
    </div>
  );
}

interface RailLinksProps {
  /** Whether only icons are visible. */
  readonly isCollapsed: boolean;
  readonly onFollow?: () => void;
}

/** The links to the pages that the user may use. */
function RailLinks({ isCollapsed, onFollow }: RailLinksProps) {
  const { user } = useSession();
  return (
    <nav aria-label="Pages">
      <ul className={railClasses.list}>
        {listSections(user).map(({ to, params = {}, label, icon }) => (
          <li key={to}>
            <Tooltip label={label} position="right" disabled={!isCollapsed}>
              <Link to={to} params={params} className={railClasses.item} onClick={onFollow}>
                {icon}
                <Label text={label} isHidden={isCollapsed} />
              </Link>
            </Tooltip>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface CollapseButtonProps {
  readonly isCollapsed: boolean;
  readonly onToggle: () => void;
}

/** Reduces the rail to icons, or restores it. */
function CollapseButton({ isCollapsed, onToggle }: CollapseButtonProps) {
  const label = isCollapsed ? 'Expand sidebar' : 'Collapse sidebar';
  return (
    <Tooltip label={label} position="right" disabled={!isCollapsed}>
      <UnstyledButton className={railClasses.item} onClick={onToggle}>
        <CollapseIcon />
        <Label text={label} isHidden={isCollapsed} />
      </UnstyledButton>
    </Tooltip>
  );
}

function Label({ text, isHidden }: { readonly text: string; readonly isHidden: boolean }) {
  return isHidden ? (
    <VisuallyHidden>{text}</VisuallyHidden>
  ) : (
    <span className={railClasses.label}>{text}</span>
  );
}

/** Whether the rail shows only icons, as at first, and a function that changes it; this browser remembers it. */
function useCollapsed(): readonly [boolean, () => void] {
  const [isCollapsed, setCollapsed] = useLocalStorage({
    key: 'quern-sidebar-collapsed',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return [isCollapsed, () => setCollapsed(!isCollapsed)];
}

/**
 * Leaves the page when its session has ended, for example in another tab: to the sign-in page, which leads back here.
 * Unsaved input keeps the page; returns whether the page is being left.
 */
function useSessionEnd(isEnded: boolean): boolean {
  const router = useRouter();
  const { data: current } = useQuery(sessionQuery);
  const isSigningOut = useIsMutating({ mutationKey: SIGN_OUT }) > 0;
  const hasInput = useHasUnsaved();
  const isLeft = isEnded && (isSigningOut || !hasInput);
  const isReplaced = Boolean(current);
  useEffect(() => {
    if (!isLeft || isSigningOut) return;
    // The pages of another user start from nothing.
    if (isReplaced) return window.location.reload();
    notify('Your session has ended. Sign in to continue.');
    void router.invalidate();
  }, [isLeft, isSigningOut, isReplaced, router]);
  return isLeft;
}

/** Keeps the unsaved input of an ended session until the person has signed in again or discards it. */
function SessionEnded() {
  const { data: current } = useQuery(sessionQuery);
  const { user } = useSession();
  return (
    <Modal
      opened
      onClose={() => {}}
      title={current ? 'Another user has signed in' : 'Your session has ended'}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={ABOVE_DIALOGS}
    >
      <Stack>
        <Text>
          {current
            ? `This browser is now signed in as ${current.user.user_name}. This page has input of ${user.user_name} that is not saved. To keep it, sign in as ${user.user_name} again in another tab.`
            : 'This page has input that is not saved. Sign in on a new tab, then return here: your input is kept.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={discardUnsaved}>
            Discard the input
          </Button>
          {!current && (
            <Button component="a" href="/login" target="_blank" rel="noopener" data-autofocus>
              Sign in on a new tab
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
