import type { Extension } from '@codemirror/state';
import { useState } from 'react';
import type { ScriptParameter } from '../../../api/editor/check-script.ts';
import type { Tab } from '../workspace/tab.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Values } from './parameter-values.ts';
import { useCheck } from './use-check.ts';
import type { ConnectionChoice } from './use-connection.ts';
import { type Part, useRun } from './use-run.ts';
import { useRunErrors } from './use-run-errors.ts';
import { useRunSettings } from './use-run-settings.ts';

/** How the text of a tab runs. */
export interface Runner {
  readonly run: (part: Part) => void;
  readonly isPending: boolean;
  /** Why the last run could not be started. */
  readonly error: Error | null;
  readonly connection: ConnectionChoice;
  readonly parameters: readonly ScriptParameter[];
  readonly values: Values;
  readonly setValue: (name: string, value: string) => void;
  /** The parameters that prevented the last run. */
  readonly incomplete: readonly string[];
  /** The support of the language, which checks the text while it is typed. */
  readonly extension: Extension;
}

/** Runs the text of a tab with the connection and the parameters of the page. */
export function useRunner(workspace: Workspace, tab: Tab): Runner {
  const settings = useRunSettings(tab.key);
  const { parameters, setParameters, extension } = useCheck(tab.key, settings.connection.name);
  const [incomplete, setIncomplete] = useState<readonly string[]>([]);
  const { run, isPending, error } = useRun(workspace, tab, {
    onParameters: (found, { kind }) => {
      const all = kind === 'selection' ? joinParameters(parameters, found) : found;
      setParameters(all);
      settings.remember(all);
    },
    onIncomplete: (names) => {
      setIncomplete(names);
      focusField(names[0] ?? '');
    },
  });
  useRunErrors(workspace, tab);
  return {
    run: (part) => {
      setIncomplete([]);
      const { name, overrides } = settings.connection;
      run({ part, connection: { name, overrides }, fill: settings.fill });
    },
    isPending,
    error,
    connection: settings.connection,
    parameters,
    values: settings.fill(parameters),
    setValue: settings.setValue,
    incomplete,
    extension,
  };
}

/** The parameters of a text and of its selection, each once. */
function joinParameters(
  all: readonly ScriptParameter[],
  selected: readonly ScriptParameter[],
): readonly ScriptParameter[] {
  return [...new Map([...all, ...selected].map((each) => [each.name, each])).values()];
}

/** Moves the focus to the field of a parameter, as soon as it is shown. */
function focusField(name: string): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(`[data-parameter="${CSS.escape(name)}"]`)?.focus();
  });
}
