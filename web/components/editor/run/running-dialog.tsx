import { Button, Group, Modal, Stack, Text } from '@mantine/core';

interface RunningDialogProps {
  /** What people call the text. */
  readonly title: string;
  /** Whether the earlier run has not ended yet. */
  readonly isLive: boolean;
  readonly onRun: () => void;
  readonly onClose: () => void;
}

/** Asks before a text runs again while a run of it has not ended: a text has one run. */
export function RunningDialog({ title, isLive, onRun, onClose }: RunningDialogProps) {
  return (
    <Modal opened onClose={onClose} title={isLive ? `${title} is running` : `${title} has ended`} centered>
      <Stack>
        <Text>
          {isLive
            ? 'Its results so far are replaced when you stop it and run it again.'
            : 'Its results are replaced when you run it again.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {isLive ? 'Wait' : 'Keep its results'}
          </Button>
          <Button onClick={onRun} data-autofocus>
            {isLive ? 'Stop it and run' : 'Run'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
