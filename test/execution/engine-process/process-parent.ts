import { createNanoClock } from '../../../src/engine/run/outcome/clock.ts';
import { Outlet } from '../../../src/execution/contract/outlet.ts';
import { createProcessHost } from '../../../src/execution/engine-process/process-host.ts';
import { createRegistry } from '../../../src/execution/registry/registry.ts';
import { ENDLESS, NO_LIMITS, never, toRequest, waitUntilHostBusy } from '../hosts.ts';

// process-parent FOLDER FILE: a parent that a test kills; its engine process holds the database and is busy.
// Prints the process id.
const [folder = '', file = ''] = process.argv.slice(2);
const host = createProcessHost({
  clock: createNanoClock(),
  registry: createRegistry(NO_LIMITS),
  folder,
  memoryCeiling: null,
  threads: 16,
  onCrash: () => undefined,
  log: (line) => console.error(line),
});
const start = (text: string) =>
  host.run(toRequest(text, folder, { file }), new Outlet(() => ({ write: () => {} })), never);
await start('create table t as select range as x from range(1000)');
void start(ENDLESS);
void start('from range(100000000000)');
await waitUntilHostBusy(host);
console.log(host.pid);
