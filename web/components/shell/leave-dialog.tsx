import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { createStore, useStore } from '../../api/store.ts';
import { discardUnsaved, hasUnsaved } from '../../api/unsaved.ts';
import { ABOVE_DIALOGS } from './layers.ts';

/** A question whether to discard unsaved input, which `LeaveDialog` shows. */
interface Question {
  readonly answer: (mayLeave: boolean) => void;
}

const question = createStore<Question | null>(null);

/** Whether the page may be left: without unsaved input at once, otherwise as the person answers. */
export async function askToLeave(): Promise<boolean> {
  if (!hasUnsaved()) return true;
  const mayLeave = await new Promise<boolean>((resolve) => question.set({ answer: resolve }));
  question.set(null);
  if (mayLeave) discardUnsaved();
  return mayLeave;
}

/** Asks before unsaved input is discarded, also when the tab is closed. */
export function LeaveDialog() {
  const asked = useStore(question);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await askToLeave()),
    enableBeforeUnload: hasUnsaved,
  });
  const stay = () => asked?.answer(false);
  return (
    <Modal opened={asked !== null} onClose={stay} title="Discard your input?" centered zIndex={ABOVE_DIALOGS}>
      <Stack>
        <Text>This page has input that is not saved. It is lost if you leave the page.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus>
            Stay on the page
          </Button>
          <Button color="red" onClick={() => asked?.answer(true)}>
            Discard and leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
