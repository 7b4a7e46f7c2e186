import { ActionIcon, CloseButton, Tooltip, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ItemName } from '../catalog/item/item-name.tsx';
import { PlusIcon } from '../icons.tsx';
import classes from './editor.module.css';
import { getTitle, isQuery, type Tab } from './workspace/tab.ts';

interface TabStripProps {
  readonly tabs: readonly Tab[];
  /** The key of the shown tab. */
  readonly active: string;
  readonly onClose: (tab: Tab) => void;
  readonly onNew: () => void;
}

/** The open tabs as links, so that each has an address. */
export function TabStrip({ tabs, active, onClose, onNew }: TabStripProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (active !== '')
      list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);
  return (
    <nav className={classes.tabs} aria-label="Open texts">
      <ul ref={list} className={classes.list}>
        {tabs.map((tab) => (
          <TabItem key={tab.id} tab={tab} isActive={tab.key === active} onClose={() => onClose(tab)} />
        ))}
      </ul>
      <Tooltip label="New query">
        <ActionIcon variant="subtle" color="gray" size={32} aria-label="New query" onClick={onNew} mt={2}>
          <PlusIcon size={16} />
        </ActionIcon>
      </Tooltip>
    </nav>
  );
}

interface TabItemProps {
  readonly tab: Tab;
  readonly isActive: boolean;
  readonly onClose: () => void;
}

function TabItem({ tab, isActive, onClose }: TabItemProps) {
  const { key, isChanged } = tab;
  const title = getTitle(key);
  const isUnsaved = isChanged && !isQuery(key);
  return (
    <li className={classes.tab} data-active={isActive || undefined}>
      <Link
        to="/sql/$"
        params={{ _splat: key }}
        className={classes.link}
        aria-current={isActive ? 'page' : undefined}
        preload={false}
        title={isQuery(key) ? undefined : key}
      >
        <ItemName name={title} />
        {isUnsaved && (
          <>
            <span className={classes.dot} />
            <VisuallyHidden>(not saved)</VisuallyHidden>
          </>
        )}
      </Link>
      <CloseButton size="sm" aria-label={`Close ${title}`} onClick={onClose} />
    </li>
  );
}
