import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { connectionsQuery } from '../../../api/editor/connections.ts';
import classes from './run.module.css';

interface ConnectionSelectProps {
  /** Empty for the connection of the project. */
  readonly value: string;
  readonly onChange: (name: string) => void;
  /** Whether the text can be part of a project. */
  readonly hasProject: boolean;
}

/** The connection on which a text runs. */
export function ConnectionSelect({ value, onChange, hasProject }: ConnectionSelectProps) {
  const { data: connections = [], error } = useQuery(connectionsQuery);
  const names = connections.map(({ name }) => ({ value: name, label: name }));
  return (
    <Select
      size="xs"
      className={classes.connection}
      aria-label="Connection"
      placeholder={error === null ? 'Choose a connection' : 'Connections cannot be listed'}
      data={hasProject ? [{ value: '', label: 'Connection of the project' }, ...names] : names}
      value={hasProject || value !== '' ? value : null}
      onChange={(name) => onChange(name ?? '')}
      allowDeselect={false}
      nothingFoundMessage="You may not use any connection"
      comboboxProps={{ width: 240, position: 'bottom-start' }}
    />
  );
}
