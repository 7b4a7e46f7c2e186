import { useMutation, useQueryClient } from '@tanstack/react-query';
import { writeRunSettings } from '../../../api/editor/run-settings.ts';
import { listSoon } from '../../../api/runs/run.ts';
import { startRun } from '../../../api/runs/start-run.ts';
import { useSession } from '../../../api/use-session.ts';
import type { TableInfo } from '../../../language/completion/context.ts';
import { printPreview, printSelect, printStoredName, printTableName } from '../../../language/table-names.ts';
import { notifyFailure } from '../../notify.ts';
import { placeText } from '../run/place.ts';
import type { RunTarget } from '../workspace/run-target.ts';
import { toDoc } from '../workspace/tab.ts';
import type { EditorWorkspace } from '../workspace/workspace.ts';

/** What the panel does with a table or a column. */
export interface TableActions {
  readonly insertTable: (table: TableInfo) => void;
  readonly insertColumn: (name: string) => void;
  readonly insertSelect: (table: TableInfo) => void;
  /** Opens a query that reads the first rows, and runs it. */
  readonly preview: (table: TableInfo) => void;
}

interface UseTableActions {
  readonly workspace: EditorWorkspace;
  readonly target: RunTarget;
  readonly connection: string;
  readonly onShow: (key: string) => void;
  readonly onChosen: () => void;
}

/** The actions of tables, for the shown text and its connection. */
export function useTableActions(options: UseTableActions): TableActions {
  const { workspace, target, onChosen } = options;
  const { dialect } = target;
  const preview = usePreview(options);
  const insert = (text: string) => {
    onChosen();
    workspace.insert(text);
  };
  return {
    insertTable: (table) => insert(printTableName(table, dialect)),
    insertColumn: (name) => insert(printStoredName(name, dialect)),
    insertSelect: (table) => insert(printSelect(table, dialect)),
    preview: (table) => {
      onChosen();
      preview(printPreview(table, dialect));
    },
  };
}

/** Returns a function that runs a text as a new query, on the connection of the tables. */
function usePreview({ workspace, connection, onShow }: UseTableActions): (content: string) => void {
  const client = useQueryClient();
  const { user_name: user } = useSession().user;
  const { mutate } = useMutation({
    mutationFn: async (content: string) => {
      const key = workspace.openQuery();
      const id = workspace.tabs.get().find((tab) => tab.key === key)?.id;
      if (id === undefined) return;
      workspace.dispatch(id, { changes: { from: 0, insert: content } });
      writeRunSettings(user, key, { connection, values: {} });
      onShow(key);
      const { base, path } = placeText(key, content);
      const files = [{ path, content }];
      const on = { connection: { name: connection } };
      const runId = await startRun(client, { what: 'run', base, files, path, params: {}, ...on });
      workspace.setRun(id, runId, toDoc(content));
      listSoon(client);
    },
    onError: ({ message }) => notifyFailure(`The run was not started. ${message}`),
  });
  return mutate;
}
