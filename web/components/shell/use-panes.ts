import { useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { SHORTCUTS } from '../shortcuts/shortcuts.ts';

/** The parts of a page: a left panel, a text, the results of a run, a side panel; the rest of the content is another one. */
const PANES = '[data-pane], aside, section[aria-label="Run"], main';
/** What a pane gives the focus to, before anything else. */
const PREFERRED = '.cm-content, [role=grid], [role=tree]';
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]';

/** Moves the focus between the parts of the page by F6 and Shift F6; each part remembers what had the focus in it. */
export function usePanes(): void {
  useEffect(() => {
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, []);
  useHotkeys(
    [
      [SHORTCUTS.nextPane.keys, () => move(1)],
      [SHORTCUTS.previousPane.keys, () => move(-1)],
    ],
    [],
    true,
  );
}

const remembered = new WeakMap<Element, HTMLElement>();

function remember({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const pane = target.closest(PANES);
  if (pane !== null && canFocus(target)) remembered.set(pane, target);
}

function move(by: 1 | -1): void {
  // A dialog keeps the focus.
  if (document.activeElement?.closest('[role=dialog]')) return;
  const panes = listPanes();
  const all = [...panes.keys()];
  const current = document.activeElement?.closest(PANES) ?? null;
  const at = current === null ? -1 : all.indexOf(current);
  const start = at === -1 && by === -1 ? 0 : at;
  const next = all[(start + by + all.length) % all.length];
  if (next !== undefined) findTarget(next, panes.get(next) ?? [])?.focus();
}

/** The panes in their order on the page, each with what can have the focus in it. */
function listPanes(): ReadonlyMap<Element, readonly HTMLElement[]> {
  const elements = [...document.querySelectorAll<HTMLElement>(`main :is(${FOCUSABLE})`)].filter(canFocus);
  const inPanes = elements.filter((element) => element.closest(PANES) !== null);
  return Map.groupBy(inPanes, (element) => element.closest(PANES) ?? element);
}

function canFocus(element: HTMLElement): boolean {
  const isSeparator = element.getAttribute('role') === 'separator';
  return element.tabIndex >= 0 && !isSeparator && element.checkVisibility({ visibilityProperty: true });
}

function findTarget(pane: Element, elements: readonly HTMLElement[]): HTMLElement | undefined {
  const last = remembered.get(pane);
  if (last !== undefined && elements.includes(last)) return last;
  return elements.find((element) => element.matches(PREFERRED)) ?? elements[0];
}
