import type { Extension } from '@codemirror/state';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { checkScript, type DerivedParameter } from '../../../api/editor/check-script.ts';
import { connectionsQuery } from '../../../api/editor/connections.ts';
import { listSymbols, tablesQuery } from '../../../api/editor/language.ts';
import type { RunMessage } from '../../../api/runs/run.ts';
import type { TextDiagnostic } from '../../../language/diagnostics.ts';
import { quernLanguage } from '../../../language/quern-language.ts';
import { toDialect } from '../../../language/sql-keywords.ts';
import { notify } from '../../notify.ts';
import { placeText, printPlace } from './place.ts';

interface Check {
  readonly parameters: readonly DerivedParameter[];
  readonly setParameters: (parameters: readonly DerivedParameter[]) => void;
  /** The support of the language, which checks the text while it is typed. */
  readonly extension: Extension;
}

/**
 * The support of the language for the text of a tab. The server checks the text as if it were saved, while it is typed, and
 * answers with diagnostics and with its parameters. `connection` is empty for the connection of the project.
 */
export function useCheck(key: string, connection: string): Check {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [parameters, setParameters] = useState<readonly DerivedParameter[]>([]);
  const { data: connections } = useQuery(connectionsQuery);
  const kind = connections?.find(({ name }) => name === connection)?.kind ?? '';
  const extension = useMemo(() => {
    const ownFile = printPlace(key);
    return quernLanguage({
      kind: 'script',
      dialect: toDialect(kind),
      check: async (content, signal) => {
        const check = await checkScript(client, placeText(key, content), signal);
        if (!signal.aborted) setParameters(check.parameters);
        return check.data.filter(({ file }) => file === ownFile).flatMap(toDiagnostic);
      },
      symbols: { ownFile, list: (content) => listSymbols(client, placeText(key, content)) },
      listTables: async (project) => {
        const name = connection === '' ? project : connection;
        return name === null ? [] : (await client.fetchQuery(tablesQuery(name))).data;
      },
      inform: notify,
      open: ({ file, line }) => void navigate({ to: '/sql/$', params: { _splat: file }, search: { line } }),
    });
  }, [client, navigate, key, connection, kind]);
  return { parameters, setParameters, extension };
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
