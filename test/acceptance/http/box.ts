import { beforeAll } from 'vitest';
import { type Shared, shareServer } from '../../support/server.ts';

/** A server with an empty folder, and bodies that create folders in it, each with a unique name. */
export function shareBox(): {
  readonly shared: Shared;
  newName(): string;
  newFolder(): string;
} {
  const shared = shareServer();
  let count = 0;
  beforeAll(async () => {
    await shared.admin.make('folders', '@Shared/box');
  });
  const newName = () => `item ${++count}`;
  return {
    shared,
    newName,
    newFolder: () => JSON.stringify({ parent_path: '@Shared/box', name: newName() }),
  };
}
