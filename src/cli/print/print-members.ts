import type { GroupBody } from '../../identity/accounts/group-body.ts';
import type { CliContext } from '../context/context.ts';

/** Prints the members of a group: a line on standard error, or the record as JSON on standard output. */
export async function printMembers(
  { stdout, notices }: CliContext,
  group: GroupBody,
  asJson: boolean,
): Promise<void> {
  if (asJson) return stdout.write(`${JSON.stringify(group)}\n`);
  const members = group.members.length === 1 ? '1 member' : `${group.members.length} members`;
  await notices.write(`the group ${group.name} has ${members}\n`);
}
