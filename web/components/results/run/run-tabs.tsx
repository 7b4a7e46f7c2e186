import { Badge, Loader, Stack, Tabs, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isLive, type RecordedRun, type StatementRecording } from '../../../api/runs/run.ts';
import { showDirections } from '../../catalog/item/show-directions.ts';
import { printCount, printCounted } from '../../catalog/view/print-size.ts';
import { CheckIcon, ErrorIcon, StopIcon, WarningIcon } from '../../icons.tsx';
import { MessageLine } from './message-line.tsx';
import {
  countMessages,
  hasFailed,
  isOneStatement,
  isWithoutRows,
  nameStatement,
  printDuration,
  printEffect,
} from './print-run.ts';
import { RowsPanel } from './rows-panel.tsx';
import classes from './run.module.css';
import { Place, RunDiagnostic } from './run-diagnostic.tsx';
import { TargetsList } from './targets-list.tsx';
import { countFailed, TestsPanel } from './tests-panel.tsx';

/** The tab of a run: the index of a statement, or another part. */
export type RunTab = number | 'tests' | 'messages';

/** The tabs that keep what they show while another one is shown: their number, and the bytes of the rows of each. */
const MAX_KEPT = 8;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

interface RunTabsProps {
  readonly run: RecordedRun;
  /** The chosen tab; absent before one is chosen. */
  readonly tab?: RunTab | undefined;
  readonly onTab?: (tab: RunTab) => void;
}

/** The results of a run: a tab for each statement, its tests, and its messages. */
export function RunTabs({ run, tab, onTab }: RunTabsProps) {
  const [chosen, setChosen] = useState<RunTab | undefined>(undefined);
  const [visited, setVisited] = useState<readonly RunTab[]>([]);
  const isOne = isOneStatement(run);
  const wanted = tab ?? chosen;
  const shown = wanted !== undefined && isThere(run, wanted) ? wanted : findFirst(run);
  const choose = (value: string | null) => {
    const next = value === 'tests' || value === 'messages' ? value : Number(value ?? 0);
    setChosen(next);
    if (shown !== null) setVisited([shown, ...visited.filter((other) => other !== shown)].slice(0, MAX_KEPT));
    onTab?.(next);
  };
  if (shown === null) return <Nothing run={run} />;
  return (
    <Tabs value={String(shown)} onChange={choose} className={classes.tabs}>
      {!isOne && <TabList run={run} />}
      {listMounted(run, shown, visited).map((each) => (
        <Tabs.Panel
          key={each}
          value={String(each)}
          className={classes.panel}
          {...(isOne ? { role: 'group', 'aria-labelledby': undefined, 'aria-label': 'Result' } : {})}
        >
          <Content run={run} tab={each} isShown={each === shown} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The names of the results, with their sizes. */
function TabList({ run }: { readonly run: RecordedRun }) {
  const messages = countMessages(run);
  const failedTargets = run.targets.filter(({ status }) => status === 'FAILED').length;
  return (
    <Tabs.List className={classes.list} aria-label="Results">
      {run.data.map((result) => (
        <Tabs.Tab
          key={result.index}
          value={String(result.index)}
          leftSection={hasFailed(result, run) ? <ErrorIcon size={16} /> : null}
          rightSection={isWithoutRows(result, run) ? null : <RowCount result={result} />}
          data-failed={hasFailed(result, run) || undefined}
        >
          <TabName result={result} />
          {hasFailed(result, run) && <VisuallyHidden>, failed</VisuallyHidden>}
        </Tabs.Tab>
      ))}
      {run.tests !== null && (
        <Tabs.Tab value="tests" rightSection={<FailedCount failed={countFailed(run.tests)} />}>
          Tests
        </Tabs.Tab>
      )}
      {messages > 0 && (
        <Tabs.Tab
          value="messages"
          leftSection={failedTargets > 0 ? <ErrorIcon size={16} /> : null}
          rightSection={<Count text={printCount(messages)} />}
          data-failed={failedTargets > 0 || undefined}
        >
          Messages
          {failedTargets > 0 && (
            <VisuallyHidden>, {printCounted(failedTargets, 'publication')} failed</VisuallyHidden>
          )}
        </Tabs.Tab>
      )}
    </Tabs.List>
  );
}

interface ContentProps {
  readonly run: RecordedRun;
  readonly tab: RunTab;
  readonly isShown: boolean;
}

function Content({ run, tab, isShown }: ContentProps) {
  if (tab === 'tests') return <TestsPanel tests={run.tests ?? []} />;
  if (tab === 'messages') return <MessagesPanel run={run} />;
  const result = run.data[tab];
  return result === undefined ? null : <StatementPanel run={run} result={result} isShown={isShown} />;
}

/** The content of a run without results. */
function Nothing({ run: { execution } }: { readonly run: RecordedRun }) {
  if (execution.state === 'failed') return null;
  return (
    <Text size="sm" c="dimmed" p="md">
      {isLive(execution) ? 'Results appear here as soon as there are some.' : 'No statement has a result.'}
    </Text>
  );
}

/** The number and the name of a statement; a long name is shortened, and shown as a whole to the pointer. */
function TabName({ result: { index, statement } }: { readonly result: StatementRecording }) {
  const name = `${index + 1} ${showDirections(nameStatement(statement))}`;
  return (
    <span className={classes.tabName} title={name}>
      {name}
    </span>
  );
}

function RowCount({
  result: { kind, rows, is_complete: isComplete },
}: {
  readonly result: StatementRecording;
}) {
  if (kind !== 'rows' || rows === null) return null;
  return <Count text={`${printCount(rows)}${isComplete ? '' : '…'}`} />;
}

function FailedCount({ failed }: { readonly failed: number }) {
  return failed === 0 ? null : <Count text={`${printCount(failed)} failed`} />;
}

function Count({ text }: { readonly text: string }) {
  return (
    <Badge size="sm" variant="default" className={classes.figures}>
      {text}
    </Badge>
  );
}

/** The shown tab and those that are kept, in an order that does not change: a moved element would lose its scroll position. */
function listMounted(run: RecordedRun, shown: RunTab, visited: readonly RunTab[]): readonly RunTab[] {
  const hiddenTabs = visited.filter((tab) => tab !== shown && mayBeKept(run, tab));
  return [shown, ...hiddenTabs].toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
}

/** Whether a tab keeps its rows while another one is shown. */
function mayBeKept(run: RecordedRun, tab: RunTab): boolean {
  return isThere(run, tab) && (typeof tab === 'string' || (run.data[tab]?.bytes ?? 0) <= MAX_KEPT_BYTES);
}

function isThere(run: RecordedRun, tab: RunTab): boolean {
  if (tab === 'tests') return run.tests !== null;
  return tab === 'messages' ? countMessages(run) > 0 : run.data[tab] !== undefined;
}

/** Tests, or else the first rows, or else the last statement, or else messages. */
function findFirst(run: RecordedRun): RunTab | null {
  if (run.tests !== null) return 'tests';
  const first = run.data.find(({ kind }) => kind === 'rows') ?? run.data.at(-1);
  return first?.index ?? (countMessages(run) > 0 ? 'messages' : null);
}

/** Warnings, and what the run has published. */
function MessagesPanel({ run }: { readonly run: RecordedRun }) {
  const { warnings, targets, schemas, omitted = 0 } = run;
  return (
    <Stack
      component="section"
      gap="md"
      p="md"
      className={classes.scrolled}
      tabIndex={0}
      aria-label="Messages"
    >
      {omitted > 0 && (
        <MessageLine icon={<WarningIcon size={16} />} kind="warning">
          <Text size="sm">
            The results of {printCounted(omitted, 'further statement')} were not stored. Run fewer statements
            at once to see them.
          </Text>
        </MessageLine>
      )}
      {warnings.map((warning, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: warnings have no identity
        <MessageLine key={i} icon={<WarningIcon size={16} />} kind="warning">
          <RunDiagnostic diagnostic={warning} />
        </MessageLine>
      ))}
      {schemas.map((name) => (
        <MessageLine key={name} icon={<CheckIcon size={16} />} kind="success">
          <Text size="sm" className={classes.message}>
            Created the schema {name}
          </Text>
        </MessageLine>
      ))}
      {targets.length > 0 && <TargetsList targets={targets} />}
    </Stack>
  );
}

interface EffectProps {
  readonly run: RecordedRun;
  readonly result: StatementRecording;
}

interface StatementPanelProps extends EffectProps {
  readonly isShown: boolean;
}

/** The result of one statement: its rows, or what it has done. */
function StatementPanel({ run, result, isShown }: StatementPanelProps) {
  const isOne = isOneStatement(run);
  const hasRows = result.kind === 'rows' && !isWithoutRows(result, run);
  // The state of the run says it already.
  if (isOne && !hasRows && ['failed', 'cancelled'].includes(run.execution.state)) return null;
  return (
    <>
      {!isOne && <Statement result={result} />}
      {hasRows ? (
        <RowsPanel run={run.execution.id} result={result} isShown={isShown} />
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
      <code className={classes.code} title={showDirections(text)}>
        {showDirections(text.replace(/\s+/g, ' '))}
      </code>
      {file !== null && line !== null && (
        <span>
          <Place file={file} line={line} column={column ?? 1} />
        </span>
      )}
    </div>
  );
}

function Effect({ run, result }: EffectProps) {
  const { started_at: start, ended_at: end } = result;
  const text = printEffect(result, run);
  const kind = KINDS[text] ?? 'success';
  return (
    <div className={classes.effect} role="status">
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
