import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type ColumnFilter,
  createRowTest,
  type FilterOperator,
  hasOperand,
  OPERATORS,
} from '../compute/filters.ts';
import type { ResultSource } from '../source/result-source.ts';

interface FilterFormProps {
  readonly source: ResultSource;
  readonly column: number;
  readonly onFilter: (filter: ColumnFilter) => void;
}

/** Chooses a condition for the rows that are shown. */
export function FilterForm({ source, column, onFilter }: FilterFormProps) {
  const { type = 'STRING' } = source.columns[column] ?? {};
  const [operator, setOperator] = useState<FilterOperator>(type === 'STRING' ? 'contains' : 'equals');
  const [operand, setOperand] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const filter = { column, operator, operand };
    if (createRowTest(source, filter) === null) {
      setInvalid(true);
      return;
    }
    onFilter(filter);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <NativeSelect
          label="Condition"
          data={[...OPERATORS]}
          value={operator}
          onChange={({ currentTarget }) => {
            setOperator(OPERATORS.find((other) => other === currentTarget.value) ?? 'contains');
            setInvalid(false);
          }}
        />
        {hasOperand(operator) && (
          <TextInput
            label="Value"
            data-autofocus
            value={operand}
            error={
              isInvalid && `This is not a value of the type ${type}. For example: ${EXAMPLES[type] ?? 'text'}`
            }
            onChange={({ currentTarget }) => {
              setOperand(currentTarget.value);
              setInvalid(false);
            }}
          />
        )}
        <Button type="submit" style={{ alignSelf: 'flex-end' }}>
          Filter
        </Button>
      </Stack>
    </form>
  );
}

const EXAMPLES: Readonly<Record<string, string>> = {
  INTEGER: '42',
  DECIMAL: '12.50',
  DOUBLE: '1.5e3',
  BOOLEAN: 'true',
  DATE: '2026-01-31',
  TIME: '14:30:00',
  TIMESTAMP: '2026-01-31 14:30:00',
};
