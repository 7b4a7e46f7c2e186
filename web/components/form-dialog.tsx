import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useUnsaved } from '../api/unsaved.ts';

interface FormDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly isPending: boolean;
  /** Whether the form has input that a stray click must not discard. */
  readonly isDirty?: boolean;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
}

/** A dialog with a form. While it has input, only its buttons close it. */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, onSubmit, onClose, isPending, isDirty = false, size = 'md', children } = props;
  useUnsaved(isDirty);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onSubmit();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      centered
      closeOnClickOutside={!isDirty && !isPending}
      closeOnEscape={!isDirty && !isPending}
    >
      <form onSubmit={submit}>
        <Stack>
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={props.isDangerous}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={props.isDisabled ?? false}
              {...(props.isDangerous === true ? { color: 'red' } : {})}
            >
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
