import { ActionIcon, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { CloseIcon } from './icons.tsx';
import classes from './side-panel.module.css';

interface SidePanelProps {
  /** The name of what is shown. */
  readonly title: string;
  readonly onClose: () => void;
  /** Another number gives the open panel the focus. */
  readonly request?: number;
  readonly children: ReactNode;
}

/**
 * The details of what is chosen on a page: next to it, or above it where there is no room. The panel stays the same when
 * the room changes, with what is typed in it. Escape closes it.
 */
export function SidePanel({ title, onClose, request = 0, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Only when the panel opens, or is asked for: arrow keys in the list keep the focus there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request gives it the focus
  useEffect(() => {
    const field = panel.current?.querySelector<HTMLElement>('[data-autofocus]');
    (field ?? heading.current)?.focus();
  }, [request]);
  return (
    <aside
      ref={panel}
      className={classes.panel}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || isOpenList(event.target)) return;
        // Elements around the panel have another use of the key.
        event.preventDefault();
        onClose();
      }}
    >
      <div className={classes.head}>
        <Title order={2} ref={heading} tabIndex={-1} className={classes.title}>
          {title}
        </Title>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the panel" onClick={onClose}>
          <CloseIcon />
        </ActionIcon>
      </div>
      {children}
    </aside>
  );
}

/** Whether an element has an open list of choices, which the key closes, as Mantine's dialogs know it. */
function isOpenList(target: EventTarget): boolean {
  return target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
}
