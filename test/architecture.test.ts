import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const src = path.resolve(import.meta.dirname, '../src');

/** Which folder may import which (itself always); `*` stands for every folder below. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  store: ['errors'],
  'engine/text': [],
  'engine/result': ['engine/text'],
  'engine/project': ['engine/text'],
  'engine/script': ['engine/text', 'engine/project'],
  'engine/connection': ['engine/result', 'engine/text'],
  'engine/run': ['engine/*'],
  semantic: ['engine/text', 'engine/result', 'engine/connection', 'engine/project'],
  execution: ['engine/*', 'semantic'],
  identity: ['errors', 'store', 'engine/text'],
  catalog: ['errors', 'store', 'engine/text', 'engine/script', 'engine/project', 'identity'],
  'query-log': ['errors', 'store', 'identity'],
  connections: ['errors', 'store', 'engine/text', 'engine/connection', 'identity'],
  workspace: [
    'errors',
    'store',
    'engine/*',
    'semantic',
    'execution',
    'identity',
    'catalog',
    'connections',
    'query-log',
  ],
  server: ['errors', 'workspace'],
  cli: ['errors', 'workspace'],
};

/** The one file that may import more than its folder. */
const STARTS_SERVER = { file: 'cli/commands/serve.ts', row: 'server' };

/** The folder that may import a package; those of schemas may be several. */
const PACKAGE_HOMES: Readonly<Record<string, string | readonly string[]>> = {
  '@duckdb/node-api': 'engine/connection/duckdb',
  '@duckdb/node-bindings': 'engine/connection/duckdb',
  pg: 'engine/connection/postgresql',
  'pg-protocol': 'engine/connection/postgresql',
  mysql2: 'engine/connection/mysql',
  'better-sqlite3': 'store',
  flatbuffers: 'engine/result',
  'smol-toml': 'engine/project',
  yaml: 'semantic',
  '@node-rs/argon2': 'identity',
  fastify: 'server',
  '@fastify/accepts': 'server',
  '@fastify/cookie': 'server',
  '@fastify/helmet': 'server',
  '@fastify/rate-limit': 'server',
  '@fastify/static': 'server',
  '@fastify/swagger': 'server',
  '@fastify/swagger-ui': 'server',
  '@fastify/type-provider-typebox': 'server',
  typebox: ['server', 'semantic'],
  pino: 'server',
  'sonic-boom': 'server',
  'prom-client': 'server',
  '@inquirer/prompts': 'cli/terminal',
  commander: 'cli',
  chalk: 'cli/terminal',
};

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => path.relative(src, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));

const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(path.join(src, file), 'utf8');
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^']+)'/gm);
  return [...found].map((match) => ({ file, target: match[1]! }));
});

function rowOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT).find((row) => file.startsWith(`${row}/`));
}

function isAllowed(from: string, to: string): boolean {
  return MAY_IMPORT[from]!.some(
    (row) => row === to || (row.endsWith('/*') && to.startsWith(row.slice(0, -1))),
  );
}

const inner = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, target: path.posix.join(path.posix.dirname(file), target) }));

describe('the import table', () => {
  it('reads the whole of src', () => {
    expect(files.length).toBeGreaterThan(60);
    expect(inner.length).toBeGreaterThan(120);
  });

  it('has a row for every file', () => {
    expect(files.filter((file) => rowOf(file) === undefined)).toEqual([]);
  });

  it('is kept by every import', () => {
    const broken = inner.filter(({ file, target }) => {
      const [from, to] = [rowOf(file), rowOf(target)];
      if (file === STARTS_SERVER.file && to === STARTS_SERVER.row) return false;
      return from !== undefined && from !== to && (to === undefined || !isAllowed(from, to));
    });
    expect(broken).toEqual([]);
  });

  it('names files with their extension and inside src', () => {
    expect(inner.filter(({ target }) => !files.includes(target))).toEqual([]);
  });

  it('has no cycle between folders', () => {
    const order: string[] = [];
    const rest = new Set(Object.keys(MAY_IMPORT));
    for (let size = -1; size !== rest.size; ) {
      size = rest.size;
      for (const row of rest) {
        if ([...rest].some((other) => other !== row && isAllowed(row, other))) continue;
        rest.delete(row);
        order.push(row);
      }
    }
    // `engine/run` is allowed every engine folder, itself among them by the wildcard.
    expect([...rest]).toEqual([]);
    expect(order.length).toBe(Object.keys(MAY_IMPORT).length);
  });
});

describe('packages', () => {
  const outer = imports.filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'));

  it('are imported in their home only', () => {
    const broken = outer.filter(({ file, target }) => {
      const homes = [PACKAGE_HOMES[target] ?? []].flat();
      return !homes.some((home) => file.startsWith(`${home}/`));
    });
    expect(broken).toEqual([]);
  });

  it('have a home exactly when they are shipped', () => {
    const manifest: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(path.resolve(src, '../package.json'), 'utf8'),
    );
    expect(Object.keys(PACKAGE_HOMES).sort()).toEqual(Object.keys(manifest.dependencies).sort());
    expect(outer.filter(({ target }) => builtinModules.includes(target))).toEqual([]);
  });

  it('are pinned to one version', () => {
    const manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
      readFileSync(path.resolve(src, '../package.json'), 'utf8'),
    );
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});
