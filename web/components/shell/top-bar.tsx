import {
  ActionIcon,
  Avatar,
  Box,
  type MantineColorScheme,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { SessionUser } from '../../api/session.ts';
import { useSession } from '../../api/use-session.ts';
import { Brand } from '../brand.tsx';
import { BookIcon, ChevronIcon, KeyIcon, MenuIcon, SignOutIcon, UserIcon } from '../icons.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { LiveRuns } from './live-runs.tsx';
import classes from './shell.module.css';
import { useSignOut } from './use-sign-out.ts';

interface TopBarProps {
  /** Opens the rail as a drawer; null where the rail is visible. */
  readonly onOpenRail: (() => void) | null;
}

/** The bar at the top of every page of a signed-in user. */
export function TopBar({ onOpenRail }: TopBarProps) {
  const { user } = useSession();
  return (
    <header className={classes.bar}>
      {onOpenRail !== null && (
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open sidebar" onClick={onOpenRail}>
          <MenuIcon />
        </ActionIcon>
      )}
      <Link to="/" className={classes.home} aria-label="Quern, start page">
        <Brand />
      </Link>
      <div className={classes.space} />
      <PaletteButton />
      <div className={`${classes.space} ${classes.trailing}`} />
      <LiveRuns />
      <ProfileMenu user={user} />
    </header>
  );
}

const SCHEMES: readonly { readonly value: MantineColorScheme; readonly label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** The signed-in user, with the links of their profile (docs/reference/sessions.md#the-users-own-account). */
function ProfileMenu({ user }: { readonly user: SessionUser }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();
  const appearance = useId();
  const name = user.display_name || user.user_name;
  return (
    <Menu position="bottom-end" width={260} shadow="md" withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.profile}>
          <Avatar size={32} name={name} variant="filled" color="grain" alt="" aria-hidden />
          <Text component="span" size="sm" fw={550} truncate visibleFrom="sm">
            {name}
          </Text>
          <VisuallyHidden>{` Profile menu of ${user.user_name}`}</VisuallyHidden>
          <ChevronIcon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text component="span" display="block" size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {user.user_name}
          </Text>
          {user.email !== null && user.email !== user.user_name && (
            <Text component="span" display="block" size="xs" truncate>
              {user.email}
            </Text>
          )}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile" leftSection={<UserIcon />}>
          Profile
        </Menu.Item>
        <Menu.Item component={Link} to="/profile/tokens" leftSection={<KeyIcon />}>
          API keys
        </Menu.Item>
        <Menu.Item component="a" href="/docs" leftSection={<BookIcon />}>
          Documentation
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label id={appearance}>Appearance</Menu.Label>
        <Box role="group" aria-labelledby={appearance}>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => setColorScheme(value as MantineColorScheme)}
          >
            {SCHEMES.map(({ value, label }) => (
              <Menu.RadioItem key={value} value={value}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Box>
        <Menu.Divider />
        <Menu.Item leftSection={<SignOutIcon />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
