import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SqlIcon } from '../../icons.tsx';

interface EditActionProps {
  readonly path: string;
  /** Whether the user may change the script; otherwise the editor shows it read-only. */
  readonly mayEdit: boolean;
  /** The line to show, from 1. */
  readonly line: number | undefined;
}

/** Opens a script in the editor. */
export function EditAction({ path, mayEdit, line }: EditActionProps) {
  return (
    <Button
      size="xs"
      variant={mayEdit ? 'filled' : 'default'}
      leftSection={<SqlIcon size={16} />}
      renderRoot={(props) => (
        <Link {...props} to="/sql/$" params={{ _splat: path }} search={{ line }} preload={false} />
      )}
    >
      {mayEdit ? 'Edit' : 'Open in the editor'}
    </Button>
  );
}
