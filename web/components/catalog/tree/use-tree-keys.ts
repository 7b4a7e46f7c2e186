import { type KeyboardEvent, useRef } from 'react';
import { type Entry, isFolder } from '../../../api/catalog/catalog.ts';
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
  /** Called for Enter. */
  readonly onChoose: (entry: Entry) => void;
}

/** Handles the keys of the tree (WAI-ARIA tree pattern): Enter chooses the active item, letters find a name. */
export function useTreeKeys({ rows, index, folders, setActive, onChoose }: TreeKeysOptions) {
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
  const choose = ({ entry }: ItemRow) => {
    if (isFolder(entry.type)) folders.open(entry.path);
    onChoose(entry);
  };
  /** Returns whether the key has an action. */
  const act = ({ key, timeStamp }: KeyboardEvent): boolean => {
    const action = findKeyAction(rows, index, key);
    const row = rows[index];
    if (action?.kind === 'go') setActive(action.path);
    else if (action !== null) folders[action.kind](action.path);
    else if (key === 'Enter' && row?.kind === 'item') choose(row);
    else return type(key, timeStamp);
    return true;
  };
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (act(event)) event.preventDefault();
  };
}
