import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import type { ScriptBlock } from '../../../language/script-parts.ts';
import type { Tab } from '../workspace/tab.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ArgumentsDialog } from './arguments-dialog.tsx';
import { CompiledDialog } from './compiled-dialog.tsx';
import { ConnectionSelect } from './connection-select.tsx';
import { OverridesButton } from './overrides-button.tsx';
import { RunButton, readParts, runBlock } from './run-button.tsx';
import type { Part } from './use-run.ts';
import type { Runner } from './use-runner.ts';

interface RunBarProps {
  readonly workspace: Workspace;
  readonly tab: Tab;
  readonly runner: Runner;
}

/** Runs the text of a tab, and chooses its connection. */
export function RunBar({ workspace, tab, runner }: RunBarProps) {
  const [asked, setAsked] = useState<ScriptBlock | null>(null);
  const [isCompiling, setCompiling] = useState(false);
  const { run, isPending, connection } = runner;
  const runPart = (kind: Part['kind']) => {
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
