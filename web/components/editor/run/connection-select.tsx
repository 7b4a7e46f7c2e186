import { Select } from '@mantine/core';
import classes from './run.module.css';
import type { ConnectionChoice } from './use-connection.ts';

/** The connection on which a text runs. */
export function ConnectionSelect({ choice }: { readonly choice: ConnectionChoice }) {
  const { name, choose, connections, error, project } = choice;
  const ofProject = project === null ? [] : [{ value: '', label: `${project} (project)` }];
  return (
    <Select
      size="xs"
      className={classes.connection}
      aria-label="Connection"
      placeholder={error === null ? 'No connection to use' : 'Connections cannot be listed'}
      data={[...ofProject, ...connections.map((each) => ({ value: each.name, label: each.name }))]}
      value={name === '' && project === null ? null : name}
      onChange={(next) => choose(next ?? '')}
      allowDeselect={false}
      nothingFoundMessage="You may not use any connection"
      comboboxProps={{ width: 240, position: 'bottom-start' }}
    />
  );
}
