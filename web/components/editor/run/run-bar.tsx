import { Button, Popover, Select, Stack, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import type { ScriptBlock } from '../../../language/script-parts.ts';
import type { Tab } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import { ArgumentsDialog } from './arguments-dialog.tsx';
import { CompiledDialog } from './compiled-dialog.tsx';
import classes from './run.module.css';
import { RunButton, readParts, runBlock } from './run-button.tsx';
import type { ConnectionChoice } from './use-connection.ts';
import type { RunPart } from './use-run.ts';
import type { TextRunner } from './use-runner.ts';

interface RunBarProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  readonly runner: TextRunner;
}

/** Runs the text of a tab, and chooses its connection. */
export function RunBar({ workspace, tab, runner }: RunBarProps) {
  const [asked, setAsked] = useState<ScriptBlock | null>(null);
  const [isCompiling, setCompiling] = useState(false);
  const { run, isPending, connection } = runner;
  const runPart = (kind: RunPart['kind']) => {
    const { block, hasSelection } = readParts(workspace, tab.id);
    if (kind === 'block' && block !== null) runBlock(block, run, setAsked);
    if (kind === 'selection' && hasSelection) run({ kind });
    if (kind === 'all') run({ kind });
  };
  useHotkeys(
    [
      ['mod+Enter', () => runPart('all')],
      ['mod+shift+Enter', () => runPart('selection')],
      ['alt+Enter', () => runPart('block')],
    ],
    [],
    true,
  );
  return (
    <>
      <RunButton
        workspace={workspace}
        id={tab.id}
        isPending={isPending}
        onRun={run}
        onAsk={setAsked}
        onCompile={() => setCompiling(true)}
      />
      <ConnectionSelect choice={connection} />
      {connection.allowedOverrides.length > 0 && <OverridesButton choice={connection} />}
      {isCompiling && (
        <CompiledDialog workspace={workspace} tab={tab} runner={runner} onClose={() => setCompiling(false)} />
      )}
      {asked !== null && <ArgumentsDialog block={asked} onClose={() => setAsked(null)} onRun={run} />}
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
  const count = Object.keys(overrides).length;
  return (
    <Popover position="bottom-start" shadow="md" width={260} trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default">
          {count === 0 ? 'Overrides' : `Overrides: ${count}`}
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
