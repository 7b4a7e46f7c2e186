import classes from './palette.module.css';
import '@mantine/spotlight/styles.css';
import { Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { foundQuery } from '../../api/catalog/catalog-find.ts';
import type { SessionUser } from '../../api/session.ts';
import { useSession } from '../../api/use-session.ts';
import { ItemIcon } from '../catalog/item/item-icon.tsx';
import { ITEM_KIND_NAMES } from '../catalog/item/item-kinds.ts';
import {
  DocumentIcon,
  KeyIcon,
  MoonIcon,
  PlusIcon,
  SearchIcon,
  SignOutIcon,
  SunIcon,
  SystemIcon,
  TrashIcon,
  UserIcon,
} from '../icons.tsx';
import { listSections, type NavigationLink } from '../shell/sections.tsx';
import { useSignOut } from '../shell/use-sign-out.ts';

/** The longest text that the server accepts for a search. */
const MAX_LENGTH = 200;
const LABEL = 'Search pages, commands and the catalog';
/** The id of the list box, in which Spotlight finds the selected option. */
const LIST_ID = 'palette-results';

const [store, spotlight] = createSpotlight();
store.updateState((state) => ({ ...state, listId: LIST_ID }));

/** Opens the palette; the enter key runs its first command. */
export const openPalette = spotlight.open;

function select(index: number): void {
  store.setState({ ...store.getState(), selected: index });
}

/**
 * The command palette: finds pages, commands and items of the catalog by name, and opens or runs the one that is chosen.
 * Mantine's Spotlight has the dialog, its text, and the keys that move the selection and run it. The roles of a combo box
 * are set here, because Spotlight shows its selection to the eye alone: after a key, it does not inform the store's readers.
 */
export function Palette() {
  const { query, selected } = useSpotlight(store);
  const { user } = useSession();
  const text = query.trim();
  const assets = useAssets(text);
  const commands = [...filterCommands(useCommands(user), text), ...assets.commands];
  const active = Math.min(Math.max(selected, 0), commands.length - 1);
  useEffect(() => {
    if (active !== selected) select(active);
  }, [active, selected]);
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      size={620}
      yOffset="12dvh"
      zIndex={250}
      radius="lg"
      overlayProps={{ backgroundOpacity: 0.45 }}
      onKeyDown={() => store.setState(store.getState())}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
    >
      <Spotlight.Search
        role="combobox"
        aria-label={LABEL}
        aria-expanded={commands.length > 0}
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? toOptionId(active) : undefined}
        placeholder={LABEL}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_LENGTH}
        leftSection={<SearchIcon />}
        classNames={{ input: classes.input }}
        data-autofocus
      />
      <OptionList commands={commands} active={active} />
      <Spotlight.Footer role="status" className={classes.status}>
        {assets.error !== null && (
          <div className={classes.error}>The catalog cannot be searched. {assets.error.message}</div>
        )}
        {assets.isSearching ? 'Searching the catalog…' : printCount(commands.length)}
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}

function printCount(count: number): string {
  if (count === 0) return 'Nothing found';
  return count === 1 ? '1 result' : `${count} results`;
}

interface OptionListProps {
  readonly commands: readonly Command[];
  /** The index of the command that the enter key runs. */
  readonly active: number;
}

/** The commands by group, as the list box of the palette's field; the focus stays in the field. */
function OptionList({ commands, active }: OptionListProps) {
  const groups = [...Map.groupBy(commands, ({ group }) => group)];
  return (
    <div id={LIST_ID} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(([group, members]) => (
        <Spotlight.ActionsGroup key={group} label={group} role="group" aria-label={group}>
          {members.map((command) => {
            const index = commands.indexOf(command);
            return <Option key={command.id} command={command} index={index} isActive={index === active} />;
          })}
        </Spotlight.ActionsGroup>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly command: Command;
  readonly index: number;
  readonly isActive: boolean;
}

/** A command; Spotlight's own action has no id, so the field could not name it. */
function Option({ command, index, isActive }: OptionProps) {
  return (
    <UnstyledButton
      id={toOptionId(index)}
      role="option"
      aria-selected={isActive}
      data-action
      data-selected={isActive || undefined}
      tabIndex={-1}
      className={classes.option}
      onMouseMove={() => select(index)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        spotlight.close();
        command.run();
      }}
    >
      {command.icon}
      <span className={classes.text}>
        {command.label}
        {command.detail !== undefined && (
          <Text component="span" size="xs" c="dimmed" className={classes.detail}>
            {command.detail}
          </Text>
        )}
      </span>
    </UnstyledButton>
  );
}

function toOptionId(index: number): string {
  return `palette-option-${index}`;
}

/** The time without a key press after which the catalog is searched. */
const DEBOUNCE_MS = 150;
/** More than these are on the page of the catalog's own search. */
const MAX_ASSETS = 20;

/** What a search has found so far. */
interface Assets {
  readonly commands: readonly Command[];
  readonly isSearching: boolean;
  readonly error: Error | null;
}

/** The items of the catalog whose name contains a text, as commands that open them. */
function useAssets(text: string): Assets {
  const router = useRouter();
  const [name] = useDebouncedValue(text, DEBOUNCE_MS);
  const { data, error, isFetching } = useQuery({
    ...foundQuery(name, 'name'),
    enabled: name !== '',
    placeholderData: keepPreviousData,
    retry: false,
  });
  const items = text === '' ? [] : (data?.data.slice(0, MAX_ASSETS) ?? []);
  return {
    commands: items.map(({ name: label, path, type }) => ({
      id: `asset ${path}`,
      group: 'Catalog',
      label,
      detail: `${ITEM_KIND_NAMES[type]} · ${path}`,
      icon: <ItemIcon type={type} />,
      run: () => void router.navigate({ to: '/catalog/$', params: { _splat: path } }),
    })),
    isSearching: isFetching || name !== text,
    error: text === '' ? null : error,
  };
}

/** Something that the palette can do. */
interface Command {
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
const OWN_PAGES: readonly NavigationLink[] = [
  { to: '/catalog/bin', label: 'Bin', icon: <TrashIcon /> },
  { to: '/profile', label: 'Profile', icon: <UserIcon /> },
  { to: '/profile/tokens', label: 'API keys', icon: <KeyIcon /> },
];

/** The pages and commands that a user may use. */
function useCommands(user: SessionUser): readonly Command[] {
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
      label: 'Create an API key',
      icon: <PlusIcon />,
      run: () => void router.navigate({ to: '/profile/tokens', search: { create: 1 } }),
    },
    {
      label: 'Reopen closed text',
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
function filterCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}
