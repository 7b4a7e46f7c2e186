import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAY_IMPORT, WEB_MAY_IMPORT } from './rooms.ts';

const src = path.resolve(import.meta.dirname, '../src');

/** The only file that may import from other rooms than its own. */
const STARTS_SERVER = { file: 'cli/commands/serve.ts', row: 'server' };

/** The limit of files in one room, except where each command or route is a file. */
const MAX_FILES = 25;
const A_FILE_EACH = ['cli/commands'];

/** The folder that may import a package; several folders may import those of schemas. */
const PACKAGE_HOMES: Readonly<Record<string, string | readonly string[]>> = {
  '@duckdb/node-bindings': 'engine/connection/duckdb',
  pg: 'engine/connection/postgresql',
  'pg-protocol': 'engine/connection/postgresql',
  mysql2: 'engine/connection/mysql',
  'better-sqlite3': 'store',
  flatbuffers: 'engine/result',
  'modern-tar': 'workspace/backup',
  'smol-toml': 'engine/project',
  yaml: 'semantic',
  'libpg-query': 'semantic/syntax',
  '@node-rs/argon2': 'identity',
  'libxml2-wasm': 'identity/saml',
  samlify: 'identity/saml',
  selfsigned: 'identity/saml',
  fastify: 'server',
  'find-my-way': 'server',
  '@fastify/accepts': 'server',
  '@fastify/cookie': 'server',
  '@fastify/fast-json-stringify-compiler': 'server',
  '@fastify/helmet': 'server',
  '@fastify/rate-limit': 'server',
  '@fastify/static': 'server',
  '@fastify/swagger': 'server',
  '@fastify/swagger-ui': 'server',
  '@fastify/type-provider-typebox': 'server',
  typebox: [
    'server',
    'semantic',
    'bodies',
    'identity',
    'catalog',
    'connections',
    'provider-log',
    'query-log',
    'workspace',
  ],
  marked: 'documentation',
  pino: 'server',
  'sonic-boom': 'server',
  'prom-client': 'server',
  '@inquirer/prompts': 'cli/terminal',
  commander: 'cli',
  chalk: 'cli/terminal',
};

/** The development dependencies that `src` imports: the build bundles them. */
const BUNDLED = ['chalk', 'commander', 'flatbuffers', 'smol-toml'];

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

const inner = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, target: path.posix.join(path.posix.dirname(file), target) }));

function isAllowed(from: string, to: string): boolean {
  return MAY_IMPORT[from]!.some((row) => {
    return row === to || (row.endsWith('/*') && (to === row.slice(0, -2) || to.startsWith(row.slice(0, -1))));
  });
}

/** The imports from a room to a room that its row does not name. */
function findForbidden(all: readonly Import[]): readonly Import[] {
  return all.filter(({ file, target }) => {
    const [from, to] = [path.posix.dirname(file), path.posix.dirname(target)];
    if (file === STARTS_SERVER.file && to === STARTS_SERVER.row) return false;
    return from !== to && !isAllowed(from, to);
  });
}

/**
 * The members of import cycles: removes nodes that cannot be part of a cycle until nothing can be removed.
 */
function findCycles(all: readonly (readonly [from: string, to: string])[]): readonly string[] {
  let edges = all;
  for (;;) {
    const froms = new Set(edges.map(([from]) => from));
    const tos = new Set(edges.map(([, to]) => to));
    const rest = edges.filter(([from, to]) => froms.has(to) && tos.has(from));
    if (rest.length === edges.length) return [...froms];
    edges = rest;
  }
}

const toFiles = (all: readonly Import[]) => all.map(({ file, target }) => [file, target] as const);
const toRooms = (all: readonly Import[]) =>
  toFiles(all)
    .map(([from, to]) => [path.posix.dirname(from), path.posix.dirname(to)] as const)
    .filter(([from, to]) => from !== to);

/** The rooms whose number of files exceeds the limit. */
function findCrowded(all: readonly string[]): readonly string[] {
  const rooms = Map.groupBy(all, (file) => path.posix.dirname(file));
  return [...rooms].flatMap(([room, own]) => {
    return own.length > MAX_FILES && !A_FILE_EACH.includes(room) ? [room] : [];
  });
}

describe('the rooms', () => {
  it('include every folder of src', () => {
    expect(files.length).toBeGreaterThan(900);
    expect(inner.length).toBeGreaterThan(3_000);
    expect([...new Set(files.map((file) => path.posix.dirname(file)))].sort()).toEqual(
      Object.keys(MAY_IMPORT).sort(),
    );
  });

  it('import only the rooms that their rows name', () => {
    expect(findForbidden(inner)).toEqual([]);
    const planted = { file: 'engine/text/source.ts', target: 'store/database.ts' };
    expect(findForbidden([...inner, planted])).toEqual([planted]);
  });

  it('have only necessary names in their rows', () => {
    const spare = Object.entries(MAY_IMPORT).flatMap(([room, rows]) => {
      const used = toRooms(inner).flatMap(([from, to]) => (from === room ? [to] : []));
      return rows.filter(
        (row) => !used.some((to) => to === row || `${to}/`.startsWith(row.replace('*', ''))),
      );
    });
    expect(spare).toEqual([]);
  });

  it('contain no cycle, and the files contain none', () => {
    expect(findCycles(toRooms(inner))).toEqual([]);
    expect(findCycles(toFiles(inner))).toEqual([]);
    const planted = { file: 'engine/text/span.ts', target: 'engine/text/diagnostic.ts' };
    expect(findCycles(toFiles([...inner, planted]))).toContain('engine/text/span.ts');
    const between = { file: 'store/files/file-errors.ts', target: 'store/database.ts' };
    expect(findCycles(toRooms([...inner, between]))).toContain('store/files');
  });

  it('contain few files', () => {
    expect(findCrowded(files)).toEqual([]);
    const room = path.posix.dirname(files.find((file) => file.startsWith('engine/result/text/'))!);
    const planted = Array.from({ length: MAX_FILES + 1 }, (_, i) => `${room}/planted-${i}.ts`);
    expect(findCrowded(planted)).toEqual([room]);
  });

  it('name imported files with their extension and inside src', () => {
    expect(inner.filter(({ target }) => !files.includes(target))).toEqual([]);
  });
});

describe('the pages of the console', () => {
  const web = path.resolve(src, '../web');
  const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(web, file), 'utf8') }));
  const ofWeb = sources
    .flatMap(({ file, text }) => {
      const targets = [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'(\.[^']+)'/gm)];
      return targets.map((match) => ({
        file: file.replaceAll(path.sep, '/'),
        target: path.posix.join('web', path.posix.dirname(file.replaceAll(path.sep, '/')), match[1]!),
        isType: /^import type [^;]*$/m.test(
          text.slice(text.lastIndexOf('\nimport ', match.index) + 1, match.index),
        ),
      }));
    })
    .filter(({ target }) => target.startsWith('src/'))
    .map((own) => ({ ...own, target: own.target.slice('src/'.length) }))
    // The requests of the pages have the types of the routes.
    .filter(
      ({ file, target, isType }) => !(isType && file.startsWith('api/') && target.startsWith('server/')),
    );

  /** The files of src that the pages contain, with everything that these import. */
  function listContained(): readonly string[] {
    const found = new Set(ofWeb.map(({ target }) => target));
    for (const file of found) {
      for (const own of inner) if (own.file === file) found.add(own.target);
    }
    return [...found];
  }

  /** The folder of the table that contains a file of web. */
  const homeOf = (file: string) =>
    Object.keys(WEB_MAY_IMPORT).find((folder) => file.startsWith(`${folder}/`));

  it('import only the rooms of src that their rows name', () => {
    const isListed = ({ file, target }: Import) =>
      WEB_MAY_IMPORT[homeOf(file) ?? '']?.includes(path.posix.dirname(target)) ?? false;
    expect(ofWeb.length).toBeGreaterThan(10);
    expect(ofWeb.filter((own) => !isListed(own))).toEqual([]);
    expect(isListed({ file: 'pages/login.tsx', target: 'engine/text/span.ts' })).toBe(false);
    for (const [folder, rooms] of Object.entries(WEB_MAY_IMPORT)) {
      const used = ofWeb.flatMap(({ file, target }) =>
        homeOf(file) === folder ? [path.posix.dirname(target)] : [],
      );
      expect(rooms.filter((room) => !used.includes(room))).toEqual([]);
    }
  });

  const isOfRoute = ({ type, text }: { readonly type: string; readonly text: string }) =>
    type === 'undefined' ||
    new RegExp(`^import type \\{[^}]*\\b${type}\\b[^}]*\\} from '[./]+/src/server/`, 'm').test(text);

  it('have the types of the bodies that they write from the routes', () => {
    const written = sources.flatMap(({ file, text }) => {
      const typed = [...text.matchAll(/const body: (\w+) =|\} satisfies([\s\w|]+)/g)];
      const types = typed.flatMap(([, type, union = '']) => type ?? (union.match(/\w+/g) || []));
      const untyped = (text.match(/\bbody: \{/g) ?? []).length - (text.match(/\} satisfies/g) ?? []).length;
      return file.startsWith('api/')
        ? [
            ...types.map((type) => ({ file, type, text })),
            ...(untyped > 0 ? [{ file, type: '{', text }] : []),
          ]
        : [];
    });
    expect(written.length).toBeGreaterThan(5);
    expect(written.filter((own) => own.type === '{' || !isOfRoute(own)).map(({ file }) => file)).toEqual([]);
  });

  it('have the types of responses from the routes', () => {
    const RESPONSE = /\b(?:request|exchange)<([^(]+)>\(/g;
    const used = sources
      .filter(({ file }) => file !== 'api/request.ts')
      .flatMap(({ file, text }) =>
        [...text.matchAll(RESPONSE)].flatMap((match) =>
          match[1]!.split(' | ').map((type) => ({ file, type, text })),
        ),
      );
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((own) => !isOfRoute(own)).map(({ file, type }) => `${file}: ${type}`)).toEqual([]);
    const declaring = sources.filter(({ text }) =>
      /^(?:export )?interface \w+(?:Body|Response) /m.test(text),
    );
    expect(declaring.map(({ file }) => file)).toEqual([]);
  });

  it('contain no file of src that needs Node.js or a package', () => {
    const contained = listContained();
    expect(contained.length).toBeGreaterThan(10);
    const needs = imports.filter(({ file, target }) => contained.includes(file) && !target.startsWith('.'));
    expect(needs).toEqual([]);
    expect(imports.some(({ target }) => target === 'node:timers/promises')).toBe(true);
  });
});

describe('the bodies of responses', () => {
  const sourceOf = (file: string) => readFileSync(path.join(src, file), 'utf8');
  /** Without the engine, which knows no responses, and the server, whose routes declare schemas. */
  const ofServices = files.filter((file) => !/^(?:cli|engine|execution|server)\//.test(file));
  const DECLARED = /^(?:export )?(?:interface (\w+(?:Body|Response)) \{|type (\w+(?:Body|Response)) = \{)/gm;

  /** Interfaces for which no route has a schema, and why. */
  const WITHOUT_SCHEMA: Readonly<Record<string, string>> = {
    ProfileBody: 'the routes of the own account have no schema',
    VerifiedResponse: 'the response of an identity provider',
  };
  const listDeclared = (text: string) => [...text.matchAll(DECLARED)].map(([, one, other]) => one ?? other!);

  it('are declared once, as schemas', () => {
    const declared = ofServices.flatMap((file) => listDeclared(sourceOf(file)));
    expect(declared.sort()).toEqual(Object.keys(WITHOUT_SCHEMA).sort());
    expect(listDeclared('export interface UserBody {\n')).toEqual(['UserBody']);
    expect(listDeclared('type UserListResponse = {\n')).toEqual(['UserListResponse']);
  });

  it('are schemas that commands and services do not load', () => {
    const isSchema = (file: string) =>
      file.startsWith('bodies/') || (file.endsWith('-body.ts') && sourceOf(file).includes("from 'typebox'"));
    const schemas = ofServices.filter(isSchema);
    expect(schemas.length).toBeGreaterThan(15);
    const listLoaded = (file: string, text: string) => {
      const found = text.matchAll(/^import (?!type )[^;]*?from '(\.[^']+)'/gm);
      return [...found].map((match) => path.posix.join(path.posix.dirname(file), match[1]!));
    };
    const others = files.filter((file) => !file.startsWith('server/') && !isSchema(file));
    const loading = others.filter((file) =>
      listLoaded(file, sourceOf(file)).some((target) => schemas.includes(target)),
    );
    expect(loading).toEqual([]);
    const planted = "import { UserSchema } from './user-body.ts';\n";
    expect(listLoaded('identity/accounts/planted.ts', planted)).toEqual(['identity/accounts/user-body.ts']);
  });
});

describe('packages', () => {
  const outer = imports.filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'));

  it('are imported only in their own folder', () => {
    const broken = outer.filter(({ file, target }) => {
      const homes = [PACKAGE_HOMES[target] ?? []].flat();
      return !homes.some((home) => file.startsWith(`${home}/`));
    });
    expect(broken).toEqual([]);
  });

  it('have a folder exactly if they are production dependencies or bundled', () => {
    const manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
      readFileSync(path.resolve(src, '../package.json'), 'utf8'),
    );
    const names = [...Object.keys(manifest.dependencies), ...BUNDLED];
    expect(Object.keys(PACKAGE_HOMES).sort()).toEqual(names.sort());
    expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(BUNDLED));
    expect(outer.filter(({ target }) => builtinModules.includes(target))).toEqual([]);
  });

  it('are pinned to one version, and those of Mantine to the same', () => {
    const manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
      readFileSync(path.resolve(src, '../package.json'), 'utf8'),
    );
    const mantine = Object.entries(manifest.devDependencies).filter(([name]) => name.startsWith('@mantine/'));
    expect(mantine.length).toBeGreaterThan(2);
    expect(new Set(mantine.map(([, version]) => version)).size).toBe(1);
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});

describe('the code map', () => {
  const page = readFileSync(path.resolve(src, '../CONTRIBUTING.md'), 'utf8');
  const map = page.slice(page.indexOf('## Code map'), page.indexOf('## Recipes'));
  const names = (text: string) => [...text.matchAll(/`([\w./-]+)`/g)].map((match) => match[1]!);
  const root = path.resolve(src, '..');
  /** The folders that can contain a name of a row: the folders of its first cell. */
  const areasOf = (line: string) => {
    const areas = names(line.split('|')[1] ?? '');
    return areas.length === 0 ? ['src/server'] : areas;
  };
  /** Files of src, and its folders with a slash after the name. */
  const tree = [...new Set(files.flatMap((file) => [file, `${path.posix.dirname(file)}/`]))];
  const isThere = (name: string, areas: readonly string[]) =>
    existsSync(path.join(root, name)) ||
    areas.some((area) => {
      if (existsSync(path.join(root, area, name))) return true;
      const below = tree.filter((each) => `src/${each}`.startsWith(`${area}/`));
      return below.some((each) => each.endsWith(`/${name}`) || each.endsWith(`/${name}.ts`));
    });

  it('names folders and files that exist', () => {
    const named = map
      .split('\n')
      .flatMap((line) => names(line).map((name) => ({ name, areas: areasOf(line) })));
    const paths = named.filter(({ name }) => name.includes('/') || !/^(npm|bench)$/.test(name));
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter(({ name, areas }) => !isThere(name, areas)).map(({ name }) => name)).toEqual([]);
  });

  it('names every folder at the top of an area', () => {
    const rooms = Object.keys(MAY_IMPORT).filter((room) => /^(?!server|cli)[\w-]+\/[\w-]+$/.test(room));
    expect(
      rooms.filter((room) => !map.includes(`${room.split('/').at(-1)}/`) && !map.includes(`src/${room}`)),
    ).toEqual([]);
  });
});
