import { IS_MAC } from '../is-mac.ts';

/** A key, and what it does. */
interface Shortcut {
  /** Where it works. */
  readonly group: 'Everywhere' | 'Text' | 'Tabs' | 'Results' | 'Tree';
  /** As Mantine writes them; `mod` is ⌘ on a Mac, else Ctrl. */
  readonly keys: string;
  readonly label: string;
}

/** The keys that do something, in the order of the list. */
export const SHORTCUTS = {
  palette: { group: 'Everywhere', keys: 'mod+K', label: 'Open the command palette' },
  help: { group: 'Everywhere', keys: '?', label: 'List the shortcuts' },
  nextPane: { group: 'Everywhere', keys: 'F6', label: 'Go to the next part of the page' },
  previousPane: { group: 'Everywhere', keys: 'shift+F6', label: 'Go to the previous part of the page' },
  here: { group: 'Text', keys: 'mod+Enter', label: 'Run the selection, or the statement at the cursor' },
  all: { group: 'Text', keys: 'mod+shift+Enter', label: 'Run all' },
  block: { group: 'Text', keys: 'alt+Enter', label: 'Run the block at the cursor' },
  save: { group: 'Text', keys: 'mod+S', label: 'Save' },
  find: { group: 'Text', keys: 'mod+F', label: 'Find and replace' },
  format: { group: 'Text', keys: 'shift+alt+F', label: 'Format the SQL' },
  complete: { group: 'Text', keys: 'ctrl+Space', label: 'Complete a name' },
  definition: { group: 'Text', keys: 'F12', label: 'Go to the definition' },
  problem: { group: 'Text', keys: 'F8', label: 'Go to the next problem' },
  suggestion: { group: 'Text', keys: 'mod+.', label: 'Replace a name by the suggested one' },
  leave: { group: 'Text', keys: 'Escape Tab', label: 'Leave the text' },
  moveLeft: { group: 'Tabs', keys: 'mod+shift+PageUp', label: 'Move the text to the left' },
  moveRight: { group: 'Tabs', keys: 'mod+shift+PageDown', label: 'Move the text to the right' },
  reopen: { group: 'Tabs', keys: 'shift+alt+O', label: 'Reopen the text that was closed last' },
  rename: { group: 'Tabs', keys: 'F2', label: 'Rename the query that has the focus' },
  closeText: { group: 'Tabs', keys: 'Delete', label: 'Close the text that has the focus' },
  value: { group: 'Results', keys: 'Enter', label: 'Show the whole value of the cell' },
  copy: { group: 'Results', keys: 'mod+C', label: 'Copy the selected cells' },
  last: { group: 'Results', keys: 'mod+End', label: 'Go to the last row' },
  open: { group: 'Tree', keys: 'ArrowRight', label: 'Open a folder' },
  close: { group: 'Tree', keys: 'ArrowLeft', label: 'Close a folder' },
} as const satisfies Readonly<Record<string, Shortcut>>;

const NAMES: Readonly<Record<string, string>> = IS_MAC
  ? { mod: '⌘', shift: '⇧', alt: '⌥', ctrl: '⌃' }
  : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', ctrl: 'Ctrl' };

/** The keys as a keyboard names them. */
export function printKeys({ keys }: Pick<Shortcut, 'keys'>): string {
  return keys
    .split('+')
    .map((key) => NAMES[key] ?? key.replace('ArrowRight', '→').replace('ArrowLeft', '←'))
    .join(' ');
}

/** All shortcuts by group. */
export function listShortcuts(): readonly (readonly [group: string, shortcuts: readonly Shortcut[]])[] {
  return [...Map.groupBy(Object.values<Shortcut>(SHORTCUTS), ({ group }) => group)];
}
