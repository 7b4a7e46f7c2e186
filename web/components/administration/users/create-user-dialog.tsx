import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createUser, type NewAccount } from '../../../api/administration/users.ts';
import { ACCOUNT_ROLES } from '../../../api/administration/users-search.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormDialog } from '../../form-dialog.tsx';
import { notify } from '../../notify.ts';

/** Creates an account, with or without a password. */
export function CreateUserDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [account, setAccount] = useState({ user_name: '', email: '', role: 'EDITOR', password: '' });
  const creation = useMutation({
    mutationFn: (fields: NewAccount) => createUser(client, fields),
    onSuccess: ({ user_name }) => {
      notify(`Created the user ${user_name}`);
      onClose();
    },
  });
  const set =
    (field: keyof typeof account) => (event: { readonly currentTarget: { readonly value: string } }) =>
      setAccount({ ...account, [field]: event.currentTarget.value });
  const submit = () => {
    const { password, ...fields } = account;
    const named = { ...fields, user_name: account.user_name.trim(), email: account.email.trim() };
    creation.mutate(password === '' ? named : { ...named, password, password_is_typed: true });
  };
  return (
    <FormDialog
      title="Create a user"
      submitLabel="Create"
      onSubmit={submit}
      onClose={onClose}
      isPending={creation.isPending}
      isDirty={account.user_name !== '' || account.email !== '' || account.password !== ''}
    >
      <TextInput
        label="User name"
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={account.user_name}
        onChange={set('user_name')}
      />
      <TextInput label="E-mail" type="email" maxLength={255} value={account.email} onChange={set('email')} />
      <NativeSelect label="Role" data={[...ACCOUNT_ROLES]} value={account.role} onChange={set('role')} />
      <PasswordInput
        label="Password"
        description="Leave it empty for a user who signs in elsewhere, or is invited later"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
        value={account.password}
        onChange={set('password')}
      />
      {creation.error !== null && <ErrorAlert title="The user was not created" error={creation.error} />}
    </FormDialog>
  );
}
