import {
  Avatar,
  type MantineColorScheme,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { forgetAnswers, type SessionUser, signOut } from '../api/session.ts';
import { ChevronIcon, KeyIcon, SignOutIcon } from './icons.tsx';
import classes from './shell.module.css';

const SCHEMES: readonly { readonly value: MantineColorScheme; readonly label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** The signed-in user, with the links of their profile (interface 2.11). */
export function ProfileMenu({ user }: { readonly user: SessionUser }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();
  const name = user.display_name || user.user_name;
  return (
    <Menu position="bottom-end" width={260} shadow="md" withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.profile} aria-label={`${name}, profile menu of ${user.user_name}`}>
          <Avatar size={32} name={name} variant="filled" color="grain" alt="" aria-hidden />
          <Text size="sm" fw={550} truncate visibleFrom="xs">
            {name}
          </Text>
          <ChevronIcon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {user.user_name}
          </Text>
          {user.email !== null && user.email !== user.user_name && (
            <Text size="xs" truncate>
              {user.email}
            </Text>
          )}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile/tokens" leftSection={<KeyIcon />}>
          API keys
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
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
        <Menu.Divider />
        <Menu.Item leftSection={<SignOutIcon />} onClick={() => leave.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useSignOut() {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: () => signOut(client),
    onSuccess: async (isSent) => {
      // The browser is about to leave this page.
      if (!isSent) await router.navigate({ to: '/login', search: {} });
      forgetAnswers(client);
    },
  });
}
