import { Loader, Text } from '@mantine/core';
import type { Run, StatementResult } from '../../../api/runs/run.ts';
import { isLive } from '../../../api/runs/run.ts';
import { CheckIcon } from '../../icons.tsx';
import { printDuration, printEffect } from './print-run.ts';
import { RowsPanel } from './rows-panel.tsx';
import classes from './run.module.css';
import { Place } from './run-diagnostic.tsx';

interface StatementPanelProps {
  readonly run: Run;
  readonly result: StatementResult;
}

/** The result of one statement: its rows, or what it has done. */
export function StatementPanel({ run: { execution }, result }: StatementPanelProps) {
  return (
    <>
      <Statement result={result} />
      {result.kind === 'rows' ? (
        <RowsPanel run={execution.id} result={result} />
      ) : (
        <Effect result={result} isRunning={isLive(execution) && result.ended_at === null} />
      )}
    </>
  );
}

/** The statement in one line, and its place in the source. */
function Statement({ result: { statement } }: { readonly result: StatementResult }) {
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

interface EffectProps {
  readonly result: StatementResult;
  readonly isRunning: boolean;
}

function Effect({ result, isRunning }: EffectProps) {
  const { started_at: start, ended_at: end } = result;
  return (
    <div className={classes.notice} role="status">
      <div className={classes.line}>
        <span className={classes.icon} data-kind={isRunning ? undefined : 'success'}>
          {isRunning ? <Loader size={14} /> : <CheckIcon size={16} />}
        </span>
        <Text size="sm" pt={2}>
          {printEffect(result)}
          {end !== null && ` in ${printDuration(Date.parse(end) - Date.parse(start))}`}
        </Text>
      </div>
    </div>
  );
}
