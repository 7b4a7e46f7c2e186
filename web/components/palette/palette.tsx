import { Modal, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { foundQuery } from '../../api/catalog/catalog-find.ts';
import { useSession } from '../../api/use-session.ts';
import { ItemIcon } from '../catalog/item/item-icon.tsx';
import { KIND_NAMES } from '../catalog/item/item-kinds.ts';
import { SearchIcon } from '../icons.tsx';
import { type Command, filterCommands, useCommands } from './commands.tsx';
import classes from './palette.module.css';

/** The longest text that the server accepts for a search. */
const MAX_LENGTH = 200;

export interface PaletteProps {
  readonly onClose: () => void;
}

/** The command palette: finds pages, commands and items of the catalog by name, and opens or runs the one that is chosen. */
export function Palette({ onClose }: PaletteProps) {
  const listId = useId();
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState<string>();
  const { user } = useSession();
  const assets = useAssets(text.trim());
  const commands = [...filterCommands(useCommands(user), text.trim()), ...assets.commands];
  const active = commands.find(({ id }) => id === chosenId) ?? commands[0];
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      run(active);
    }
    const next = findNext(event.key, commands, active);
    if (next === undefined) return;
    event.preventDefault();
    setChosenId(next.id);
  };
  return (
    <Modal.Root opened onClose={onClose} size={620} yOffset="12dvh" zIndex={250}>
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label="Command palette" radius="lg">
        <div className={classes.field}>
          <SearchIcon />
          <input
            className={classes.input}
            role="combobox"
            aria-label="Search pages, commands and the catalog"
            aria-expanded={commands.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={active && toOptionId(listId, active.id)}
            placeholder="Search pages, commands and the catalog"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_LENGTH}
            data-autofocus
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setChosenId(undefined);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <OptionList
          id={listId}
          commands={commands}
          activeId={active?.id}
          onActivate={setChosenId}
          onRun={run}
        />
        <Status count={commands.length} isSearching={assets.isSearching} error={assets.error} />
      </Modal.Content>
    </Modal.Root>
  );
}

/** The command that a key of the list box pattern moves to; undefined for other keys. */
function findNext(
  key: string,
  commands: readonly Command[],
  active: Command | undefined,
): Command | undefined {
  const index = active === undefined ? -1 : commands.indexOf(active);
  const { length } = commands;
  switch (key) {
    case 'ArrowDown':
      return commands[(index + 1) % length];
    case 'ArrowUp':
      return commands[(index - 1 + length) % length];
    default:
      return undefined;
  }
}

interface StatusProps {
  readonly count: number;
  readonly isSearching: boolean;
  readonly error: Error | null;
}

/** The number of results, which screen readers announce, or what is wrong. */
function Status({ count, isSearching, error }: StatusProps) {
  return (
    <div className={classes.status} role="status">
      {error !== null && <div className={classes.error}>The catalog cannot be searched. {error.message}</div>}
      {isSearching ? 'Searching the catalog…' : printCount(count)}
    </div>
  );
}

function printCount(count: number): string {
  if (count === 0) return 'Nothing found';
  return count === 1 ? '1 result' : `${count} results`;
}

interface OptionListProps {
  readonly id: string;
  readonly commands: readonly Command[];
  /** The id of the command that the enter key runs. */
  readonly activeId: string | undefined;
  readonly onActivate: (id: string) => void;
  readonly onRun: (command: Command) => void;
}

/** The commands by group, as the list box of the palette's field; the focus stays in the field. */
function OptionList({ id, commands, activeId, onActivate, onRun }: OptionListProps) {
  const groups = [...Map.groupBy(commands, ({ group }) => group)];
  return (
    <div id={id} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(([group, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a list box
        <div key={group} role="group" aria-label={group}>
          <div className={classes.group} aria-hidden="true">
            {group}
          </div>
          {members.map((command) => (
            <Option
              key={command.id}
              id={toOptionId(id, command.id)}
              command={command}
              isActive={command.id === activeId}
              onActivate={() => onActivate(command.id)}
              onRun={() => onRun(command)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isActive: boolean;
  readonly onActivate: () => void;
  readonly onRun: () => void;
}

function Option({ id, command, isActive, onActivate, onRun }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the field, which has the focus
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={classes.option}
      onMouseMove={onActivate}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
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
    </div>
  );
}

/** The id of a command's element. */
function toOptionId(listId: string, commandId: string): string {
  return `${listId}-${encodeURIComponent(commandId)}`;
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
  const found = text === '' ? [] : (data?.data.slice(0, MAX_ASSETS) ?? []);
  return {
    commands: found.map(({ name: label, path, type }) => ({
      id: `asset ${path}`,
      group: 'Catalog',
      label,
      detail: `${KIND_NAMES[type]} · ${path}`,
      icon: <ItemIcon type={type} />,
      run: () => void router.navigate({ to: '/catalog/$', params: { _splat: path } }),
    })),
    isSearching: isFetching || name !== text,
    error: text === '' ? null : error,
  };
}
