import { NativeSelect, TextInput } from '@mantine/core';
import { ACCOUNT_ROLES } from '../../../api/administration/users-search.ts';

/** The texts of a new account, as they are typed. */
export interface AccountTexts {
  readonly user_name: string;
  readonly email: string;
  readonly role: string;
}

/** The fields of a new account at first. */
export const NO_ACCOUNT: AccountTexts = { user_name: '', email: '', role: 'EDITOR' };

interface AccountFieldsProps {
  readonly value: AccountTexts;
  readonly onChange: (value: AccountTexts) => void;
}

/** The fields that a new user has, whether created or invited. */
export function AccountFields({ value, onChange }: AccountFieldsProps) {
  const set =
    (field: keyof AccountTexts) => (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...value, [field]: event.currentTarget.value });
  return (
    <>
      <TextInput
        label="User name"
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={value.user_name}
        onChange={set('user_name')}
      />
      <TextInput label="E-mail" type="email" maxLength={255} value={value.email} onChange={set('email')} />
      <NativeSelect label="Role" data={[...ACCOUNT_ROLES]} value={value.role} onChange={set('role')} />
    </>
  );
}
