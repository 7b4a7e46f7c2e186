import { ActionIcon, CloseButton, Tooltip, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { ItemName } from '../../catalog/item/item-name.tsx';
import { PlusIcon } from '../../icons.tsx';
import { SHORTCUTS } from '../../shortcuts/shortcuts.ts';
import classes from '../editor.module.css';
import { getTitle, isQuery, type Tab } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { TabMenu } from './tab-menu.tsx';
import { type TabDrag, useTabDrag } from './use-tab-drag.ts';

interface TabStripProps {
  readonly workspace: EditorWorkspace;
  readonly tabs: readonly Tab[];
  /** The key of the shown tab. */
  readonly active: string;
  readonly onClose: (tab: Tab) => void;
  readonly onNew: () => void;
  /** Opens the last closed text. */
  readonly onReopen: () => void;
}

/** The open tabs as links, so that each has an address. The strip is one stop of the Tab key; arrow keys move in it. */
export function TabStrip({ workspace, tabs, active, onClose, onNew, onReopen }: TabStripProps) {
  const strip = useRef<HTMLElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<number | null>(null);
  const shown = tabs.find((tab) => tab.key === active);
  const stop = focused ?? toStop(shown ?? tabs[0]);
  const move = (tab: Tab | undefined, by: number) => {
    if (tab !== undefined) workspace.move(tab.id, tabs.indexOf(tab) + by);
  };
  const drag = useTabDrag(tabs, (tab, place) => workspace.move(tab.id, place));
  const close = useClosing(strip, tabs, onClose);
  useActiveInView(strip, active);
  useHotkeys(
    [
      [SHORTCUTS.moveLeft.keys, () => move(shown, -1)],
      [SHORTCUTS.moveRight.keys, () => move(shown, 1)],
      [SHORTCUTS.reopen.keys, onReopen, { usePhysicalKeys: true }],
    ],
    [],
    true,
  );
  const press = (event: KeyboardEvent) => {
    const next = findStop(strip.current, event);
    const tab = tabs.find((candidate) => toStop(candidate) === focused);
    if (next !== null) next.focus();
    else if (event.key === 'Delete' && tab !== undefined) close(tab);
    else if (event.key === 'F2' && tab !== undefined && isQuery(tab.key)) setRenamed(tab.id);
    else return;
    event.preventDefault();
  };
  const chosen = tabs.find(({ id }) => id === renamed);
  return (
    <nav ref={strip} className={classes.tabs} aria-label="Open texts">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between what is in it */}
      <div
        className={classes.stops}
        onKeyDown={press}
        onFocus={({ target }) => setFocused(target.closest<HTMLElement>('[data-stop]')?.dataset.stop ?? null)}
        onBlur={() => setFocused(null)}
      >
        <ul className={classes.list}>
          {tabs.map((tab) => (
            <TabItem
              key={tab.id}
              tab={tab}
              isActive={tab === shown}
              isStop={stop === toStop(tab)}
              drag={drag}
              onClose={() => close(tab)}
              onRename={() => setRenamed(tab.id)}
            />
          ))}
        </ul>
        <NewQuery isStop={stop === 'new'} onNew={onNew} />
        <TabMenu
          tab={shown}
          isFirst={shown === tabs[0]}
          isLast={shown === tabs.at(-1)}
          isStop={stop === 'menu'}
          closed={workspace.closed}
          onRename={() => setRenamed(shown?.id ?? null)}
          onMove={(by) => move(shown, by)}
          onClose={() => shown !== undefined && close(shown)}
          onReopen={onReopen}
        />
      </div>
      {chosen !== undefined && (
        <RenameDialog workspace={workspace} tab={chosen} onClose={() => setRenamed(null)} />
      )}
    </nav>
  );
}

function NewQuery({ isStop, onNew }: { readonly isStop: boolean; readonly onNew: () => void }) {
  return (
    <Tooltip label="New query">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        mt={2}
        aria-label="New query"
        onClick={onNew}
        data-stop="new"
        tabIndex={isStop ? 0 : -1}
      >
        <PlusIcon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The stop of the Tab key that a tab is; without tabs, the button for a new query. */
function toStop(tab: Tab | undefined): string {
  return tab === undefined ? 'new' : `tab-${tab.id}`;
}

const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The element of the strip to which a key moves; null for other keys. */
function findStop(strip: HTMLElement | null, event: KeyboardEvent): HTMLElement | null {
  const move = MOVES[event.key];
  const stops = [...(strip?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])];
  const at = stops.indexOf(event.target as HTMLElement);
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  if (move === undefined || at === -1 || hasModifier) return null;
  return stops[move(at, stops.length)] ?? null;
}

/** Scrolls the strip to the shown tab. */
function useActiveInView(strip: { readonly current: HTMLElement | null }, active: string): void {
  useEffect(() => {
    if (active === '') return;
    strip.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [strip, active]);
}

/** Returns a function that closes a tab; if the tab had the focus, the shown one gets it. */
function useClosing(
  strip: { readonly current: HTMLElement | null },
  tabs: readonly Tab[],
  onClose: (tab: Tab) => void,
): (tab: Tab) => void {
  const waiting = useRef<number | null>(null);
  useEffect(() => {
    if (waiting.current === null || tabs.some(({ id }) => id === waiting.current)) return;
    waiting.current = null;
    // Something else may have the focus by now.
    if (document.activeElement !== document.body) return;
    strip.current?.querySelector<HTMLElement>('[data-stop][tabindex="0"]')?.focus();
  }, [strip, tabs]);
  return (tab) => {
    waiting.current = strip.current?.contains(document.activeElement) === true ? tab.id : null;
    onClose(tab);
  };
}

interface TabItemProps {
  readonly tab: Tab;
  readonly isActive: boolean;
  /** Whether the Tab key stops at it. */
  readonly isStop: boolean;
  readonly drag: TabDrag;
  readonly onClose: () => void;
  readonly onRename: () => void;
}

function TabItem({ tab, isActive, isStop, drag, onClose, onRename }: TabItemProps) {
  const { key, isChanged } = tab;
  const title = getTitle(tab);
  const isOwn = isQuery(key);
  const closeByMiddle = (event: MouseEvent) => {
    if (event.button !== 1) return;
    // The link would open in a new tab of the browser.
    event.preventDefault();
    onClose();
  };
  return (
    <li
      className={classes.tab}
      data-active={isActive || undefined}
      data-drop={drag.findSide(tab)}
      onAuxClick={closeByMiddle}
      {...drag.getProps(tab)}
    >
      <Link
        to="/sql/$"
        params={{ _splat: key }}
        className={classes.link}
        aria-current={isActive ? 'page' : undefined}
        aria-keyshortcuts={isOwn ? 'Delete F2' : 'Delete'}
        preload={false}
        title={isOwn ? undefined : key}
        draggable={false}
        data-stop={toStop(tab)}
        tabIndex={isStop ? 0 : -1}
        {...(isOwn ? { onDoubleClick: onRename } : {})}
      >
        <ItemName name={title} />
        {isChanged && !isOwn && (
          <>
            <span className={classes.dot} />
            <VisuallyHidden>(not saved)</VisuallyHidden>
          </>
        )}
      </Link>
      <CloseButton size="sm" aria-label={`Close ${title}`} onClick={onClose} tabIndex={-1} />
    </li>
  );
}
