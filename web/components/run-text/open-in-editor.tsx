import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../api/use-session.ts';
import { isQuery } from '../editor/workspace/tab.ts';
import { SqlIcon } from '../icons.tsx';
import { notifyFailure } from '../notify.ts';
import { openQuery } from './open-query.ts';

interface OpenInEditorProps {
  readonly runId: string;
  /** The path of the script, or the name of a query. */
  readonly textKey: string;
  /** The text that ran, for a query that this browser does not have; null if it is not known. */
  readonly content: string | null;
}

/** Opens the text of a run in the editor, with the results below it. */
export function OpenInEditor({ runId, textKey, content }: OpenInEditorProps) {
  const navigate = useNavigate();
  const { user_name: user } = useSession().user;
  const open = async () => {
    const key = isQuery(textKey) ? await openQuery(user, content ?? '', runId) : textKey;
    await navigate({ to: '/sql/$', params: { _splat: key }, search: isQuery(key) ? {} : { run: runId } });
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<SqlIcon size={16} />}
      onClick={() => open().catch(() => notifyFailure('The editor could not be opened. Try it again.'))}
    >
      Open in the editor
    </Button>
  );
}
