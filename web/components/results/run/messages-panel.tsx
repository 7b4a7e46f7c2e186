import { Stack, Text } from '@mantine/core';
import type { RecordedPublication, RecordedRun } from '../../../api/runs/run.ts';
import { printCounted } from '../../catalog/view/print-size.ts';
import { CheckIcon, WarningIcon } from '../../icons.tsx';
import { printDuration } from './print-run.ts';
import classes from './run.module.css';
import { RunDiagnostic } from './run-diagnostic.tsx';

/** The number of messages of a run. */
export function countMessages({ warnings, published, omitted = 0 }: RecordedRun): number {
  return warnings.length + published.length + Number(omitted > 0);
}

/** Warnings, and what the run has published. */
export function MessagesPanel({ run: { warnings, published, omitted = 0 } }: { readonly run: RecordedRun }) {
  return (
    <Stack gap="md" p="md" className={classes.scrolled}>
      {omitted > 0 && (
        <Line icon={<WarningIcon size={16} />} kind="warning">
          <Text size="sm">
            The results of {printCounted(omitted, 'further statement')} were not stored. Run fewer statements
            at once to see them.
          </Text>
        </Line>
      )}
      {warnings.map((warning, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: warnings have no identity
        <Line key={i} icon={<WarningIcon size={16} />} kind="warning">
          <RunDiagnostic diagnostic={warning} />
        </Line>
      ))}
      {published.map((publication) => (
        <Line key={publication.name} icon={<CheckIcon size={16} />} kind="success">
          <Text size="sm" className={classes.message}>
            {printPublished(publication)}
          </Text>
        </Line>
      ))}
    </Stack>
  );
}

function printPublished({ name, kind, rows, seconds }: RecordedPublication): string {
  if (kind === 'schema') return `Created the schema ${name}`;
  const size = rows === null ? '' : ` with ${printCounted(rows, 'row')}`;
  return `Published the ${kind} ${name}${size} in ${printDuration(seconds * 1_000)}`;
}

interface LineProps {
  readonly icon: React.ReactNode;
  readonly kind: 'warning' | 'success';
  readonly children: React.ReactNode;
}

function Line({ icon, kind, children }: LineProps) {
  return (
    <div className={classes.line}>
      <span className={classes.icon} data-kind={kind}>
        {icon}
      </span>
      <div className={classes.lineText}>{children}</div>
    </div>
  );
}
