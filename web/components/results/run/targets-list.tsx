import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordedTarget } from '../../../api/runs/run.ts';
import { showDirections } from '../../catalog/item/show-directions.ts';
import { CheckIcon, ErrorIcon, StopIcon } from '../../icons.tsx';
import { type MessageKind, MessageLine } from './message-line.tsx';
import { printTarget } from './print-run.ts';
import classes from './run.module.css';

const LOOKS: Readonly<Record<RecordedTarget['status'], readonly [kind: MessageKind, icon: ReactNode]>> = {
  PUBLISHED: ['success', <CheckIcon key="published" size={16} />],
  FAILED: ['danger', <ErrorIcon key="failed" size={16} />],
  SKIPPED: ['warning', <StopIcon key="skipped" size={16} />],
};

/** What a run has published, has failed to publish, and has skipped, in the order of their ends. */
export function TargetsList({ targets }: { readonly targets: readonly RecordedTarget[] }) {
  return (
    <ul className={classes.tests} aria-label="Publications">
      {targets.map((target, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows, and a target can end twice
        <li key={i}>
          <Target target={target} />
        </li>
      ))}
    </ul>
  );
}

function Target({ target }: { readonly target: RecordedTarget }) {
  const [kind, icon] = LOOKS[target.status];
  const { word, facts } = printTarget(target);
  return (
    <MessageLine icon={icon} kind={kind}>
      <Text size="sm" className={classes.message}>
        {word} <strong>{showDirections(target.name)}</strong> {facts}
      </Text>
      {target.message !== null && (
        <Text size="sm" c="dimmed" className={classes.message}>
          {showDirections(target.message)}
        </Text>
      )}
    </MessageLine>
  );
}
