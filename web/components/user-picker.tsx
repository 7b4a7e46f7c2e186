import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ListedUser, userSearchQuery } from '../api/administration/users.ts';

interface UserPickerProps {
  readonly label: string;
  /** Whether only screen readers read the label. */
  readonly isLabelHidden?: boolean;
  readonly description?: string;
  /** A user name; null if none is chosen. */
  readonly value: string | null;
  readonly onChange: (userName: string) => void;
  readonly placeholder?: string;
}

/** Chooses one user, whom the server searches by user name, e-mail address and display name; for administrators. */
export function UserPicker(props: UserPickerProps) {
  const { label, isLabelHidden = false, description, value, onChange, placeholder } = props;
  const [text, setText] = useState('');
  // The field has the label of the chosen user, which is not a search.
  const [searched] = useDebouncedValue(text.includes(' (') || text === value ? '' : text.trim(), 200);
  const { data: users = [], error } = useQuery({
    ...userSearchQuery(searched),
    placeholderData: keepPreviousData,
  });
  const isListed = value === null || users.some(({ user_name }) => user_name === value);
  const options = [...(isListed ? [] : [{ user_name: value, display_name: '', active: true }]), ...users].map(
    toOption,
  );
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      description={description}
      placeholder={placeholder}
      data={options}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      searchable
      onSearchChange={setText}
      // The next typed name replaces the chosen one.
      onClick={(event) => event.currentTarget.select()}
      filter={({ options: found }) => found}
      allowDeselect={false}
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
