import type { UserSettings } from '../../identity/accounts/user-accounts.ts';
import { ROLES } from '../../identity/principal/roles.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';
import { readPassword } from './new-password.ts';

/** Only an existing account can be enabled. */
type AccountOptions = OptionsOf<'user create'> & Partial<Pick<OptionsOf<'user set'>, 'enabled'>>;

/** The account properties from the options of `quern user create` and `quern user set`. Reads the password. */
export async function readUser(context: CliContext, options: AccountOptions): Promise<UserSettings> {
  const { email, displayName, role, passwordStdin } = options;
  return {
    email: email,
    displayName: displayName,
    role: readRole(role),
    active: readActive(options),
    password: passwordStdin ? await readPassword(context) : undefined,
  };
}

/** A home accepts unknown roles; on the command line, an unknown role is a typo. */
export function readRole(role: string | undefined): string | undefined {
  if (role === undefined || ROLES.some((known) => known === role.toUpperCase())) return role;
  throw new UsageError(`unknown role ${role}: use ${ROLES.join(', ')}`);
}

export function readActive({
  disabled,
  enabled = false,
}: Pick<AccountOptions, 'disabled' | 'enabled'>): boolean | undefined {
  if (disabled && enabled) {
    throw new UsageError('--disabled and --enabled contradict each other');
  }
  if (disabled) return false;
  return enabled || undefined;
}
