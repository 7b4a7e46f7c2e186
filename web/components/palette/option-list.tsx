import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Command } from './commands.tsx';
import classes from './palette.module.css';

interface OptionListProps {
  readonly id: string;
  readonly commands: readonly Command[];
  /** The id of the command that the enter key runs. */
  readonly activeId: string | undefined;
  readonly onActivate: (id: string) => void;
  readonly onRun: (command: Command) => void;
}

/** The commands by group, as the list box of the palette's field; the focus stays in the field. */
export function OptionList({ id, commands, activeId, onActivate, onRun }: OptionListProps) {
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
export function toOptionId(listId: string, commandId: string): string {
  return `${listId}-${encodeURIComponent(commandId)}`;
}
