import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { CheckIcon, WarningIcon } from '../../icons.tsx';

interface NoticeProps {
  readonly kind: 'success' | 'warning';
  readonly title: string;
  /** Whether screen readers announce it at once. */
  readonly isUrgent?: boolean;
  readonly children: ReactNode;
}

const COLORS = {
  success: { text: 'var(--quern-success-text)', surface: 'var(--quern-success-surface)' },
  warning: { text: 'var(--quern-warning-text)', surface: 'var(--quern-warning-surface)' },
};

/** The result of an action, or something to decide. */
export function Notice({ kind, title, isUrgent = false, children }: NoticeProps) {
  const { text, surface } = COLORS[kind];
  return (
    <Alert
      title={title}
      icon={kind === 'success' ? <CheckIcon /> : <WarningIcon />}
      role={isUrgent ? 'alert' : 'status'}
      styles={{ root: { background: surface }, title: { color: text }, icon: { color: text } }}
    >
      {children}
    </Alert>
  );
}
