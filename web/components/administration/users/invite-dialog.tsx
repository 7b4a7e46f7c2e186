import { Alert, Button, CopyButton, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inviteUser, type MadeInvitation, type NewInvitation } from '../../../api/administration/users.ts';
import { ACCOUNT_ROLES } from '../../../api/administration/users-search.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { GroupsPicker } from '../../group-picker.tsx';
import { CheckIcon, CopyIcon, WarningIcon } from '../../icons.tsx';

/** Invites a new user, and shows the link once (docs/reference/invitations.md). */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState({ user_name: '', email: '', role: 'EDITOR' });
  const [chosen, setChosen] = useState<string[]>([]);
  const invitation = useMutation({ mutationFn: (body: NewInvitation) => inviteUser(client, body) });
  if (invitation.data !== undefined) return <InvitationLink invitation={invitation.data} onClose={onClose} />;
  const set =
    (field: keyof typeof fields) => (event: { readonly currentTarget: { readonly value: string } }) =>
      setFields({ ...fields, [field]: event.currentTarget.value });
  const submit = () => {
    const email = fields.email.trim();
    invitation.mutate({
      user_name: fields.user_name.trim(),
      role: fields.role,
      ...(email === '' ? {} : { email }),
      ...(chosen.length === 0 ? {} : { groups: chosen }),
    });
  };
  return (
    <FormDialog
      title="Invite a user"
      submitLabel="Create the link"
      onSubmit={submit}
      onClose={onClose}
      isPending={invitation.isPending}
      isDirty={fields.user_name !== '' || fields.email !== '' || chosen.length > 0}
    >
      <TextInput
        label="User name"
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={fields.user_name}
        onChange={set('user_name')}
      />
      <TextInput label="E-mail" type="email" maxLength={255} value={fields.email} onChange={set('email')} />
      <NativeSelect label="Role" data={[...ACCOUNT_ROLES]} value={fields.role} onChange={set('role')} />
      <GroupsPicker label="Groups" value={chosen} onChange={setChosen} />
      {invitation.error !== null && (
        <ErrorAlert title="The invitation was not created" error={invitation.error} />
      )}
    </FormDialog>
  );
}

interface InvitationLinkProps {
  readonly invitation: MadeInvitation;
  readonly onClose: () => void;
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });

/** The link of an invitation, which is shown only once. */
export function InvitationLink({
  invitation: { user_name, link, expires_at },
  onClose,
}: InvitationLinkProps) {
  useUnsaved(true);
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Link for ${user_name}`}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="grain" variant="light" icon={<WarningIcon />} title="Send it now" role="alert">
          The link is shown only once, and works once, until {MOMENT.format(new Date(expires_at))}. Quern
          sends no e-mail: send it yourself, only to {user_name}.
        </Alert>
        <TextInput
          label="Link"
          value={link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          spellCheck={false}
          autoComplete="off"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group justify="flex-end">
          <CopyButton value={link} timeout={3_000}>
            {({ copied, copy }) => (
              <Button
                variant={copied ? 'light' : 'filled'}
                leftSection={copied ? <CheckIcon /> : <CopyIcon />}
                onClick={copy}
                autoFocus
              >
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            I have sent it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
