import { Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Entry, isAtLeast, isFolder, levelQuery } from '../../../api/catalog/catalog.ts';
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

/** Whether the person may change a folder, as far as is known; none is the empty path. */
export function useMayChange(folder: string): boolean {
  const { data: level } = useQuery({ ...levelQuery(folder), enabled: folder !== '' });
  return folder !== '' && (level === undefined || isAtLeast(level, 'EDIT'));
}

/** Chooses a folder in a small tree, with the pointer or the arrow keys; says if the person may not change it. */
export function FolderPicker({ label, value, onChange, without }: FolderPickerProps) {
  const folders = useOpenFolders(() => [...listAncestors(value), value]);
  const isShown = useCallback(({ type, path }: Entry) => isFolder(type) && path !== without, [without]);
  const { rows, reload } = useTreeRows(folders, isShown);
  const mayChange = useMayChange(value);
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
      {value !== '' && !mayChange && (
        <Input.Error mt={6} role="alert">
          You may not change this folder. Choose another one.
        </Input.Error>
      )}
    </Input.Wrapper>
  );
}
