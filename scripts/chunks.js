// Divides the modules that commands load into few files: Node needs a third of a millisecond to find and read each one.
import path from 'node:path';

const src = path.resolve(import.meta.dirname, '../src');
const toPath = (file) => path.join(src, file);

const MAIN = toPath('cli/main.ts');
/** Tests run commands through it, in their own process. */
const COMMAND_LINE = toPath('cli/command-line.ts');
const THREADS = [
  'engine/connection/duckdb/copy/copy-files.ts',
  'execution/engine-process/engine-process.ts',
  'execution/results/conversion-thread.ts',
  'execution/results/parquet-process.ts',
  'server/http/bodies/json-thread.ts',
  'workspace/backup/backup-process.ts',
  'workspace/models/model-process.ts',
  'workspace/sign-on/saml-thread.ts',
].map(toPath);

/** The entry points of processes and threads; each becomes a file of the same name in dist/. */
export const programs = [MAIN, COMMAND_LINE, ...THREADS];

/** The parts of the work of a command, each with the modules that load it. Every command needs the first one. */
const parts = {
  program: ['cli/command-line.ts', 'cli/interrupt.ts', 'cli/context/output.ts'],
  command: [
    'cli/commands/catalog-ls.ts',
    'cli/commands/check.ts',
    'cli/commands/exec.ts',
    'cli/commands/sql.ts',
    'cli/commands/test.ts',
    'cli/commands/token-ls.ts',
    'cli/commands/user-ls.ts',
  ],
  folder: ['workspace/runs/open-folder.ts'],
  home: [
    'cli/actions/find-home-in-use.ts',
    'workspace/home/home-config.ts',
    'workspace/instance/open-workspace.ts',
  ],
  run: ['execution/in-thread/in-thread.ts', 'execution/in-thread/runner.ts'],
  duckdb: ['engine/connection/duckdb/driver.ts'],
};

/** Loads no DuckDB, which runs in a separate process. */
const SERVER = toPath('server/start.ts');

/**
 * Creates a function that names the file of a module by the parts that need the module, such as `command-home`. So a
 * command reads few files and no module that it does not need. Other modules have no name: rolldown divides them by
 * the programs and dynamic imports that need them.
 */
export function createChunkNames() {
  let names;
  return (id, graph) => {
    names ??= nameModules(graph);
    return names.get(id) ?? null;
  };
}

function nameModules(graph) {
  const names = new Map();
  const [[program, roots], ...others] = Object.entries(parts);
  const inThreads = findNeeded(graph, THREADS);
  for (const id of findNeeded(graph, roots.map(toPath))) {
    names.set(id, inThreads.has(id) ? `${program}-threads` : program);
  }
  const inProgram = new Set(names.keys());
  for (const [part, files] of others) {
    for (const id of findNeeded(graph, files.map(toPath)).difference(inProgram)) {
      names.set(id, names.has(id) ? `${names.get(id)}-${part}` : part);
    }
  }
  for (const id of findNeeded(graph, [SERVER])) {
    if (names.get(id) === 'duckdb') names.set(id, 'duckdb-server');
  }
  return names;
}

/** The modules that these modules import, with themselves. */
function findNeeded(graph, roots) {
  const needed = new Set(roots);
  for (const id of needed) {
    for (const imported of graph.getModuleInfo(id).importedIds) {
      if (path.isAbsolute(imported)) needed.add(imported);
    }
  }
  return needed;
}
