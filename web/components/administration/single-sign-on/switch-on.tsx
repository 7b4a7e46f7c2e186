import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeSaml, deleteSaml, type StoredSaml } from '../../../api/administration/single-sign-on.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { ErrorAlert } from '../../error-alert.tsx';
import { notify } from '../../notify.ts';
import { Step } from './step.tsx';
import { useSamlChange } from './use-saml-change.ts';

interface SwitchOnProps {
  readonly saml: StoredSaml;
  /** Whether a test sign-in of this page has passed. */
  readonly isTested: boolean;
}

/** The button of the sign-in page, and whether passwords stay. */
export function SwitchOn({ saml, isTested }: SwitchOnProps) {
  const [dialog, setDialog] = useState<'only' | 'delete' | null>(null);
  const change = useSamlChange('Changed who signs in with a password');
  const { sso_only: isOnly } = saml;
  return (
    <Step
      title="5. Sign-in page"
      description={`The sign-in page has the button “Sign in with ${saml.name}”.`}
      state="done"
      stateText={isOnly ? 'on, only single sign-on' : 'on'}
    >
      <NameForm saml={saml} key={saml.name} />
      <Switch
        label="Only administrators sign in with a password"
        description="All other users sign in at the identity provider. Administrators find their form below the link “Administrators”."
        checked={isOnly}
        disabled={change.isPending}
        onChange={() => (isOnly ? change.mutate({ sso_only: false }) : setDialog('only'))}
      />
      {change.error !== null && <ErrorAlert title="The setting was not changed" error={change.error} />}
      <Group>
        <Button color="red" variant="default" onClick={() => setDialog('delete')}>
          Switch off
        </Button>
      </Group>
      {dialog === 'only' && <OnlyDialog isTested={isTested} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && <DeleteDialog onClose={() => setDialog(null)} />}
    </Step>
  );
}

function NameForm({ saml }: { readonly saml: StoredSaml }) {
  const change = useSamlChange('Changed the name of the button');
  const [name, setName] = useState(saml.name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ name: name.trim() });
      }}
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Name of the identity provider"
            required
            maxLength={100}
            style={{ flex: 1 }}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            disabled={name.trim() === saml.name}
            loading={change.isPending}
          >
            Rename
          </Button>
        </Group>
        {change.error !== null && <ErrorAlert title="The name was not changed" error={change.error} />}
      </Stack>
    </form>
  );
}

interface OnlyDialogProps {
  readonly isTested: boolean;
  readonly onClose: () => void;
}

/** Asks before passwords are refused to all but administrators. */
function OnlyDialog({ isTested, onClose }: OnlyDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title="Refuse passwords?"
      submitLabel="Refuse passwords"
      failure="The setting was not changed"
      action={() => changeSaml(client, { sso_only: true })}
      onDone={() => {
        notify('Only administrators sign in with a password now');
        onClose();
      }}
      onClose={onClose}
    >
      <Text>
        {isTested
          ? 'Users who are not administrators can then sign in only at the identity provider.'
          : 'No test sign-in has passed on this page. If the identity provider does not work, users who are not administrators cannot sign in.'}
      </Text>
      <Text>
        The way back: administrators sign in with their password below the link “Administrators” of the
        sign-in page, or use `quern sso saml set --sso-only off` on the machine of the server.
      </Text>
    </ConfirmDialog>
  );
}

function DeleteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title="Switch single sign-on off?"
      submitLabel="Delete the settings"
      failure="The settings were not deleted"
      action={() => deleteSaml(client)}
      onDone={() => {
        notify('Switched single sign-on off');
        onClose();
      }}
      onClose={onClose}
    >
      <Text>
        The settings and the certificates are deleted, and no user can sign in at the identity provider.
        Accounts stay. You cannot undo this.
      </Text>
    </ConfirmDialog>
  );
}
