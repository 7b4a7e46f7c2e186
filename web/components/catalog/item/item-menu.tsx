import { ActionIcon, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Entry, isAtLeast, isFolder, levelQuery } from '../../../api/catalog/catalog.ts';
import { isNamespace } from '../../../api/catalog/catalog-paths.ts';
import { mayCreate } from '../../../api/session.ts';
import { useSession } from '../../../api/use-session.ts';
import { MoreIcon } from '../../icons.tsx';
import { notify, notifyFailure } from '../../notify.ts';
import { useCatalog } from '../catalog-context.ts';
import classes from './item.module.css';

const ACTIONS = [
  { kind: 'rename', label: 'Rename…' },
  { kind: 'describe', label: 'Edit description…' },
  { kind: 'move', label: 'Move…' },
  { kind: 'delete', label: 'Delete…' },
] as const;

interface ItemMenuProps {
  readonly entry: Entry;
  /** The text of a script, where it is loaded. */
  readonly content?: string | undefined;
}

/** The menu of an item, with the actions that the user may do. */
export function ItemMenu({ entry, content }: ItemMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const { start } = useCatalog();
  const { user } = useSession();
  const { data: level, error } = useQuery({ ...levelQuery(entry.path), enabled: isOpen });
  if (isNamespace(entry.path)) return null;
  const mayEdit = isAtLeast(level, 'EDIT');
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={250} shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${entry.name}`}>
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {level !== undefined && !mayEdit && <Menu.Label>You may not change this item</Menu.Label>}
        {error !== null && <Menu.Label>{error.message}</Menu.Label>}
        <Menu.Item onClick={() => start({ kind: 'download', entry })}>
          {isFolder(entry.type) ? 'Download as ZIP' : 'Download'}
        </Menu.Item>
        {mayCreate(user) && <Menu.Item onClick={() => start({ kind: 'copy', entry })}>Copy…</Menu.Item>}
        <Menu.Item onClick={() => void copyText(entry.path, 'path')}>Copy the path</Menu.Item>
        {content !== undefined && (
          <Menu.Item onClick={() => void copyText(content, 'text')}>Copy the text</Menu.Item>
        )}
        <Menu.Divider />
        {ACTIONS.map(({ kind, label }) => (
          <Menu.Item
            key={kind}
            disabled={!mayEdit}
            className={kind === 'delete' ? classes.danger : undefined}
            onClick={() => start({ kind, entry })}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`Copied the ${what}`);
  } catch {
    notifyFailure(`The ${what} was not copied: this browser does not allow it`);
  }
}
