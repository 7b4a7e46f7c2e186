import { UsageError } from '../context/errors.ts';

/** The value of `--revision`, which is required. Throws a UsageError. */
export function getRevision({ revision }: { readonly revision: number | undefined }, path: string): number {
  if (revision !== undefined) return revision;
  throw new UsageError(`missing \`--revision NUMBER\`: \`quern catalog log ${path}\` lists them`);
}
