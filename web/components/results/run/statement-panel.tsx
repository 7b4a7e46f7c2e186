import { Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RecordedRun, StatementRecording } from '../../../api/runs/run.ts';
import { CheckIcon, ErrorIcon, StopIcon } from '../../icons.tsx';
import { printDuration, printEffect } from './print-run.ts';
import { RowsPanel } from './rows-panel.tsx';
import classes from './run.module.css';
import { Place } from './run-diagnostic.tsx';

interface StatementPanelProps {
  readonly run: RecordedRun;
  readonly result: StatementRecording;
}

/** The result of one statement: its rows, or what it has done. */
export function StatementPanel({ run, result }: StatementPanelProps) {
  return (
    <>
      <Statement result={result} />
      {result.kind === 'rows' ? (
        <RowsPanel run={run.execution.id} result={result} />
      ) : (
        <Effect run={run} result={result} />
      )}
    </>
  );
}

/** The statement in one line, and its place in the source. */
function Statement({ result: { statement } }: { readonly result: StatementRecording }) {
  const { text, file, line, column } = statement;
  return (
    <div className={classes.statement}>
      <code className={classes.code} title={text}>
        {text.replace(/\s+/g, ' ')}
      </code>
      {file !== null && line !== null && (
        <span>
          <Place file={file} line={line} column={column ?? 1} />
        </span>
      )}
    </div>
  );
}

function Effect({ run, result }: StatementPanelProps) {
  const { started_at: start, ended_at: end } = result;
  const text = printEffect(result, run);
  const kind = KINDS[text] ?? 'success';
  return (
    <div className={classes.notice} role="status">
      <div className={classes.line}>
        <span className={classes.icon} data-kind={kind}>
          {ICONS[kind]}
        </span>
        <Text size="sm" pt={2}>
          {text}
          {end !== null &&
            ` ${kind === 'success' ? 'in' : 'after'} ${printDuration(Date.parse(end) - Date.parse(start))}`}
        </Text>
      </div>
    </div>
  );
}

type Kind = 'success' | 'danger' | 'warning' | 'info';

const KINDS: Readonly<Record<string, Kind>> = { Running: 'info', Failed: 'danger', Cancelled: 'warning' };

const ICONS: Readonly<Record<Kind, ReactNode>> = {
  success: <CheckIcon size={16} />,
  danger: <ErrorIcon size={16} />,
  warning: <StopIcon size={16} />,
  info: <Loader size={14} />,
};
