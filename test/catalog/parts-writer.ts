import { createInterface } from 'node:readline';
import { createCatalogContext, createCatalogService } from '../../src/catalog/service.ts';
import { createAuditLog } from '../../src/identity/audit/audit.ts';
import { createGrantPermissions } from '../../src/identity/grants/grant-permissions.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createUuidV7 } from '../../src/store/values/uuid.ts';

// A process: `parts-writer.ts HOME PATH LENGTH COUNT` waits for a line, writes a content of this length to an asset as
// a server does, and kills itself as soon as this number of parts is stored.

const [home, path, length, count] = process.argv.slice(2);
const clock = () => new Date();

function write(): void {
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
  const parts = database.statement<{ n: number }>('SELECT count(*) AS n FROM catalog_content_parts');
  const kill = () => {
    if (parts.get()!.n >= Number(count)) process.kill(process.pid, 'SIGKILL');
    setImmediate(kill);
  };
  kill();
  void catalog.served.updateAsset(writer, path!, '*', { content: 'n'.repeat(Number(length)) });
}

createInterface(process.stdin).once('line', write);
process.stdout.write('ready\n');
