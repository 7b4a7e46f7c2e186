import { useMantineColorScheme } from '@mantine/core';
import { useLocation, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdministrator, type SessionUser } from '../../api/session.ts';
import { ADMINISTRATION_PAGES } from '../administration/administration-page.tsx';
import {
  AdministrationIcon,
  DocumentIcon,
  KeyboardIcon,
  KeyIcon,
  MoonIcon,
  PlusIcon,
  SignOutIcon,
  SunIcon,
  SystemIcon,
  TrashIcon,
  UserIcon,
} from '../icons.tsx';
import { listSections, type NavigationLink } from '../shell/sections.tsx';
import { useSignOut } from '../shell/use-sign-out.ts';
import { pressKeys } from '../shortcuts/press-keys.ts';
import { printKeys, SHORTCUTS } from '../shortcuts/shortcuts.ts';

/** Something that the palette can do. */
export interface PaletteCommand {
  /** Unique among the commands of the palette. */
  readonly id: string;
  readonly group: string;
  readonly label: string;
  /** A further fact, such as the path of an asset. */
  readonly detail?: string;
  /** The keys that do the same. */
  readonly keys?: string;
  readonly icon: ReactNode;
  /** Whether it runs when the palette is closed, and the page has the focus again. */
  readonly needsPage?: boolean;
  readonly run: () => void;
}

/** The pages of the menu at the top right. */
const OWN_PAGES: readonly NavigationLink[] = [
  { to: '/catalog/bin', label: 'Bin', icon: <TrashIcon /> },
  { to: '/profile', label: 'Profile', icon: <UserIcon /> },
  { to: '/profile/tokens', label: 'API keys', icon: <KeyIcon /> },
];

/** The pages of administrators; the name of the section tells them from others. */
function listAdministration(user: SessionUser): readonly NavigationLink[] {
  if (!isAdministrator(user)) return [];
  return ADMINISTRATION_PAGES.map(({ to, label }) => ({
    to,
    label: `Administration: ${label}`,
    icon: <AdministrationIcon />,
  }));
}

/** The shortcuts that are commands of the shown text. */
const TEXT_COMMANDS = [
  SHORTCUTS.here,
  SHORTCUTS.all,
  SHORTCUTS.block,
  SHORTCUTS.save,
  SHORTCUTS.find,
  SHORTCUTS.format,
  SHORTCUTS.definition,
  SHORTCUTS.problem,
  SHORTCUTS.suggestion,
] as const;

/** The pages and commands that a user may use on the shown page. */
export function useCommands(user: SessionUser): readonly PaletteCommand[] {
  const router = useRouter();
  const { pathname } = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const all = [...listSections(user), ...listAdministration(user), ...OWN_PAGES];
  const pages = all.map(({ to, params = {}, label, icon }) => ({
    id: `page ${to}`,
    group: 'Pages',
    label,
    icon,
    run: () => void router.navigate({ to, params }),
  }));
  const texts = pathname.startsWith('/sql/') ? TEXT_COMMANDS : [];
  const byKeys = [...texts, SHORTCUTS.help].map((shortcut) => ({
    label: shortcut.label,
    keys: printKeys(shortcut),
    needsPage: true,
    icon: <KeyboardIcon />,
    run: () => pressKeys(shortcut),
  }));
  const commands = [
    ...byKeys,
    {
      label: 'Create an API key',
      icon: <PlusIcon />,
      run: () => void router.navigate({ to: '/profile/tokens', search: { create: 1 } }),
    },
    {
      label: 'Reopen closed text',
      keys: printKeys(SHORTCUTS.reopen),
      icon: <DocumentIcon />,
      run: () => void router.navigate({ to: '/sql/$', params: { _splat: '' }, search: { reopen: 1 } }),
    },
    { label: 'Theme: Light', icon: <SunIcon />, run: () => setColorScheme('light') },
    { label: 'Theme: Dark', icon: <MoonIcon />, run: () => setColorScheme('dark') },
    { label: 'Theme: System', icon: <SystemIcon />, run: () => setColorScheme('auto') },
    { label: 'Sign out', icon: <SignOutIcon />, run: () => void signOut() },
  ];
  return [
    ...pages,
    ...commands.map((command) => ({ ...command, id: `command ${command.label}`, group: 'Commands' })),
  ];
}

/** The commands whose labels contain each word of a text, without regard to case. */
export function filterCommands(commands: readonly PaletteCommand[], text: string): readonly PaletteCommand[] {
  const words = text.toLowerCase().split(/\s+/);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
