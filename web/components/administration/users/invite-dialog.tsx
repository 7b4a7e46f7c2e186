import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inviteUser, type MadeInvitation, type NewInvitation } from '../../../api/administration/users.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { GroupsPicker } from '../../group-picker.tsx';
import { OneTimeValue } from '../../one-time-value.tsx';
import { AccountFields, NO_ACCOUNT } from './account-fields.tsx';

/** Invites a new user, and shows the link once (docs/reference/invitations.md). */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [account, setAccount] = useState(NO_ACCOUNT);
  const [groups, setGroups] = useState<string[]>([]);
  const invitation = useMutation({ mutationFn: (body: NewInvitation) => inviteUser(client, body) });
  if (invitation.data !== undefined) {
    return <InvitationLink invitation={invitation.data} onClose={onClose} />;
  }
  const submit = () => {
    const email = account.email.trim();
    invitation.mutate({
      user_name: account.user_name.trim(),
      role: account.role,
      ...(email === '' ? {} : { email }),
      ...(groups.length === 0 ? {} : { groups }),
    });
  };
  return (
    <FormDialog
      title="Invite a user"
      submitLabel="Create the link"
      onSubmit={submit}
      onClose={onClose}
      isPending={invitation.isPending}
      isDirty={account.user_name !== '' || account.email !== '' || groups.length > 0}
    >
      <AccountFields value={account} onChange={setAccount} />
      <GroupsPicker label="Groups" value={groups} onChange={setGroups} />
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
      <OneTimeValue title="Send it now" label="Link" value={link} doneLabel="I have sent it" onDone={onClose}>
        The link is shown only once, and works once, until {MOMENT.format(new Date(expires_at))}. Quern sends
        no e-mail: send it yourself, only to {user_name}.
      </OneTimeValue>
    </Modal>
  );
}
