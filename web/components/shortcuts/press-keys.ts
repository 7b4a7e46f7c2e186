import { IS_MAC } from '../is-mac.ts';
import type { listShortcuts } from './shortcuts.ts';

/** The element of the shown text, which has the keys of the editor. */
const TEXT = '.cm-content';

/** Presses the keys of a shortcut in the shown text if they belong to texts, else outside of it, as the user does. */
export function pressKeys({ group, keys }: ReturnType<typeof listShortcuts>[number][1][number]): void {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const has = (name: string) => parts.includes(name);
  const text = group === 'Text' ? document.querySelector<HTMLElement>(TEXT) : null;
  const isLetter = /^[A-Z]$/.test(key);
  text?.focus();
  (text ?? document.documentElement).dispatchEvent(
    new KeyboardEvent('keydown', {
      key: isLetter && !has('shift') ? key.toLowerCase() : key,
      code: isLetter ? `Key${key}` : key,
      keyCode: isLetter ? key.charCodeAt(0) : 0,
      ctrlKey: has('ctrl') || (has('mod') && !IS_MAC),
      metaKey: has('mod') && IS_MAC,
      shiftKey: has('shift'),
      altKey: has('alt'),
      bubbles: true,
      cancelable: true,
    }),
  );
}
