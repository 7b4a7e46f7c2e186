import { createInterface } from 'node:readline';
import { createAuditLog } from '../../../src/identity/audit/audit.ts';
import { createAnnouncements } from '../../../src/identity/context/announcements.ts';
import { createUserService } from '../../../src/identity/records/users.ts';
import { createSessionService } from '../../../src/identity/sessions/sessions.ts';
import { createSignOnService } from '../../../src/identity/sign-on/sign-on.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createUuidV7 } from '../../../src/store/values/uuid.ts';

// A process that signs a user in: `sign-on-process.ts HOME IDENTITY` prints `ready`, waits for a line, signs in with
// the identity, which is JSON, and prints the id of the user as one line of JSON.

const [, , home, identity] = process.argv;
const clock = () => new Date();
const database = openDatabase(home!, { clock });
const newId = createUuidV7(clock);
const users = createUserService({ database, clock, newId, onCreated: () => undefined });
const audit = createAuditLog(database, clock, newId);
const announcements = createAnnouncements(database);
const permissions = { mayManage: () => false };
const context = { database, clock, newId, users, audit, announcements, permissions };
const signOn = createSignOnService({ ...context, sessions: createSessionService(context) });
const rules = { jit: true, createGroups: true, bindSuperUsers: true };

createInterface(process.stdin).once('line', () => {
  const { principal } = signOn.signIn(JSON.parse(identity!), rules, { address: null, requestId: null });
  process.stdout.write(`${JSON.stringify(principal.userId)}\n`);
  process.stdin.destroy();
  database.close();
});
process.stdout.write('ready\n');
