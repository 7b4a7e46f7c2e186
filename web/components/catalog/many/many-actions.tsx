import { Button } from '@mantine/core';
import { mayCreate } from '../../../api/session.ts';
import { useSession } from '../../../api/use-session.ts';
import { useCatalog } from '../catalog-context.ts';

interface ManyActionsProps {
  /** The path of the folder. */
  readonly folder: string;
  /** The names of the selected items. */
  readonly names: readonly string[];
  /** Whether the user may change one of them. */
  readonly mayEdit: boolean;
  readonly clear: () => void;
}

/** The actions for the selected items of a folder, as far as the user may do them. */
export function ManyActions({ folder, names, mayEdit, clear }: ManyActionsProps) {
  const { start } = useCatalog();
  const { user } = useSession();
  const actions = [
    ...(mayEdit ? [{ kind: 'move-many', label: 'Move…' } as const] : []),
    ...(mayCreate(user) ? [{ kind: 'copy-many', label: 'Copy…' } as const] : []),
    { kind: 'download-many', label: 'Download' } as const,
    ...(mayEdit ? [{ kind: 'delete-many', label: 'Delete…' } as const] : []),
  ];
  return actions.map(({ kind, label }) => (
    <Button
      key={kind}
      size="xs"
      variant="default"
      onClick={() => start({ kind, folder, names, onDone: clear })}
    >
      {label}
    </Button>
  ));
}
