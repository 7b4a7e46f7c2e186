/** The keys that leave a field; others are typed into it. */
const LEAVING = new Set(['Tab', 'F6', 'Enter', 'Escape']);

/**
 * Marks the page (`data-pointer`) while a person uses a pointer. Browsers show the focus of every field as if a key had moved
 * it there; with the mark, only keys show it.
 */
export function watchPointer(root: HTMLElement): void {
  const listen = { capture: true, passive: true };
  addEventListener('pointerdown', () => root.setAttribute('data-pointer', ''), listen);
  addEventListener(
    'keydown',
    ({ key, target }) => {
      const isTyped = target instanceof Element && target.matches('input, textarea, select');
      if (!isTyped || LEAVING.has(key)) root.removeAttribute('data-pointer');
    },
    listen,
  );
}
