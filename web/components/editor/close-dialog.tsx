import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { getTitle, isQuery, type Tab } from './workspace/tab.ts';

interface CloseDialogProps {
  readonly tab: Tab;
  readonly onStay: () => void;
  readonly onClose: () => void;
}

/** Asks before a tab with an unsaved text is closed. */
export function CloseDialog({ tab, onStay, onClose }: CloseDialogProps) {
  const title = getTitle(tab.key);
  return (
    <Modal opened onClose={onStay} title={`Close ${title}?`} centered>
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
          <Button color="red" onClick={onClose}>
            Discard and close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
