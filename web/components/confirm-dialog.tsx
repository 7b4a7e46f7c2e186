import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorAlert } from './error-alert.tsx';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmDialogProps<Done> {
  /** A question. */
  readonly title: string;
  /** What the button does. */
  readonly submitLabel: string;
  /** The title of an error, such as “The group was not deleted”. */
  readonly failure: string;
  readonly action: () => Promise<Done>;
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
  /** Whether something is lost; default: yes. */
  readonly isDangerous?: boolean;
  /** Says which things are lost. */
  readonly children: ReactNode;
}

/** Asks for confirmation before something is done that may be hard to undo. */
export function ConfirmDialog<Done>(props: ConfirmDialogProps<Done>) {
  const { title, submitLabel, failure, action, onDone, onClose, isDangerous = true, children } = props;
  const { mutate, isPending, error } = useMutation({ mutationFn: action, onSuccess: onDone });
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      onSubmit={() => mutate()}
      onClose={onClose}
      isPending={isPending}
      isDangerous={isDangerous}
    >
      {children}
      {error !== null && <ErrorAlert title={failure} error={error} />}
    </FormDialog>
  );
}
