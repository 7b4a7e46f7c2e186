import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { checkScript, type DerivedParameter } from '../../../api/editor/check-script.ts';
import { connectionsQuery } from '../../../api/editor/connections.ts';
import { findTables, functionsQuery, listSymbols } from '../../../api/editor/language.ts';
import { type RunMessage, runQuery } from '../../../api/runs/run.ts';
import type { TextDiagnostic } from '../../../language/diagnostics.ts';
import { quernLanguage } from '../../../language/quern-language.ts';
import { type EditorDialect, toDialect } from '../../../language/sql-keywords.ts';
import { notify, notifyNote } from '../../notify.ts';
import { findOffset, showRunErrors } from '../text/run-errors.ts';
import type { Tab } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';
import type { Values } from './parameter-values.ts';
import { placeText, printPlace } from './place.ts';
import type { ConnectionChoice } from './use-connection.ts';
import { type RunPart, type TabRun, useRun } from './use-run.ts';
import { useRunSettings } from './use-run-settings.ts';

/** How the text of a tab runs. */
export interface TextRunner extends TabRun {
  readonly run: (part: RunPart) => void;
  readonly connection: ConnectionChoice;
  readonly parameters: readonly DerivedParameter[];
  readonly values: Values;
  readonly setValue: (name: string, value: string) => void;
  /** The parameters that prevented the last run. */
  readonly incomplete: readonly string[];
  /** The support of the language, which checks the text while it is typed. */
  readonly extension: Extension;
  readonly dialect: EditorDialect;
  /** The kind of its connection; empty while it is not known. */
  readonly kind: string;
}

/** Runs the text of a tab with the connection and the parameters of the page. */
export function useRunner(workspace: EditorWorkspace, tab: Tab): TextRunner {
  const settings = useRunSettings(tab.key);
  const { parameters, setParameters, extension, dialect, kind } = useCheck(tab.key, settings.connection);
  const [incomplete, setIncomplete] = useState<readonly string[]>([]);
  const { run, ...tabRun } = useRun(workspace, tab, {
    onParameters: (derivedParameters, part, connection) => {
      const isPart = part.kind === 'part';
      const used = isPart ? describeAsWhole(derivedParameters, parameters) : derivedParameters;
      const all = isPart ? joinParameters(parameters, used) : used;
      setParameters(all);
      settings.remember(all, connection);
      return used;
    },
    onIncomplete: (names) => {
      setIncomplete(names);
      focusField(names[0] ?? '');
    },
  });
  useRunErrors(workspace, tab);
  return {
    ...tabRun,
    run: (part) => {
      setIncomplete([]);
      run({ part, connect: settings.connection.resolve, fill: settings.fill });
    },
    connection: settings.connection,
    parameters,
    values: settings.fill(parameters),
    setValue: settings.setValue,
    incomplete,
    extension,
    dialect,
    kind,
  };
}

/** The parameters of a part of a text, whose comments can be outside of the part. */
function describeAsWhole(
  selected: readonly DerivedParameter[],
  all: readonly DerivedParameter[],
): readonly DerivedParameter[] {
  return selected.map((parameter) => {
    const whole = all.find(({ name }) => name === parameter.name);
    return whole === undefined ? parameter : { ...whole, is_required: parameter.is_required };
  });
}

/** The parameters of a text and of a part of it, each once. */
function joinParameters(
  all: readonly DerivedParameter[],
  selected: readonly DerivedParameter[],
): readonly DerivedParameter[] {
  return [...new Map([...all, ...selected].map((parameter) => [parameter.name, parameter])).values()];
}

/** Moves the focus to the field of a parameter, as soon as it is shown. */
function focusField(name: string): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`)?.focus();
  });
}

/** Underlines the errors of a tab's last run in its text, and shows the first one. */
function useRunErrors(workspace: EditorWorkspace, { id, key, runId }: Tab): void {
  const { data } = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== null });
  const diagnostics = data?.execution.error?.diagnostics;
  useEffect(() => {
    const doc = workspace.getState(id)?.doc;
    const tabDiagnostics = diagnostics?.filter(({ file }) => file === printPlace(key)) ?? [];
    const [first] = tabDiagnostics;
    if (doc === undefined || first === undefined) return;
    const offset = findOffset(doc, first.line ?? 0, first.column ?? 0);
    const effects = offset === null ? [] : [EditorView.scrollIntoView(offset, { y: 'nearest' })];
    workspace.dispatch(id, { effects: [showRunErrors.of(tabDiagnostics), ...effects] });
  }, [workspace, id, key, diagnostics]);
}

interface Check {
  readonly parameters: readonly DerivedParameter[];
  readonly setParameters: (parameters: readonly DerivedParameter[]) => void;
  /** The support of the language, which checks the text while it is typed. */
  readonly extension: Extension;
  readonly dialect: EditorDialect;
  readonly kind: string;
}

/**
 * The support of the language for the text of a tab. The server checks the text as if it were saved, while it is typed, and
 * answers with diagnostics and with its parameters. The name of the connection is empty for the connection of the project.
 */
function useCheck(
  key: string,
  {
    name: connection,
    project,
    connections: usable,
  }: Pick<ConnectionChoice, 'name' | 'project' | 'connections'>,
): Check {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [parameters, setParameters] = useState<readonly DerivedParameter[]>([]);
  const { data: connections } = useQuery(connectionsQuery);
  const chosen = connection === '' ? project : connection;
  const kind = connections?.find(({ name }) => name === chosen)?.kind ?? '';
  const dialect = toDialect(kind);
  // A script can be checked without the right to use the connection.
  const checked = usable.some(({ name }) => name === chosen) ? chosen : null;
  const extension = useMemo(() => {
    const ownFile = printPlace(key);
    return quernLanguage({
      kind: 'script',
      dialect,
      check: async (content, signal) => {
        const check = await checkScript(client, placeText(key, content), checked, signal);
        if (!signal.aborted) setParameters(check.parameters);
        return check.data.filter(({ file }) => file === ownFile).flatMap(toDiagnostic);
      },
      symbols: { ownFile, list: (content) => listSymbols(client, placeText(key, content)) },
      listTables: async (project, wanted) => {
        const name = connection === '' ? project : connection;
        return name === null ? { data: [], omitted: 0 } : findTables(client, name, wanted);
      },
      listFunctions: async (project) => {
        const name = connection === '' ? project : connection;
        return name === null ? [] : (await client.fetchQuery(functionsQuery(name))).data;
      },
      inform: (message, isDone) => (isDone ? notify(message) : notifyNote(message)),
      open: ({ file, line }) => void navigate({ to: '/sql/$', params: { _splat: file }, search: { line } }),
    });
  }, [client, navigate, key, connection, checked, dialect]);
  return { parameters, setParameters, extension, dialect, kind };
}

function toDiagnostic({
  severity,
  message,
  suggestion,
  line,
  column,
  end,
}: RunMessage): readonly TextDiagnostic[] {
  if (line === undefined || column === undefined || end === undefined) return [];
  return [{ severity, message, suggestion, line, column, end }];
}
