import { findPasswordFault, hashPassword } from '../identity/passwords.ts';
import { createDatabase } from '../store/database.ts';
import { createHomeFolders, homeAt, homeExists } from './home.ts';
import { createServices } from './services.ts';

export { findPasswordFault };

export interface Administrator {
  readonly userName: string;
  readonly email: string;
  /** Null: none; tokens and the local command line work without one. */
  readonly password: string | null;
}

/** Whether this folder is a home. */
export function hasHome(folder: string): boolean {
  return homeExists(homeAt(folder));
}

/**
 * Makes a home in this folder with its first administrator (design of a home: folders, key, catalog). Safe
 * to repeat after an interruption. Throws a HomeError when the folder cannot be written.
 */
export async function createHome(folder: string, administrator: Administrator): Promise<void> {
  const { userName, email, password } = administrator;
  const passwordHash = password === null ? {} : { passwordHash: await hashPassword(password) };
  createHomeFolders(homeAt(folder));
  const database = createDatabase(folder, { clock: () => new Date() });
  try {
    createServices(database, homeAt(folder)).users.ensureOwner({ userName, email, ...passwordHash });
  } finally {
    database.close();
  }
}
