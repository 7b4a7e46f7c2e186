import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { stopRun } from '../../api/runs/run.ts';
import { mayCreate } from '../../api/session.ts';
import { useSession } from '../../api/use-session.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { SaveAsDialog } from './save-as-dialog.tsx';
import { getTitle, isQuery, type Tab } from './workspace/tab.ts';
import type { EditorWorkspace } from './workspace/workspace.ts';

interface CloseDialogProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  /** Whether its run has not ended. */
  readonly isRunning: boolean;
  readonly onStay: () => void;
  readonly onClose: () => void;
}

/** Asks before a tab is closed whose text is not saved, or runs; the text can be saved as a script first. */
export function CloseDialog({ workspace, tab, isRunning, onStay, onClose }: CloseDialogProps) {
  const [isNaming, setNaming] = useState(false);
  const [isStopped, setStopped] = useState(true);
  const client = useQueryClient();
  const { user } = useSession();
  const stopping = useMutation({
    mutationFn: async () => {
      if (isRunning && isStopped && tab.runId !== null) await stopRun(client, tab.runId);
    },
    onSuccess: onClose,
  });
  const close = () => stopping.mutate();
  const title = getTitle(tab);
  if (isNaming) return <SaveAsDialog workspace={workspace} tab={tab} onClose={onStay} onDone={close} />;
  return (
    <Modal opened onClose={onStay} title={`Close ${title}?`} size="lg" centered>
      <Stack>
        {tab.isChanged && (
          <Text>
            {isQuery(tab.key)
              ? `The text of ${title} is only in this browser.`
              : `Your changes of ${title} are not saved.`}{' '}
            You can reopen the last ten texts that you have closed in this browser.
          </Text>
        )}
        {isRunning && (
          <Checkbox
            label="Stop its run"
            description={`${title} is running. Without this, it runs to its end.`}
            checked={isStopped}
            onChange={(event) => setStopped(event.currentTarget.checked)}
          />
        )}
        {stopping.error !== null && <ErrorAlert title="The run was not stopped" error={stopping.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            Keep it open
          </Button>
          {tab.isChanged && mayCreate(user) && (
            <Button variant="default" onClick={() => setNaming(true)}>
              Save as…
            </Button>
          )}
          <Button loading={stopping.isPending} onClick={close}>
            Close it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
