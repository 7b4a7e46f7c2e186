import { Button, Group, PasswordInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './described-fields.module.css';

/** A field that the server describes: an option of a kind of connection, or a parameter of a script. */
export interface DescribedField {
  readonly name: string;
  readonly description: string | null;
  readonly required: boolean;
  /** A value that is written and never shown. */
  readonly secret: boolean;
  readonly multiline: boolean;
  /** What applies without a value, in words; null without a default. */
  readonly default: string | null;
  /** The type of its values; any text without one. */
  readonly type?: 'string' | 'number' | 'boolean' | 'date' | 'timestamp' | null;
  /** The only values that it takes; any value without them. */
  readonly choices?: readonly string[] | null;
}

/** Values by name; an empty text stands for none, and null for a stored secret to remove. */
export type TypedValues = Readonly<Record<string, string | null>>;

interface DescribedFieldsProps {
  readonly fields: readonly DescribedField[];
  readonly values: TypedValues;
  /** Called with undefined to keep a stored secret. */
  readonly onChange: (name: string, value: string | null | undefined) => void;
  /** The names of the secrets that are stored. */
  readonly stored?: readonly string[];
  /** What a field shows as its error. */
  readonly findError: (name: string) => string | null;
  readonly size?: 'xs' | 'sm';
  /** The class of each field. */
  readonly className?: string | undefined;
}

/** The fields of a form that the server describes. */
export function DescribedFields({
  fields,
  values,
  onChange,
  stored = [],
  findError,
  ...look
}: DescribedFieldsProps) {
  return fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      value={values[field.name]}
      isStored={stored.includes(field.name)}
      error={findError(field.name)}
      onChange={(value) => onChange(field.name, value)}
      {...look}
    />
  ));
}

interface FieldProps extends Pick<DescribedFieldsProps, 'size' | 'className'> {
  readonly field: DescribedField;
  readonly value: string | null | undefined;
  readonly isStored: boolean;
  readonly error: string | null;
  readonly onChange: (value: string | null | undefined) => void;
}

function Field({ field, value, isStored, error, onChange, ...look }: FieldProps) {
  const [isReplacing, setReplacing] = useState(false);
  if (field.secret && isStored && !isReplacing) {
    return (
      <StoredSecret field={field} isRemoved={value === null} error={error} onChange={onChange}>
        <Button size="xs" variant="default" onClick={() => setReplacing(true)}>
          Replace {field.name}
        </Button>
      </StoredSecret>
    );
  }
  const change = (next: string) => onChange(field.secret && isStored && next === '' ? undefined : next);
  const shared = {
    label: field.name,
    description: field.description,
    required: field.required,
    error,
    'data-field': field.name,
    ...look,
  };
  const choices = field.choices ?? (field.type === 'boolean' ? ['true', 'false'] : null);
  if (choices !== null) {
    return (
      <Select
        {...shared}
        data={[...choices]}
        value={value === '' || value === undefined ? null : value}
        onChange={(next) => change(next ?? '')}
        placeholder={printDefault(field)}
        searchable={choices.length > MANY_CHOICES}
        clearable={!field.required}
      />
    );
  }
  const typed = {
    ...shared,
    value: value ?? '',
    onChange: (event: ChangeEvent) => change(event.currentTarget.value),
    autoComplete: 'off',
    spellCheck: false,
  };
  return <TextField field={field} typed={typed} />;
}

/** From this number of choices on, one can be searched. */
const MANY_CHOICES = 10;

function printDefault({ default: value }: DescribedField): string {
  return value === null ? '' : `Default: ${value}`;
}

/** The part of an event that the fields share. */
interface ChangeEvent {
  readonly currentTarget: { readonly value: string };
}

interface TextFieldProps {
  readonly field: DescribedField;
  readonly typed: { readonly value: string; readonly onChange: (event: ChangeEvent) => void };
}

/** A field in which text is typed: of one line, of several, or a secret. */
function TextField({ field, typed }: TextFieldProps) {
  if (field.multiline) {
    return (
      <Textarea
        {...typed}
        autosize
        minRows={2}
        maxRows={8}
        classNames={field.secret ? { input: classes.secret ?? '' } : {}}
      />
    );
  }
  if (field.secret) {
    return (
      <PasswordInput
        {...typed}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': `Show what is typed for ${field.name}`, tabIndex: 0 }}
      />
    );
  }
  if (field.type === 'date' || field.type === 'timestamp') return <TimeField field={field} typed={typed} />;
  return (
    <TextInput
      {...typed}
      inputMode={field.type === 'number' ? 'decimal' : 'text'}
      placeholder={printDefault(field)}
    />
  );
}

/** A field for a date, or for a date with a time. Browsers show no placeholder in it, so its description has the default. */
function TimeField({ field, typed }: TextFieldProps) {
  const isDate = field.type === 'date';
  return (
    <TextInput
      {...typed}
      type={isDate ? 'date' : 'datetime-local'}
      step={isDate ? undefined : 1}
      value={typed.value.replace(' ', 'T')}
      onChange={({ currentTarget: { value } }) =>
        typed.onChange({ currentTarget: { value: value.replace('T', ' ') } })
      }
      description={[field.description ?? '', printDefault(field)].filter((text) => text !== '').join(' · ')}
    />
  );
}

interface StoredSecretProps extends Pick<FieldProps, 'field' | 'error' | 'onChange'> {
  readonly isRemoved: boolean;
  /** The button that replaces it. */
  readonly children: ReactNode;
}

/** A secret that is stored: it can be replaced or removed, and is never shown. */
function StoredSecret({ field, isRemoved, error, onChange, children }: StoredSecretProps) {
  return (
    <Stack gap={4} role="group" aria-label={field.name}>
      <Text size="sm" fw={500}>
        {field.name}
      </Text>
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {isRemoved ? 'Will be removed' : 'Set'}
        </Text>
        {children}
        <Button size="xs" variant="subtle" onClick={() => onChange(isRemoved ? undefined : null)}>
          {isRemoved ? `Keep ${field.name}` : `Remove ${field.name}`}
        </Button>
      </Group>
      {error !== null && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}
