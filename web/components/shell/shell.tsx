import { Drawer, useMantineTheme } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type ConsoleSession, sessionQuery } from '../../api/session.ts';
import { SessionContext } from '../../api/use-session.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { CollapseButton, RailLinks, useCollapsed } from './rail.tsx';
import { SessionEnded, useSessionEnd } from './session-ended.tsx';
import classes from './shell.module.css';
import { TopBar } from './top-bar.tsx';

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
      {isEnded && !isLeft && <SessionEnded />}
    </div>
  );
}
