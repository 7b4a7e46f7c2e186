import type { UserSettings } from '../../workspace/api/accounts-api.ts';
import type { CommandInput, OptionValue } from '../context/command.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { readPassword } from './new-password.ts';

const ROLES = ['ADMIN', 'EDITOR', 'VIEWER'];

/** What the options of `quern user create` and `quern user set` say about an account. Reads the password. */
export async function readUser(context: CliContext, options: CommandInput['options']): Promise<UserSettings> {
  const { email, displayName, role, passwordStdin } = options;
  return {
    email: toText(email),
    displayName: toText(displayName),
    role: readRole(toText(role)),
    active: readActive(options),
    password: passwordStdin === true ? await readPassword(context) : undefined,
  };
}

function toText(value: OptionValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A home keeps roles that it does not know; at the command line one is a typo. */
function readRole(role: string | undefined): string | undefined {
  if (role === undefined || ROLES.includes(role.toUpperCase())) return role;
  throw new UsageError(`unknown role ${role}: it is one of ${ROLES.join(', ')}`);
}

function readActive({ disabled, enabled }: CommandInput['options']): boolean | undefined {
  if (disabled === true && enabled === true) {
    throw new UsageError('--disabled and --enabled contradict each other');
  }
  if (disabled === true) return false;
  return enabled === true ? true : undefined;
}
