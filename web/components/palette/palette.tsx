import classes from './palette.module.css';
import '@mantine/spotlight/styles.css';
import { Kbd, Text, UnstyledButton } from '@mantine/core';
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../../api/use-session.ts';
import { SearchIcon } from '../icons.tsx';
import { filterCommands, type PaletteCommand, useCommands } from './commands.tsx';
import { listOpened, useFound, useOpenTexts } from './found.tsx';

/** The longest text that the server accepts for a search. */
const MAX_LENGTH = 200;
const LABEL = 'Search pages, commands and the catalog';
/** The id of the list box, in which Spotlight finds the selected option. */
const LIST_ID = 'palette-results';

const [store, spotlight] = createSpotlight();
store.updateState((state) => ({ ...state, listId: LIST_ID }));

/** The command that runs when the palette is closed. */
let chosen: PaletteCommand | null = null;

function runChosen(): void {
  chosen?.run();
  chosen = null;
}

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
  const router = useRouter();
  const found = useFound(text, user.user_name);
  const openTexts = useOpenTexts(user.user_name);
  const opened = text === '' ? listOpened(user.user_name, router.navigate) : [];
  const known = filterCommands([...openTexts, ...useCommands(user)], text);
  const commands = [...opened, ...known, ...found.commands];
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
      onExitTransitionEnd={runChosen}
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
        {found.error !== null && (
          <div className={classes.error}>The catalog cannot be searched. {found.error.message}</div>
        )}
        {found.isSearching ? 'Searching the catalog…' : printCount(commands.length)}
      </Spotlight.Footer>
    </Spotlight.Root>
  );
}

function printCount(count: number): string {
  if (count === 0) return 'Nothing found';
  return count === 1 ? '1 result' : `${count} results`;
}

interface OptionListProps {
  readonly commands: readonly PaletteCommand[];
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
  readonly command: PaletteCommand;
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
        if (command.needsPage === true) chosen = command;
        else command.run();
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
      {command.keys !== undefined && <Kbd className={classes.keys}>{command.keys}</Kbd>}
    </UnstyledButton>
  );
}

function toOptionId(index: number): string {
  return `palette-option-${index}`;
}
