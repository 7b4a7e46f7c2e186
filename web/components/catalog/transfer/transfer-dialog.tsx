import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorAlert } from '../../error-alert.tsx';
import { ItemName } from '../item/item-name.tsx';
import { Notice } from '../item/notice.tsx';
import { printCount, printCounted } from '../view/print-size.ts';
import classes from './transfer.module.css';
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

/** The number of items that a result lists. */
const MAX_LISTED = 200;

type TransferStatusProps = Pick<TransferDialogProps, 'transfer' | 'verb'>;

/** The progress of a transfer, and its result: the completed, skipped and failed items. */
function TransferStatus({ transfer, verb }: TransferStatusProps) {
  if (transfer.status === 'idle') return null;
  return transfer.status === 'running' ? (
    <Running transfer={transfer} />
  ) : (
    <Result transfer={transfer} verb={verb} />
  );
}

function Running({ transfer: { total, current, outcomes } }: Pick<TransferStatusProps, 'transfer'>) {
  const percent = total === null || total === 0 ? 0 : (100 * outcomes.length) / total;
  return (
    <Stack gap="xs">
      <Progress value={percent} aria-label="Progress" animated={total === null} />
      <Text size="sm" role="status">
        {total === null ? 'Counting the items…' : `${printCount(outcomes.length)} of ${printCount(total)}`}
      </Text>
      <Text size="xs" c="dimmed" component="div" className={classes.current}>
        <ItemName name={current} />
      </Text>
    </Stack>
  );
}

function Result({ transfer, verb }: TransferStatusProps) {
  const { outcomes, total, isCancelled, error, current } = transfer;
  const done = outcomes.filter(({ status }) => status === 'done').length;
  const others = outcomes.filter(({ status }) => status !== 'done');
  const isWhole = !isCancelled && error === null && others.every(({ status }) => status === 'skipped');
  const title = isWhole ? 'Done' : `Not everything was ${verb}`;
  const count = `${printCount(done)} of ${printCounted(total ?? done, 'item')} ${verb}.`;
  return (
    <Stack gap="sm">
      {error === null ? (
        <Notice kind={isWhole ? 'success' : 'warning'} title={isCancelled ? 'Cancelled' : title}>
          {count}
        </Notice>
      ) : (
        <>
          <ErrorAlert title={current === '' ? 'Nothing was done' : `Stopped at ${current}`} error={error} />
          <Text size="sm">{count}</Text>
        </>
      )}
      {others.length > 0 && (
        <ul className={classes.outcomes} aria-label="Items that were not transferred">
          {others.slice(0, MAX_LISTED).map(({ name, status, message }) => (
            <li key={name} data-status={status}>
              <ItemName name={name} isWrapped />
              <span className={classes.message}>
                {status === 'failed' ? 'Failed' : 'Skipped'}
                {message === undefined ? '' : `: ${message}`}
              </span>
            </li>
          ))}
          {others.length > MAX_LISTED && <li>and {printCount(others.length - MAX_LISTED)} more</li>}
        </ul>
      )}
    </Stack>
  );
}
