import { fieldErrors, getFields, getString, readFlag, readString, toFields } from '../../errors/fields.ts';
import type { GrantChange } from '../../identity/grants/plan-changes.ts';

/**
 * Reads the changes of a body of `POST /manage/grants/changes`, also from a file of a command; a missing list is empty.
 * Throws 400.
 */
export function readGrantChanges(body: unknown): readonly GrantChange[] {
  const list = toFields(body).changes ?? [];
  if (!Array.isArray(list)) throw fieldErrors.mustBeList('Changes');
  return list.map(readChange);
}

function readChange(value: unknown): GrantChange {
  const fields = getFields(value);
  return {
    target: getString(fields, 'target', 'Target'),
    subject: readString(fields, 'subject', 'Subject'),
    level: readString(fields, 'level', 'Level'),
    restricted: readFlag(fields, 'restricted', 'Restricted'),
  };
}
