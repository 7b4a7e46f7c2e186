import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { SaveAsDialog } from './save-as-dialog.tsx';
import { getTitle, isQuery, type Tab } from './workspace/tab.ts';
import type { EditorWorkspace } from './workspace/workspace.ts';

interface CloseDialogProps {
  readonly workspace: EditorWorkspace;
  readonly tab: Tab;
  readonly onStay: () => void;
  readonly onClose: () => void;
}

/** Asks before a tab with an unsaved text is closed; the text can be saved as a script first. */
export function CloseDialog({ workspace, tab, onStay, onClose }: CloseDialogProps) {
  const [isNaming, setNaming] = useState(false);
  const title = getTitle(tab.key);
  if (isNaming) return <SaveAsDialog workspace={workspace} tab={tab} onClose={onStay} onDone={onClose} />;
  return (
    <Modal opened onClose={onStay} title={`Close ${title}?`} size="lg" centered>
      <Stack>
        <Text>
          {isQuery(tab.key)
            ? `The text of ${title} is only in this browser, and is lost when you close it.`
            : `Your changes of ${title} are not saved, and are lost when you close it.`}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay} data-autofocus>
            Keep it open
          </Button>
          <Button variant="default" onClick={() => setNaming(true)}>
            Save as…
          </Button>
          <Button color="red" onClick={onClose}>
            Discard and close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
