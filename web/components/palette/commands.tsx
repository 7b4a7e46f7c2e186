import { useMantineColorScheme } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SessionUser } from '../../api/session.ts';
import { KeyIcon, MoonIcon, PlusIcon, SignOutIcon, SunIcon, SystemIcon, UserIcon } from '../icons.tsx';
import { listSections, type Section } from '../shell/sections.tsx';
import { useSignOut } from '../shell/use-sign-out.ts';

/** Something that the palette can do. */
export interface Command {
  /** Unique among the commands of the palette. */
  readonly id: string;
  readonly group: string;
  readonly label: string;
  /** A further fact, such as the path of an asset. */
  readonly detail?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** The pages of the menu at the top right. */
const OWN_PAGES: readonly Section[] = [
  { to: '/profile', label: 'Profile', icon: <UserIcon /> },
  { to: '/profile/tokens', label: 'API keys', icon: <KeyIcon /> },
];

/** The pages and commands that a user may use. */
export function useCommands(user: SessionUser): readonly Command[] {
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const pages = [...listSections(user), ...OWN_PAGES].map(({ to, params = {}, label, icon }) => ({
    id: `page ${to}`,
    group: 'Pages',
    label,
    icon,
    run: () => void router.navigate({ to, params }),
  }));
  const commands = [
    {
      label: 'Create a token',
      icon: <PlusIcon />,
      run: () => void router.navigate({ to: '/profile/tokens', search: { create: 1 } }),
    },
    { label: 'Use the light theme', icon: <SunIcon />, run: () => setColorScheme('light') },
    { label: 'Use the dark theme', icon: <MoonIcon />, run: () => setColorScheme('dark') },
    { label: 'Use the theme of the system', icon: <SystemIcon />, run: () => setColorScheme('auto') },
    { label: 'Sign out', icon: <SignOutIcon />, run: () => void signOut() },
  ];
  return [...pages, ...commands.map((each) => ({ ...each, id: `command ${each.label}`, group: 'Commands' }))];
}

/** The commands whose labels contain each word of a text, without regard to case. */
export function filterCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
