import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { createToken, type NewToken, type TokenRequest } from '../../api/tokens.ts';
import { useUnsaved } from '../../api/unsaved.ts';
import { ErrorAlert } from '../error-alert.tsx';
import { OneTimeValue } from '../one-time-value.tsx';
import { UserPicker } from '../user-picker.tsx';

interface CreateTokenDialogProps {
  /** The default owner; administrators can choose another one. */
  readonly owner: string;
  readonly mayChooseOwner: boolean;
  /** The scope that is chosen first; `all` by default. */
  readonly scope?: TokenScope;
  /** Called with the new token, unless none was created. */
  readonly onClose: (made?: NewToken) => void;
}

/** Creates a token and shows it once (docs/reference/tokens.md#form-and-storage). */
export function CreateTokenDialog({ owner, mayChooseOwner, scope = 'all', onClose }: CreateTokenDialogProps) {
  const client = useQueryClient();
  const creation = useMutation({ mutationFn: (token: TokenRequest) => createToken(client, token) });
  const made = creation.data;
  const close = () => onClose(made);
  // A click outside the dialog must not close it while it shows a token.
  const isAtRest = made === undefined && !creation.isPending;
  return (
    <Modal
      opened
      onClose={close}
      title={made === undefined ? 'Create an API key' : 'Your new API key'}
      size="lg"
      centered
      closeOnClickOutside={isAtRest}
      closeOnEscape={isAtRest}
      withCloseButton={isAtRest}
    >
      {made === undefined ? (
        <TokenForm
          owner={owner}
          mayChooseOwner={mayChooseOwner}
          firstScope={scope}
          isPending={creation.isPending}
          error={creation.error}
          onSubmit={(token) => creation.mutate(token)}
          onCancel={close}
        />
      ) : (
        <NewTokenValue token={made} onDone={close} />
      )}
    </Modal>
  );
}

const DAY_MS = 86_400_000;

/** The lifetimes of tokens (docs/reference/tokens.md#expiry); the values of most are numbers of days. */
const EXPIRATIONS = [
  { value: '30', label: '30 days' },
  { value: '60', label: '60 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a day of your choice' },
  { value: 'never', label: 'Never' },
];

type TokenScope = NonNullable<TokenRequest['scope']>;

/** One sentence for each scope (docs/reference/tokens.md#scopes). */
const SCOPES: Readonly<Record<TokenScope, string>> = {
  read: 'It reads, and runs and changes nothing.',
  query: 'It reads, and runs queries that change nothing: for a dashboard.',
  write: 'It runs everything that its owner may run, and changes content: for a pipeline.',
  scim: 'It manages users and groups for an identity provider, and nothing else. Its owner must be an administrator.',
  all: 'It may do everything that its owner may do.',
};

const toScope = (value: string): TokenScope => (value in SCOPES ? (value as TokenScope) : 'all');

interface TokenFormProps extends Pick<CreateTokenDialogProps, 'owner' | 'mayChooseOwner'> {
  readonly firstScope: TokenScope;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: (token: TokenRequest) => void;
  readonly onCancel: () => void;
}

function TokenForm({
  owner,
  mayChooseOwner,
  firstScope,
  isPending,
  error,
  onSubmit,
  onCancel,
}: TokenFormProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [expires, setExpires] = useState('90');
  const [day, setDay] = useState('');
  const [chosenOwner, setOwner] = useState(owner);
  const [scope, setScope] = useState(firstScope);
  useUnsaved(name !== '' || description !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const texts = { name: name.trim(), description: description.trim() };
    onSubmit({
      ...texts,
      expires_at: toExpiry(expires, day),
      owner: chosenOwner,
      scope,
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="Name of the program that uses the API key"
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label="Description"
          maxLength={1000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Group grow align="flex-start">
          <NativeSelect
            label="Expiration"
            data={EXPIRATIONS}
            value={expires}
            onChange={(event) => setExpires(event.currentTarget.value)}
          />
          {expires === 'date' && (
            <TextInput
              label="Expires on"
              description="At 00:00 UTC"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              type="date"
              required
              min={printDay(1)}
              max="9999-12-31"
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          )}
        </Group>
        {mayChooseOwner && (
          <UserPicker
            label="Owner"
            description="The API key acts as this user"
            value={chosenOwner}
            onChange={setOwner}
          />
        )}
        <ScopeSelect value={scope} onChange={setScope} />
        {error !== null && <ErrorAlert title="The API key was not created" error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Create API key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ScopeSelectProps {
  readonly value: TokenScope;
  readonly onChange: (scope: TokenScope) => void;
}

/** Chooses what a token may do at most. */
function ScopeSelect({ value, onChange }: ScopeSelectProps) {
  return (
    <NativeSelect
      label="Scope"
      description={SCOPES[value]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={Object.keys(SCOPES)}
      value={value}
      onChange={(event) => onChange(toScope(event.currentTarget.value))}
    />
  );
}

function toExpiry(choice: string, day: string): string {
  if (choice === 'date') return day;
  return choice === 'never' ? choice : new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}

/** The date (UTC) after the given number of days. */
function printDay(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

interface NewTokenValueProps {
  readonly token: NewToken;
  readonly onDone: () => void;
}

/** The value of a new token, which is shown only once (docs/reference/tokens.md#form-and-storage). */
function NewTokenValue({ token, onDone }: NewTokenValueProps) {
  return (
    <OneTimeValue
      title="Copy it now"
      label={`API key ${token.name}`}
      value={token.token}
      doneLabel="Done"
      onDone={onDone}
    >
      The API key is shown only once. After you close this dialog, you cannot see it again.
    </OneTimeValue>
  );
}
