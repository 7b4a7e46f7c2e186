import { Alert, Button, Checkbox, Group, NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeConnection,
  createConnection,
  type KindDescription,
  type StoredConnection,
  testConnection,
} from '../../../api/administration/connections.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { DescribedFields } from '../../form/described-fields.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { WarningIcon } from '../../icons.tsx';
import { notify } from '../../notify.ts';
import {
  type ConnectionDraft,
  createDraft,
  namesField,
  printTested,
  toConnectionChange,
  toConnectionSettings,
  toDraft,
  withValue,
} from './connection-draft.ts';
import { TestResult } from './test-result.tsx';

interface ConnectionDialogProps {
  readonly kinds: readonly KindDescription[];
  /** The kind when the dialog opens. */
  readonly firstKind: KindDescription;
  /** The connection to change; null for a new one. */
  readonly stored: StoredConnection | null;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

/** Creates or changes a connection; asks before it stores settings that were not tested. */
export function ConnectionDialog({ kinds, firstKind, stored, onClose, onSaved }: ConnectionDialogProps) {
  const client = useQueryClient();
  const [before] = useState(stored === null ? createDraft(firstKind) : toDraft(stored));
  const [draft, setDraft] = useState(before);
  const [asked, setAsked] = useState<string | null>(null);
  const kind = kinds.find((one) => one.kind === draft.kind) ?? firstKind;
  const test = useConnectionTest(draft, kind);
  const saving = useMutation({
    mutationFn: () =>
      stored === null
        ? createConnection(client, toConnectionSettings(draft, kind))
        : changeConnection(client, stored, toConnectionChange(draft, kind, stored)),
    onSuccess: ({ name }) => {
      notify(stored === null ? `Created the connection ${name}` : `Changed the connection ${name}`);
      onClose();
      onSaved(name);
    },
  });
  const isUntested = test.isPossible && test.tested !== printTested(before) && test.result?.passed !== true;
  const isAsked = isUntested && asked === test.tested;
  const error = saving.error ?? test.error;
  return (
    <FormDialog
      title={stored === null ? 'Create a connection' : `Change ${stored.name}`}
      submitLabel={isAsked ? 'Save without a test' : 'Save'}
      onSubmit={() => (isUntested && !isAsked ? setAsked(test.tested) : saving.mutate())}
      onClose={onClose}
      isPending={saving.isPending}
      isDirty={JSON.stringify(draft) !== JSON.stringify(before)}
      size="lg"
    >
      <ConnectionFields
        draft={draft}
        kind={kind}
        kinds={kinds}
        stored={stored}
        error={error?.message ?? null}
        onChange={setDraft}
      />
      {test.isPossible && (
        <Group>
          <Button variant="default" loading={test.isPending} onClick={test.start}>
            Test
          </Button>
        </Group>
      )}
      {test.result !== undefined && <TestResult test={test.result} />}
      {isAsked && (
        <Alert color="grain" variant="light" icon={<WarningIcon />} role="alert" title="Not tested">
          These settings have not passed a test. Test them, or save them as they are.
        </Alert>
      )}
      <FormError
        title={saving.error === null ? 'The test did not run' : 'The connection was not stored'}
        error={error}
        kind={kind}
      />
    </FormDialog>
  );
}

/** A test of what is typed; its result disappears when the settings change. */
function useConnectionTest(draft: ConnectionDraft, kind: KindDescription) {
  const client = useQueryClient();
  const tested = printTested(draft);
  const test = useMutation({
    mutationFn: () => testConnection(client, toConnectionSettings(draft, kind)),
    onMutate: () => ({ tested }),
  });
  const isCurrent = test.context?.tested === tested;
  return {
    /** A model has no database. */
    isPossible: kind.kind !== 'semantic',
    tested,
    isPending: test.isPending,
    result: isCurrent ? test.data : undefined,
    error: isCurrent ? test.error : null,
    start: () => test.mutate(),
  };
}

interface FormErrorProps {
  readonly title: string;
  readonly error: Error | null;
  readonly kind: KindDescription;
}

/** An error that no field shows. */
function FormError({ title, error, kind }: FormErrorProps) {
  if (error === null || kind.options.some(({ name }) => namesField(error.message, name))) return null;
  return <ErrorAlert title={title} error={error} />;
}

interface FieldsProps extends Pick<ConnectionDialogProps, 'kinds' | 'stored'> {
  readonly draft: ConnectionDraft;
  readonly kind: KindDescription;
  readonly error: string | null;
  readonly onChange: (draft: ConnectionDraft) => void;
}

function ConnectionFields({ draft, kind, kinds, stored, error, onChange }: FieldsProps) {
  const set = (changed: Partial<ConnectionDraft>) => onChange({ ...draft, ...changed });
  const choose = (name: string) => {
    const chosen = kinds.find((one) => one.kind === name);
    // Options of the same name keep what is typed.
    if (chosen !== undefined) {
      const known = new Set(chosen.options.map((option) => option.name));
      const values = Object.entries(draft.values).filter(([option]) => known.has(option));
      set({ kind: name, values: Object.fromEntries(values), overrides: chosen.overrides });
    }
  };
  return (
    <>
      {stored === null && (
        <TextInput
          label="Name"
          required
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={draft.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        label="Kind"
        data={kinds.map(({ kind: value, title }) => ({ value, label: title }))}
        value={draft.kind}
        disabled={stored !== null}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" style={{ alignItems: 'end' }}>
        <DescribedFields
          fields={kind.options}
          values={draft.values}
          onChange={(name, value) => set({ values: withValue(draft.values, name, value) })}
          stored={stored?.secrets ?? []}
          findError={(name) => (error !== null && namesField(error, name) ? error : null)}
        />
      </SimpleGrid>
      <LimitFields draft={draft} kind={kind} onChange={set} />
      <Textarea
        label="Description"
        maxLength={4000}
        autosize
        minRows={1}
        maxRows={4}
        value={draft.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
    </>
  );
}

interface LimitFieldsProps extends Pick<FieldsProps, 'draft' | 'kind'> {
  readonly onChange: (changed: Partial<ConnectionDraft>) => void;
}

/** What a run on the connection may do. */
function LimitFields({ draft, kind, onChange }: LimitFieldsProps) {
  return (
    <>
      {kind.overrides.length > 0 && (
        <Checkbox.Group
          label="A run may override"
          value={[...draft.overrides]}
          onChange={(overrides) => onChange({ overrides })}
        >
          <Group gap="md" mt={4}>
            {kind.overrides.map((name) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          type="number"
          min={1}
          label="Time limit of a run, in seconds"
          placeholder="None"
          value={draft.timeout}
          onChange={(event) => onChange({ timeout: event.currentTarget.value })}
        />
        <TextInput
          type="number"
          min={1}
          label="Sessions at most"
          placeholder={kind.max_sessions === null ? 'No limit' : `Default: ${kind.max_sessions}`}
          value={draft.sessions}
          onChange={(event) => onChange({ sessions: event.currentTarget.value })}
        />
      </SimpleGrid>
    </>
  );
}
