import type { ReactNode } from 'react';
import classes from './run.module.css';

/** How a message looks. */
export type MessageKind = 'success' | 'warning' | 'danger';

interface MessageLineProps {
  readonly icon: ReactNode;
  readonly kind: MessageKind;
  readonly children: ReactNode;
}

/** A message of a run, next to an icon of its kind. */
export function MessageLine({ icon, kind, children }: MessageLineProps) {
  return (
    <div className={classes.line}>
      <span className={classes.icon} data-kind={kind}>
        {icon}
      </span>
      <div className={classes.lineText}>{children}</div>
    </div>
  );
}
