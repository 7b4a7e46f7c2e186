import { ActionIcon, Button, Group, Kbd, Menu, Popover, Select, Stack, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { findWhetherLive } from '../../../api/runs/run.ts';
import {
  findBlockAt,
  findStatementAt,
  type ScriptBlock,
  type ScriptPart,
} from '../../../language/script-parts.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { ChevronIcon, PlayIcon, StopIcon } from '../../icons.tsx';
import { SideContent } from '../../results/side/side-content.tsx';
import { useSide } from '../../results/side/use-side.ts';
import { printKeys, SHORTCUTS } from '../../shortcuts/shortcuts.ts';
import { getTitle, type Tab } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { CompiledSql } from './compiled-sql.tsx';
import { toArgument } from './parameter-values.ts';
import classes from './run.module.css';
import { RunningDialog } from './running-dialog.tsx';
import type { ConnectionChoice } from './use-connection.ts';
import type { RunPart } from './use-run.ts';
import type { TextRunner } from './use-runner.ts';

interface RunBarProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  readonly runner: TextRunner;
  /** What the bar has between the connection and the button that runs the text. */
  readonly children: ReactNode;
}

/** Runs the text of a tab, and chooses its connection. */
export function RunBar({ workspace, tab, runner, children }: RunBarProps) {
  const [asked, setAsked] = useState<ScriptBlock | null>(null);
  const [waiting, setWaiting] = useState<RunPart | null>(null);
  const { isPending, liveRun, connection } = runner;
  const client = useQueryClient();
  const side = useSide();
  const run = async (part: RunPart) => {
    if (isPending) return;
    // The page may not know the end of the run yet.
    if (liveRun !== null && (await findWhetherLive(client, liveRun))) setWaiting(part);
    else runner.run(part);
  };
  const runChosen = (choice: Choice) =>
    runChoice(choice, readParts(workspace, tab.id, runner), (part) => void run(part), setAsked);
  useHotkeys(
    [
      [SHORTCUTS.here.keys, () => runChosen('here')],
      [SHORTCUTS.all.keys, () => runChosen('all')],
      [SHORTCUTS.block.keys, () => runChosen('block')],
    ],
    [],
    true,
  );
  return (
    <>
      <ConnectionSelect choice={connection} />
      {connection.allowedOverrides.length > 0 && <OverridesButton choice={connection} />}
      {children}
      <RunButton
        readParts={() => readParts(workspace, tab.id, runner)}
        runner={runner}
        onRun={runChosen}
        onCompile={() => side.open('sql')}
      />
      <SideContent part="sql" title="Compiled SQL">
        <CompiledSql workspace={workspace} tab={tab} runner={runner} />
      </SideContent>
      {asked !== null && (
        <ArgumentsDialog block={asked} onClose={() => setAsked(null)} onRun={(part) => void run(part)} />
      )}
      {waiting !== null && (
        <RunningDialog
          title={getTitle(tab)}
          isLive={liveRun !== null}
          onRun={() => {
            setWaiting(null);
            runner.run(waiting);
          }}
          onClose={() => setWaiting(null)}
        />
      )}
    </>
  );
}

/** The connection on which a text runs. */
function ConnectionSelect({ choice }: { readonly choice: ConnectionChoice }) {
  const { name, choose, connections, error, project } = choice;
  const ofProject = project === null ? [] : [{ value: '', label: `${project} (project)` }];
  return (
    <Select
      size="xs"
      className={classes.connection}
      aria-label="Connection"
      placeholder={error === null ? 'No connection to use' : 'Connections cannot be listed'}
      data={[
        ...ofProject,
        ...connections.map((connection) => ({ value: connection.name, label: connection.name })),
      ]}
      value={name === '' && project === null ? null : name}
      onChange={(next) => choose(next ?? '')}
      allowDeselect={false}
      nothingFoundMessage="You may not use any connection"
      comboboxProps={{ width: 240, position: 'bottom-start' }}
    />
  );
}

/** The overrides of the connection on which a text runs, in a popover. */
function OverridesButton({ choice }: { readonly choice: ConnectionChoice }) {
  const { name, allowedOverrides, overrides, setOverride } = choice;
  const names = printNames(allowedOverrides);
  const values = Object.values(overrides);
  return (
    <Popover position="bottom-start" shadow="md" width={260} trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default" className={classes.overrides}>
          {values.length === 0 ? names : `${names}: ${values.join(', ')}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="xs" c="dimmed">
            For runs of this text on {name}. Empty fields keep the value of the connection.
          </Text>
          {allowedOverrides.map((option) => (
            <TextInput
              key={option}
              size="xs"
              label={option}
              spellCheck={false}
              value={overrides[option] ?? ''}
              onChange={(event) => setOverride(option, event.currentTarget.value)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Names of options as a label: “Database and schema”. */
function printNames(names: readonly string[]): string {
  const text = new Intl.ListFormat('en').format(names);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

interface ArgumentsDialogProps {
  readonly block: ScriptBlock;
  readonly onClose: () => void;
  readonly onRun: (part: RunPart) => void;
}

/** Asks for the arguments of a block to run. */
function ArgumentsDialog({ block, onClose, onRun }: ArgumentsDialogProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const submit = () => {
    const entries = Object.entries(values).filter(([, value]) => value !== '');
    onRun({
      kind: 'block',
      name: block.name,
      args: Object.fromEntries(entries.map(([name, value]) => [name, toArgument(value)])),
    });
    onClose();
  };
  return (
    <FormDialog
      title={`Run ${block.name}`}
      submitLabel="Run"
      onSubmit={submit}
      onClose={onClose}
      isPending={false}
    >
      {block.params.map(({ name, default: value }, index) => (
        <TextInput
          key={name}
          label={name}
          required={value === null}
          description={value === null ? 'A text, a number, or JSON' : `Default: ${value}`}
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          autoComplete="off"
          data-autofocus={index === 0 || undefined}
        />
      ))}
    </FormDialog>
  );
}

/** What a key or the menu runs: the selection or the statement at the cursor, everything, or the block at the cursor. */
type Choice = 'here' | 'all' | 'block';

interface RunButtonProps {
  readonly readParts: () => Parts;
  readonly runner: TextRunner;
  readonly onRun: (choice: Choice) => void;
  /** Shows the SQL to which the text compiles. */
  readonly onCompile: () => void;
}

/**
 * Runs the selection or the statement at the cursor, or stops the run; its menu also runs everything, or the block at the
 * cursor.
 */
function RunButton({ readParts: read, runner, onRun, onCompile }: RunButtonProps) {
  const { isPending, liveRun, stop, isStopping } = runner;
  const [{ here, block, hasSelection }, setParts] = useState<Parts>(NO_PARTS);
  return (
    <Group gap={2} wrap="nowrap" className={classes.run}>
      {liveRun === null || isPending ? (
        <Button
          size="xs"
          leftSection={<PlayIcon size={14} />}
          loading={isPending}
          title={`Runs the selection, or the statement at the cursor (${printKeys(SHORTCUTS.here)})`}
          onClick={() => onRun('here')}
        >
          Run
        </Button>
      ) : (
        <Button
          size="xs"
          leftSection={<StopIcon size={14} />}
          loading={isStopping}
          title="Stops the run; its results so far remain"
          onClick={stop}
        >
          Stop
        </Button>
      )}
      <Menu position="bottom-end" width={320} shadow="md" onOpen={() => setParts(read())}>
        <Menu.Target>
          <ActionIcon size={30} aria-label="Run a part">
            <ChevronIcon size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={here === null}
            rightSection={<Kbd size="xs">{printKeys(SHORTCUTS.here)}</Kbd>}
            onClick={() => onRun('here')}
          >
            {hasSelection ? 'Run the selection' : 'Run the statement at the cursor'}
          </Menu.Item>
          <Menu.Item
            rightSection={<Kbd size="xs">{printKeys(SHORTCUTS.all)}</Kbd>}
            onClick={() => onRun('all')}
          >
            Run all
          </Menu.Item>
          <Menu.Item
            disabled={block === null}
            rightSection={<Kbd size="xs">{printKeys(SHORTCUTS.block)}</Kbd>}
            onClick={() => onRun('block')}
          >
            {block === null ? 'Run the block at the cursor' : `Run ${block.name}`}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={onCompile}>Show the compiled SQL</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** What of a text can run by itself. */
interface Parts {
  /** The selection, or the statement at the cursor. */
  readonly here: ScriptPart | null;
  readonly block: ScriptBlock | null;
  readonly hasSelection: boolean;
}

const NO_PARTS: Parts = { here: null, block: null, hasSelection: false };

function readParts(workspace: EditorWorkspace, id: number, { dialect }: TextRunner): Parts {
  const state = workspace.getState(id);
  if (state === undefined) return NO_PARTS;
  const { main } = state.selection;
  const text = state.doc.toString();
  return {
    here: main.empty ? findStatementAt(text, main.head, dialect) : { start: main.from, end: main.to },
    block: findBlockAt(text, main.head),
    hasSelection: !main.empty,
  };
}

/** Runs a part of a text. Without a statement at the cursor, the block there runs, else everything. */
function runChoice(
  choice: Choice,
  { here, block }: Parts,
  run: TextRunner['run'],
  onAsk: (block: ScriptBlock) => void,
): void {
  if (choice === 'here' && here !== null) run({ kind: 'part', ...here });
  else if (choice !== 'all' && block !== null) runBlock(block, run, onAsk);
  else if (choice !== 'block') run({ kind: 'all' });
}

/** Runs a block; asks first for the arguments that it takes. */
function runBlock(block: ScriptBlock, run: TextRunner['run'], onAsk: (block: ScriptBlock) => void) {
  if (block.params.length > 0) onAsk(block);
  else run({ kind: 'block', name: block.name, args: {} });
}
