import { NativeSelect } from '@mantine/core';

interface ChoiceFilterProps<Value extends string> {
  /** The name of the filter, for screen readers. */
  readonly label: string;
  /** The text of the option that selects all rows. */
  readonly all: string;
  /** The other options: their texts by value. */
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value | undefined;
  /** Called with undefined for all rows. */
  readonly onChange: (value: Value | undefined) => void;
}

/** A filter of a list with a few values. */
export function ChoiceFilter<Value extends string>({
  label,
  all,
  names,
  value,
  onChange,
}: ChoiceFilterProps<Value>) {
  const values = Object.keys(names) as Value[];
  return (
    <NativeSelect
      aria-label={label}
      data={[{ value: '', label: all }, ...values.map((one) => ({ value: one, label: names[one] }))]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(values.find((one) => one === currentTarget.value))}
    />
  );
}
