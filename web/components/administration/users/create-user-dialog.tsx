import { PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createUser, type NewAccount } from '../../../api/administration/users.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { notify } from '../../notify.ts';
import { AccountFields, NO_ACCOUNT } from './account-fields.tsx';

/** Creates an account, with or without a password. */
export function CreateUserDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [account, setAccount] = useState(NO_ACCOUNT);
  const [password, setPassword] = useState('');
  const creation = useMutation({
    mutationFn: (fields: NewAccount) => createUser(client, fields),
    onSuccess: ({ user_name }) => {
      notify(`Created the user ${user_name}`);
      onClose();
    },
  });
  const submit = () => {
    const named = { ...account, user_name: account.user_name.trim(), email: account.email.trim() };
    creation.mutate(password === '' ? named : { ...named, password, password_is_typed: true });
  };
  return (
    <FormDialog
      title="Create a user"
      submitLabel="Create"
      onSubmit={submit}
      onClose={onClose}
      isPending={creation.isPending}
      isDirty={account.user_name !== '' || account.email !== '' || password !== ''}
    >
      <AccountFields value={account} onChange={setAccount} />
      <PasswordInput
        label="Password"
        description="Leave it empty for a user who signs in elsewhere, or is invited later"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {creation.error !== null && <ErrorAlert title="The user was not created" error={creation.error} />}
    </FormDialog>
  );
}
