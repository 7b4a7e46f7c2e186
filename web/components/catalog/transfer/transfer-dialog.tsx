import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { TransferStatus } from './transfer-status.tsx';
import type { Transfer } from './use-transfer.ts';

interface TransferDialogProps {
  readonly title: string;
  /** What happens to the items, such as “uploaded”. */
  readonly verb: string;
  readonly transfer: Transfer;
  readonly onCancel: () => void;
  readonly onClose: () => void;
  /** The form before the transfer, with its buttons. */
  readonly children?: ReactNode;
}

/** A dialog that transfers several items. It stays open while it works, until it is cancelled or has ended. */
export function TransferDialog(props: TransferDialogProps) {
  const { title, verb, transfer, onCancel, onClose, children } = props;
  const isRunning = transfer.status === 'running';
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      centered
      closeOnClickOutside={!isRunning}
      closeOnEscape={!isRunning}
      withCloseButton={!isRunning}
    >
      {transfer.status === 'idle' ? (
        children
      ) : (
        <Stack>
          <TransferStatus transfer={transfer} verb={verb} />
          <Group justify="flex-end">
            {isRunning ? (
              <Button ref={takeFocus} variant="default" onClick={onCancel} data-autofocus>
                Cancel
              </Button>
            ) : (
              <Button ref={takeFocus} onClick={onClose} data-autofocus>
                Close
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** Moves the focus to the button of a new step: the button that had it is not shown in this step. */
function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus();
}
