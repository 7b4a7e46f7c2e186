import type { PublishedName } from '../../contract/connection.ts';
import type { Run } from '../../contract/run-inner.ts';
import { ScratchSchema } from '../relations/scratch-schema.ts';
import { hashTarget } from './publishing-sql.ts';

/** The hidden objects of a session, in the schemas of its targets. */
export interface Hidden {
  placeOf(target: PublishedName): ScratchSchema;
  /** The name of a hidden object for a target; `what` and `suffix` are words. */
  name(target: PublishedName, what: string, suffix?: string): PublishedName;
}

export function createHidden(aside: Run): Hidden {
  const schemas = new Map<string, ScratchSchema>();
  const placeOf = ({ database, schema }: PublishedName) => {
    const key = JSON.stringify([database, schema]);
    const scratchSchema = schemas.get(key) ?? new ScratchSchema(aside, { catalog: database, schema });
    schemas.set(key, scratchSchema);
    return scratchSchema;
  };
  return {
    placeOf,
    name(target, what, suffix = '') {
      const purpose = [what, hashTarget(target), suffix].filter((part) => part !== '').join('_');
      return { ...target, name: placeOf(target).nameOf(purpose) };
    },
  };
}
