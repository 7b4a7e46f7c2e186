import { DatabaseError, type Publishing } from '../contract/connection.ts';
import type { Run } from '../contract/run-inner.ts';
import type { TrinoState } from './session-state.ts';

const refuse = async () => {
  throw new DatabaseError('sql', 'Quern does not publish on Trino: write the table with CREATE TABLE … AS.');
};

export function createTrinoPublishing(_run: Run, _state: TrinoState): Publishing {
  return {
    resolve: refuse,
    ignoresCase: true,
    hasSchema: refuse,
    find: refuse,
    replaceTable: refuse,
    replaceView: refuse,
    append: refuse,
    merge: refuse,
    writeFile: refuse,
  };
}
