import { ActionIcon, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { CloseIcon } from './icons.tsx';
import classes from './side-panel.module.css';

interface SidePanelProps {
  /** The name of what is shown. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The details of what is chosen on a page: next to it, or above it where there is no room. The panel stays the same when
 * the room changes, with what is typed in it. Escape closes it.
 */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Only when the panel opens: arrow keys in the list keep the focus there.
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside
      className={classes.panel}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
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
