import { createInterface } from 'node:readline';
import { createCatalogService } from '../../src/catalog/service.ts';
import { ServiceError } from '../../src/errors/service-error.ts';
import { createAuditLog } from '../../src/identity/audit.ts';
import { createGrantPermissions } from '../../src/identity/grant-permissions.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/uuid.ts';

// A process of its own: `writer.ts HOME PATH ROUNDS` waits for a line, then writes the asset once at each
// revision from 1 on, and prints the revisions at which it was the one that wrote, as one line of JSON.

const [home, path, rounds] = process.argv.slice(2);
const clock = () => new Date();
const writer = { userId: 'writer', userName: 'writer', superUser: true, viewsOnly: false };

function write(): number[] {
  const database = openDatabase(home!, { clock });
  const newId = createUuidV7(clock);
  const audit = createAuditLog(database, clock, newId);
  const { catalog: permissions } = createGrantPermissions({ database, clock, newId, audit });
  const catalog = createCatalogService({ database, permissions, mayChange: () => true, clock, newId });
  const won: number[] = [];
  for (let revision = 1; revision <= Number(rounds); revision++) {
    try {
      catalog.updateAsset(writer, path!, `"${revision}"`, { content: `${process.pid}` });
      won.push(revision);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 412) throw error;
    }
  }
  database.close();
  return won;
}

createInterface(process.stdin).once('line', () => {
  process.stdout.write(`${JSON.stringify(write())}\n`);
  process.stdin.destroy();
});
process.stdout.write('ready\n');
