import { Modal } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { useSession } from '../../api/use-session.ts';
import { SearchIcon } from '../icons.tsx';
import { type Command, filterCommands, useCommands } from './commands.tsx';
import { OptionList, toOptionId } from './option-list.tsx';
import classes from './palette.module.css';
import { useAssets } from './use-assets.tsx';

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
