import { MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupSearchQuery } from '../api/administration/groups.ts';

interface GroupPickerProps {
  /** The name of the field, for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  /** The name of a group; null if none is chosen. */
  readonly value: string | null;
  /** Called with null when the choice is cleared. */
  readonly onChange: (name: string | null) => void;
  /** Groups that cannot be chosen. */
  readonly without?: readonly string[];
}

/** Chooses one group, which the server searches; for administrators. */
export function GroupPicker({ label, placeholder, value, onChange, without = [] }: GroupPickerProps) {
  const { names, search } = useGroupSearch(value);
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      data={[...new Set([...(value === null ? [] : [value]), ...names])].filter(
        (name) => !without.includes(name),
      )}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
      onSearchChange={search}
      filter={({ options }) => options}
      nothingFoundMessage="No such group"
    />
  );
}

interface GroupsPickerProps {
  readonly label: string;
  readonly value: string[];
  readonly onChange: (names: string[]) => void;
}

/** Chooses several groups. */
export function GroupsPicker({ label, value, onChange }: GroupsPickerProps) {
  const { names, search } = useGroupSearch(null);
  return (
    <MultiSelect
      label={label}
      data={[...new Set([...value, ...names])]}
      value={value}
      onChange={onChange}
      searchable
      onSearchChange={search}
      nothingFoundMessage="No such group"
    />
  );
}

/** The groups that the server finds for what is typed; the name of the chosen group in the field is not a search. */
function useGroupSearch(chosen: string | null) {
  const [text, search] = useState('');
  const [searched] = useDebouncedValue(text === chosen ? '' : text.trim(), 200);
  const { data: names = [] } = useQuery({ ...groupSearchQuery(searched), placeholderData: keepPreviousData });
  return { names, search };
}
