import { realpathSync } from 'node:fs';
import { DatabaseError } from '../../../../../src/engine/connection/contract/connection.ts';
import { createGate, type StoredObject } from '../../../../../src/engine/connection/duckdb/gate/gate.ts';
import { finish } from '../../../../../src/engine/text/interruptible.ts';
import { makeSandboxedHome } from './sandbox.ts';

/** The error of the gate for a statement; null when the statement passes. */
export function judge(
  sql: string,
  stored: readonly StoredObject[] = [],
  folder = '/nowhere',
): DatabaseError | null {
  try {
    finish(createGate(folder, stored).checkStatement(sql));
    return null;
  } catch (error) {
    if (error instanceof DatabaseError) return error;
    throw error;
  }
}

/** A gate for the files of a new home, which contain a link to a place outside the folder. */
export function makeGate() {
  const { home, sandbox } = makeSandboxedHome();
  const files = realpathSync(sandbox.files);
  const check = (sql: string) => judge(sql, [], files)?.message ?? null;
  return { home: realpathSync(home), files, check };
}
