import type { UserSettings } from '../../workspace/api/accounts-api.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import type { OptionsOf } from '../table/commands.ts';
import { readPassword } from './new-password.ts';

/** Only an account that is there can be enabled. */
type AccountOptions = OptionsOf<'user create'> & Partial<Pick<OptionsOf<'user set'>, 'enabled'>>;

const ROLES = ['ADMIN', 'EDITOR', 'VIEWER'];

/** What the options of `quern user create` and `quern user set` say about an account. Reads the password. */
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

/** A home keeps roles that it does not know; at the command line one is a typo. */
function readRole(role: string | undefined): string | undefined {
  if (role === undefined || ROLES.includes(role.toUpperCase())) return role;
  throw new UsageError(`unknown role ${role}: it is one of ${ROLES.join(', ')}`);
}

function readActive({ disabled, enabled = false }: AccountOptions): boolean | undefined {
  if (disabled && enabled) {
    throw new UsageError('--disabled and --enabled contradict each other');
  }
  if (disabled) return false;
  return enabled || undefined;
}
