import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { mysql } from './mysql.ts';
import { postgresql } from './postgresql.ts';

/** The dialects that SQL is made for (semantic 5). */
export const DIALECTS = { duckdb, postgresql, mysql } as const satisfies Readonly<Record<string, Dialect>>;

export type DialectName = keyof typeof DIALECTS;
