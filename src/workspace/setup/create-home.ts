import { checkEmail, checkUserName } from '../../identity/check-text.ts';
import { createPasswords } from '../../identity/passwords/passwords.ts';
import { toPrincipal } from '../../identity/records/users.ts';
import { createDatabase } from '../../store/database.ts';
import { createHomeFolders, homeAt, homeExists } from '../home/home.ts';
import { createServices } from '../services/services.ts';

export interface Administrator {
  readonly userName: string;
  /** Undefined: the user name if it is an address, else `admin@localhost`. */
  readonly email: string | undefined;
  /** Null: no password; tokens and the local command line work without one. */
  readonly password: string | null;
}

/** Whether this folder is a home. */
export function hasHome(folder: string): boolean {
  return homeExists(homeAt(folder));
}

/**
 * Creates a home in this folder with its first administrator (design of a home: folders, key, catalog). Safe to repeat
 * after an interruption. Throws a HomeError when the folder cannot be written. For an invalid administrator, throws a
 * ServiceError (400) before anything is created.
 */
export async function createHome(folder: string, administrator: Administrator): Promise<void> {
  const { userName, email, password } = administrator;
  checkUserName(userName);
  if (email) checkEmail(email);
  const passwordHash = password === null ? {} : { passwordHash: await createPasswords().hash(password) };
  createHomeFolders(homeAt(folder));
  const database = createDatabase(folder, { clock: () => new Date() });
  try {
    const { users, audit } = createServices(database, homeAt(folder));
    database.write(() => {
      if (users.findOwner() !== undefined) return;
      const owner = users.ensureOwner({ userName, email, ...passwordHash });
      audit.record(toPrincipal(owner), { action: 'user.create', object: `${owner.userName}: role ADMIN` });
    });
  } finally {
    database.close();
  }
}
