import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useRef } from 'react';
import { isFolder } from '../../../api/catalog.ts';
import { findByTyping, findKeyAction } from './find-row.ts';
import type { OpenFolders } from './open-folders.ts';
import type { ItemRow, TreeRow } from './tree-rows.ts';

/** The pause after which a typed letter starts a new text, in milliseconds. */
const TYPING_PAUSE_MS = 700;

interface TreeKeysOptions {
  readonly rows: readonly TreeRow[];
  /** The active row. */
  readonly index: number;
  readonly folders: OpenFolders;
  readonly setActive: (path: string) => void;
  /** Called when an item is chosen. */
  readonly onShow: (() => void) | undefined;
}

/** Handles the keys of the tree (WAI-ARIA tree pattern): Enter shows the active item, letters find a name. */
export function useTreeKeys({ rows, index, folders, setActive, onShow }: TreeKeysOptions) {
  const navigate = useNavigate();
  const typed = useRef({ text: '', at: 0 });
  /** Returns whether the key continues or starts a text; a text does not start with a space. */
  const type = (key: string, at: number): boolean => {
    const isNew = at - typed.current.at > TYPING_PAUSE_MS;
    const text = isNew ? key : typed.current.text + key;
    if (key.length > 1 || text === ' ') return false;
    typed.current = { text, at };
    const found = findByTyping(rows, index, text);
    if (found !== null) setActive(found);
    return true;
  };
  const show = ({ entry }: ItemRow) => {
    if (isFolder(entry.type)) folders.open(entry.path);
    void navigate({ to: '/catalog/$', params: { _splat: entry.path }, search: {} });
    onShow?.();
  };
  /** Returns whether the key has an action. */
  const act = ({ key, timeStamp }: KeyboardEvent): boolean => {
    const action = findKeyAction(rows, index, key);
    const row = rows[index];
    if (action?.kind === 'go') setActive(action.path);
    else if (action !== null) folders[action.kind](action.path);
    else if (key === 'Enter' && row?.kind === 'item') show(row);
    else return type(key, timeStamp);
    return true;
  };
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (act(event)) event.preventDefault();
  };
}
