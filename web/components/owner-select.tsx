import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ListedUser, usersQuery } from '../api/users.ts';

interface OwnerSelectProps {
  readonly label: string;
  readonly description?: string;
  /** A user name. */
  readonly value: string;
  readonly onChange: (userName: string) => void;
}

/** Chooses one of all users; for administrators. */
export function OwnerSelect({ label, description, value, onChange }: OwnerSelectProps) {
  const { data: users = [], error } = useQuery(usersQuery);
  const others = users.filter(({ user_name }) => user_name !== value);
  const owner = users.find(({ user_name }) => user_name === value);
  const options = [owner ?? { user_name: value, display_name: '', active: true }, ...others].map(toOption);
  return (
    <Select
      label={label}
      description={description}
      data={options}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      searchable
      allowDeselect={false}
      limit={200}
      nothingFoundMessage="No such user"
      error={error === null ? null : 'The users cannot be listed right now'}
    />
  );
}

function toOption({
  user_name,
  display_name,
  active,
}: Pick<ListedUser, 'user_name' | 'display_name' | 'active'>) {
  const name = display_name === '' ? user_name : `${user_name} (${display_name})`;
  return { value: user_name, label: active ? name : `${name}, disabled` };
}
