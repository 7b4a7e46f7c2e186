import { Button, Menu } from '@mantine/core';
import { ChevronIcon, PlusIcon } from '../../icons.tsx';
import { useCatalog } from '../catalog-context.ts';

const KINDS = [
  { kind: 'create-script', label: 'Script…' },
  { kind: 'create-folder', label: 'Folder…' },
  { kind: 'create-project', label: 'Project…' },
] as const;

/** Creates an item in a folder. */
export function NewMenu({ folder }: { readonly folder: string }) {
  const { start } = useCatalog();
  return (
    <Menu position="bottom-end" width={180} shadow="md">
      <Menu.Target>
        <Button size="xs" leftSection={<PlusIcon size={16} />} rightSection={<ChevronIcon size={14} />}>
          New
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {KINDS.map(({ kind, label }) => (
          <Menu.Item key={kind} onClick={() => start({ kind, folder })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
