import { Input } from '@mantine/core';
import { useCallback } from 'react';
import { type Entry, isFolder } from '../../../api/catalog/catalog.ts';
import { listAncestors } from '../../../api/catalog/catalog-paths.ts';
import { ItemName } from '../item/item-name.tsx';
import { useOpenFolders } from './open-folders.ts';
import classes from './tree.module.css';
import { TreeView } from './tree-view.tsx';
import { useTreeRows } from './use-tree-rows.ts';

interface FolderPickerProps {
  readonly label: string;
  /** The path of the chosen folder. */
  readonly value: string;
  readonly onChange: (path: string) => void;
  /** The path of a folder that cannot be chosen; it is not shown. */
  readonly without?: string;
}

/** Chooses a folder in a small tree, with the pointer or the arrow keys. */
export function FolderPicker({ label, value, onChange, without }: FolderPickerProps) {
  const folders = useOpenFolders(() => [...listAncestors(value), value]);
  const isShown = useCallback(({ type, path }: Entry) => isFolder(type) && path !== without, [without]);
  const { rows, reload } = useTreeRows(folders, isShown);
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div className={classes.picker}>
        <TreeView
          label={label}
          rows={rows.filter(({ kind }) => kind !== 'empty')}
          folders={folders}
          active={value}
          setActive={onChange}
          selected={value}
          hasLinks={false}
          onReload={reload}
          onChoose={({ path }) => onChange(path)}
        />
      </div>
      <Input.Description mt={6}>
        <ItemName name={value} isWrapped />
      </Input.Description>
    </Input.Wrapper>
  );
}
