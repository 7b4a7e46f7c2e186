import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const SHOW = { 'aria-label': 'Show what is typed', tabIndex: 0 };

interface PasswordFieldProps extends Pick<PasswordInputProps, 'autoFocus' | 'ref'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for the user's current password. */
export function CurrentPassword({ onChange, ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...props}
      label="Current password"
      name="current-password"
      autoComplete="current-password"
      visibilityToggleButtonProps={SHOW}
      required
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A field for a password that the user chooses. */
export function NewPassword({ onChange, ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...props}
      label="New password"
      description="At least 8 characters, and not easily guessed"
      name="new-password"
      autoComplete="new-password"
      visibilityToggleButtonProps={SHOW}
      required
      minLength={8}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The user name, hidden, so that password managers know whose password it is. */
export function HiddenUserName({ value }: { readonly value: string }) {
  return <input type="text" name="username" autoComplete="username" value={value} readOnly hidden />;
}
