import { listKinds } from '../../connections/record.ts';

/** The kinds that connections may have. */
export const CONNECTION_KINDS: readonly string[] = listKinds().map(({ kind }) => kind);
