import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { LockIcon, WarningIcon } from '../icons.tsx';
import classes from './editor.module.css';

interface StripProps {
  readonly kind: 'info' | 'warning' | 'danger';
  /** Whether screen readers announce it at once. */
  readonly isUrgent?: boolean;
  readonly children: ReactNode;
  readonly actions?: readonly { readonly label: string; readonly onClick: () => void }[];
}

/** A fact about the shown text, with what the person can do about it. */
export function Strip({ kind, isUrgent = false, children, actions = [] }: StripProps) {
  return (
    <div className={classes.strip} data-kind={kind} role={isUrgent ? 'alert' : 'status'}>
      {kind === 'info' ? <LockIcon size={16} /> : <WarningIcon size={16} />}
      <div className={classes.stripText}>{children}</div>
      <Group gap="xs">
        {actions.map(({ label, onClick }) => (
          <Button key={label} size="compact-xs" variant="default" onClick={onClick}>
            {label}
          </Button>
        ))}
      </Group>
    </div>
  );
}
