import { Button, Group, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './option-fields.module.css';

/** A field that the server describes, such as an option of a kind of connection. */
interface DescribedField {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** A value that is written and never shown. */
  readonly secret: boolean;
  readonly multiline: boolean;
  /** What applies without a value, in words; null without a default. */
  readonly default: string | null;
}

/** Values by name; an empty text stands for none, and null for a stored secret to remove. */
export type TypedOptions = Readonly<Record<string, string | null>>;

interface OptionFieldsProps {
  readonly fields: readonly DescribedField[];
  readonly values: TypedOptions;
  readonly onChange: (values: TypedOptions) => void;
  /** The names of the secrets that are stored. */
  readonly stored: readonly string[];
  /** A message of the server, which is shown at the field that it names. */
  readonly error: string | null;
}

/** The fields of a form that the server describes. */
export function OptionFields({ fields, values, onChange, stored, error }: OptionFieldsProps) {
  return fields.map((field) => (
    <OptionField
      key={field.name}
      field={field}
      value={values[field.name]}
      isStored={stored.includes(field.name)}
      error={error !== null && namesField(error, field.name) ? error : null}
      onChange={(value) => {
        const { [field.name]: _, ...others } = values;
        onChange(value === undefined ? others : { ...values, [field.name]: value });
      }}
    />
  ));
}

/** Whether a message of the server is about a field: `Option port must be …`, `Option required for mysql: user`. */
export function namesField(message: string, name: string): boolean {
  const subject = /^(?:Option|Secret) (\S+)|^Option required for \S+: (\S+)|^The secret (\S+)/.exec(message);
  return subject?.slice(1).includes(name) === true;
}

interface OptionFieldProps {
  readonly field: DescribedField;
  readonly value: string | null | undefined;
  readonly isStored: boolean;
  readonly error: string | null;
  /** Called with undefined to keep a stored secret. */
  readonly onChange: (value: string | null | undefined) => void;
}

function OptionField({ field, value, isStored, error, onChange }: OptionFieldProps) {
  const [isReplacing, setReplacing] = useState(false);
  const shared = {
    label: field.name,
    description: field.description,
    required: field.required,
    autoComplete: 'off',
    spellCheck: false,
    error,
  };
  if (field.secret && isStored && !isReplacing) {
    return (
      <StoredSecret field={field} isRemoved={value === null} error={error} onChange={onChange}>
        <Button size="xs" variant="default" onClick={() => setReplacing(true)}>
          Replace {field.name}
        </Button>
      </StoredSecret>
    );
  }
  const text = value ?? '';
  const change = (next: string) => onChange(field.secret && isStored && next === '' ? undefined : next);
  const handle = { value: text, onChange: (event: ChangeEvent) => change(event.currentTarget.value) };
  if (field.multiline) {
    return (
      <Textarea
        {...shared}
        {...handle}
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
        {...shared}
        {...handle}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': `Show what is typed for ${field.name}`, tabIndex: 0 }}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      {...handle}
      placeholder={field.default === null ? '' : `Default: ${field.default}`}
    />
  );
}

/** The part of an event that the fields share. */
interface ChangeEvent {
  readonly currentTarget: { readonly value: string };
}

interface StoredSecretProps extends Pick<OptionFieldProps, 'field' | 'error' | 'onChange'> {
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
