import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ScriptBlock } from '../../../language/script-parts.ts';
import { FormDialog } from '../../catalog/dialogs/form-dialog.tsx';
import { toArgument } from './parameter-values.ts';
import type { RunPart } from './use-run.ts';

interface ArgumentsDialogProps {
  readonly block: ScriptBlock;
  readonly onClose: () => void;
  readonly onRun: (part: RunPart) => void;
}

/** Asks for the arguments of a block to run. */
export function ArgumentsDialog({ block, onClose, onRun }: ArgumentsDialogProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const submit = () => {
    const entries = Object.entries(values).filter(([, value]) => value !== '');
    onRun({
      kind: 'block',
      name: block.name,
      args: Object.fromEntries(entries.map(([name, value]) => [name, toArgument(value)])),
    });
    onClose();
  };
  return (
    <FormDialog
      title={`Run ${block.name}`}
      submitLabel="Run"
      onSubmit={submit}
      onClose={onClose}
      isPending={false}
    >
      {block.params.map(({ name, default: value }, index) => (
        <TextInput
          key={name}
          label={name}
          required={value === null}
          description={value === null ? 'A text, a number, or JSON' : `Default: ${value}`}
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          autoComplete="off"
          data-autofocus={index === 0 || undefined}
        />
      ))}
    </FormDialog>
  );
}
