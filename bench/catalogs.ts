import { spawnSync } from 'node:child_process';
import { toPrincipal } from '../src/identity/records/users.ts';
import { openDatabase } from '../src/store/database.ts';
import { homeAt } from '../src/workspace/home/home.ts';
import { createServices } from '../src/workspace/services/services.ts';
import { type Filled, quern } from './served.ts';

/** A script that every filled catalog has. */
export const READ = '@Shared/folder 5/script 50';

/**
 * Creates a home with folders that have the given number of scripts each, and with further folders by their numbers of
 * scripts. Its token is that of a user whose rights depend on grants.
 */
export function fillCatalog(
  home: string,
  folders: number,
  scripts: number,
  further: Readonly<Record<string, number>> = {},
): Filled {
  spawnSync(process.execPath, [quern, 'init', '--empty', '--home', home]);
  const database = openDatabase(home, { clock: () => new Date() });
  const { catalog, users, accounts } = createServices(database, homeAt(home));
  const principal = toPrincipal(users.findOwner()!);
  const sizes = new Map(Array.from({ length: folders }, (_, i) => [`folder ${i}`, scripts]));
  for (const [name, size] of Object.entries(further)) sizes.set(name, size);
  database.write(() => {
    for (const [name, size] of sizes) {
      catalog.createFolder(principal, { parentPath: '@Shared', name });
      for (let script = 0; script < size; script++) {
        catalog.createAsset(principal, {
          parentPath: `@Shared/${name}`,
          name: `script ${script}`,
          content: `SELECT ${script} AS number`,
        });
      }
    }
  });
  const reader = toPrincipal(users.create({ userName: 'reader' }));
  const { token } = accounts.tokens.create(reader, { name: 'bench' });
  database.close();
  return { home, token };
}
