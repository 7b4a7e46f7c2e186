import { Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { type Entry, isAtLeast, levelQuery, placesQuery } from '../../../api/catalog/catalog.ts';
import { listAncestors } from '../../../api/catalog/catalog-paths.ts';
import { ItemName } from '../item/item-name.tsx';
import { findRow } from './find-row.ts';
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

/**
 * Chooses a folder in which the person may create items, in a small tree, with the pointer or the arrow keys. The folders
 * on the way to them are pale, and cannot be chosen.
 */
export function FolderPicker({ label, value, onChange, without }: FolderPickerProps) {
  const folders = useOpenFolders(() => [...listAncestors(value), value]);
  const isShown = useCallback(({ path }: Entry) => path !== without, [without]);
  const { rows: all, reload } = useTreeRows(folders, isShown, placesQuery);
  const [active, setActive] = useState(value);
  const mayChange = useMayChange(value);
  const rows = all.filter(({ kind }) => kind !== 'empty');
  const go = (path: string) => {
    setActive(path);
    const row = rows[findRow(rows, path)];
    if (row?.kind === 'item' && !isPale(row.entry)) onChange(path);
  };
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div className={classes.picker}>
        <TreeView
          label={label}
          rows={rows}
          folders={folders}
          active={active}
          setActive={go}
          selected={value}
          hasLinks={false}
          onReload={reload}
          onChoose={({ path }) => go(path)}
          isPale={isPale}
        />
      </div>
      <Input.Description mt={6}>
        <ItemName name={value} isWrapped />
      </Input.Description>
      {value !== '' && !mayChange && (
        <Input.Error mt={6} role="alert">
          {all.length > 0 && rows.length === 0
            ? 'There is no folder that you may change.'
            : 'You may not change this folder. Choose another one.'}
        </Input.Error>
      )}
    </Input.Wrapper>
  );
}

/** Whether a folder is only on the way to others. */
function isPale({ level }: Entry): boolean {
  return !isAtLeast(level, 'EDIT');
}
