import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteSaml, type StoredSaml } from '../../../api/administration/single-sign-on.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';
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
  const change = useSamlChange('Only administrators sign in with a password now');
  return (
    <FormDialog
      title="Refuse passwords?"
      submitLabel="Refuse passwords"
      onSubmit={() => change.mutate({ sso_only: true }, { onSuccess: onClose })}
      onClose={onClose}
      isPending={change.isPending}
      isDangerous
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
      {change.error !== null && <ErrorAlert title="The setting was not changed" error={change.error} />}
    </FormDialog>
  );
}

function DeleteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => deleteSaml(client),
    onSuccess: () => {
      notify('Switched single sign-on off');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Switch single sign-on off?"
      submitLabel="Delete the settings"
      onSubmit={() => deletion.mutate()}
      onClose={onClose}
      isPending={deletion.isPending}
      isDangerous
    >
      <Text>
        The settings and the certificates are deleted, and no user can sign in at the identity provider.
        Accounts stay. You cannot undo this.
      </Text>
      {deletion.error !== null && <ErrorAlert title="The settings were not deleted" error={deletion.error} />}
    </FormDialog>
  );
}
