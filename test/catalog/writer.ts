import { createInterface } from 'node:readline';
import {
  type CatalogService,
  createCatalogContext,
  createCatalogService,
} from '../../src/catalog/service.ts';
import { ServiceError } from '../../src/errors/service-error.ts';
import { createAuditLog } from '../../src/identity/audit/audit.ts';
import { createGrantPermissions } from '../../src/identity/grants/grant-permissions.ts';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';

// A process: `writer.ts HOME at PATH FIRST ROUNDS` waits for a line, writes the asset once at each revision from the
// first on, and prints the revisions of its successful writes as one line of JSON. `writer.ts HOME again PATH 0
// ROUNDS` creates, changes and deletes the asset repeatedly, and prints the revisions that it got.

const [home, way, path, first, rounds] = process.argv.slice(2);
const clock = () => new Date();

function writeAt(catalog: CatalogService, writer: Principal): number[] {
  const won: number[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    const revision = Number(first) + round;
    try {
      catalog.updateAsset(writer, path!, `"${revision}"`, { content: `${process.pid}` });
      won.push(revision);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 412) throw error;
    }
  }
  return won;
}

function writeAgain(catalog: CatalogService, writer: Principal): number[] {
  const cut = path!.lastIndexOf('/');
  const asset = { parentPath: path!.slice(0, cut), name: path!.slice(cut + 1), content: '' };
  return Array.from({ length: Number(rounds) }, () => {
    const made = catalog.createAsset(writer, asset).revision;
    const changed = catalog.updateAsset(writer, path!, `"${made}"`, { content: 'x' }).revision;
    catalog.deleteAsset(writer, path!, `"${changed}"`);
    return [made, changed];
  }).flat();
}

function write(): number[] {
  const database = openDatabase(home!, { clock });
  const newId = createUuidV7(clock);
  const audit = createAuditLog(database, clock, newId);
  const { catalog: permissions } = createGrantPermissions({ database, clock, newId, audit });
  const catalog = createCatalogService(
    createCatalogContext({
      database,
      permissions,
      mayChange: () => true,
      findHistoryLimit: () => 100,
      findBinDays: () => 30,
      clock,
      newId,
    }),
  );
  const { id: userId } = database.statement<{ id: string }>('SELECT id FROM users').get()!;
  const writer = { userId, userName: 'writer', superUser: true, viewsOnly: false };
  const revisions = way === 'at' ? writeAt(catalog, writer) : writeAgain(catalog, writer);
  database.close();
  return revisions;
}

createInterface(process.stdin).once('line', () => {
  process.stdout.write(`${JSON.stringify(write())}\n`);
  process.stdin.destroy();
});
process.stdout.write('ready\n');
