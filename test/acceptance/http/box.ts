import { randomUUID } from 'node:crypto';
import { beforeAll } from 'vitest';
import { type Shared, shareKeptServer } from '../../support/server.ts';

/** A server with an empty folder for the file of tests, and bodies that create folders in it, each with a unique name. */
export function shareBox(): {
  readonly shared: Shared;
  /** The path of the folder, whose name is `box`. */
  readonly box: string;
  newName(): string;
  newFolder(): string;
} {
  const shared = shareKeptServer();
  const parent = `@Shared/${randomUUID()}`;
  const box = `${parent}/box`;
  let count = 0;
  beforeAll(async () => {
    for (const folder of [parent, box]) await shared.admin.make('folders', folder);
  });
  const newName = () => `item ${++count}`;
  return { shared, box, newName, newFolder: () => JSON.stringify({ parent_path: box, name: newName() }) };
}
