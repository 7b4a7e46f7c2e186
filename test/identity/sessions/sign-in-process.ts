import { createInterface } from 'node:readline';
import { createAuditLog } from '../../../src/identity/audit/audit.ts';
import { createAnnouncements } from '../../../src/identity/context/announcements.ts';
import { createPasswords } from '../../../src/identity/passwords/passwords.ts';
import { createUserService } from '../../../src/identity/records/users.ts';
import { createSessionService } from '../../../src/identity/sessions/sessions.ts';
import { createSignInService } from '../../../src/identity/sessions/sign-in.ts';
import { createThrottle } from '../../../src/identity/sessions/throttle.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createUuidV7 } from '../../../src/store/values/uuid.ts';

// A process that guesses passwords: `sign-in-process.ts HOME NOW` prints `ready`, waits for a line, tries twenty wrong
// passwords of `ada` at once, and prints the errors as one line of JSON.

const [, , home, now] = process.argv;
const clock = () => new Date(now!);
const database = openDatabase(home!, { clock });
const newId = createUuidV7(() => new Date());
const users = createUserService({ database, clock, newId, onCreated: () => undefined });
const audit = createAuditLog(database, clock, newId);
const announcements = createAnnouncements(database);
const permissions = { mayManage: () => false };
const context = { database, clock, newId, users, audit, announcements, permissions };
const signing = createSignInService({
  ...context,
  passwords: createPasswords(),
  sessions: createSessionService(context),
  throttle: createThrottle(database, clock),
  isSsoOnly: () => false,
});

async function guess(password: string): Promise<string> {
  try {
    await signing.signIn({ login: 'ada', password }, { address: null, requestId: null });
    return 'signed in';
  } catch (error) {
    const { status, detail } = error as { status?: number; detail?: string };
    return `${status} ${detail}`;
  }
}

createInterface(process.stdin).once('line', async () => {
  const refusals = await Promise.all(Array.from({ length: 20 }, (_, i) => guess(`guess ${i}`)));
  process.stdout.write(`${JSON.stringify(refusals)}\n`);
  process.stdin.destroy();
  database.close();
});
process.stdout.write('ready\n');
