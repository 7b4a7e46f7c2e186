import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ServiceError } from '../../src/errors/service-error.ts';
import type { Principal } from '../../src/identity/principal/principal.ts';
import { toPrincipal } from '../../src/identity/records/users.ts';
import { createDatabase } from '../../src/store/database.ts';
import { homeAt } from '../../src/workspace/home/home.ts';
import { createServices, type Services } from '../../src/workspace/services/services.ts';

/** The services of a home, and the user `eva` with EDIT on everything in `@Shared`. */
interface World extends Services {
  readonly owner: Principal;
  readonly eva: Principal;
}

let world: World;

beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
  const database = createDatabase(folder, { clock: () => new Date() });
  const services = createServices(database, homeAt(folder));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const owner = toPrincipal(services.users.ensureOwner());
  const eva = toPrincipal(services.users.create({ userName: `eva-${randomUUID()}` }));
  world = { ...services, owner, eva };
  addDatabase('warehouse');
});

function addDatabase(name: string): void {
  const { connections, owner } = world;
  connections.create(owner, { name, kind: 'duckdb', options: { file: '/data/warehouse.duckdb' } });
}

function bind(model: string, options: object = { connection: 'warehouse' }, name = 'sales'): void {
  world.connections.create(world.owner, { name, kind: 'semantic', options: { model, ...options } });
}

function grantUse(name: string, level = 'USE'): void {
  const { accounts, owner, eva } = world;
  accounts.grants.set(owner, { subject: `user:${eva.userName}`, level, target: `connection:${name}` });
}

const split = (at: string) => ({ parentPath: path.posix.dirname(at), name: path.posix.basename(at) });

/** Creates folders and assets as the administrator; paths with a dot in the name are assets. */
function make(...paths: string[]): void {
  const { catalog, owner } = world;
  for (const each of paths) {
    if (/\.\w+$/.test(each)) catalog.createAsset(owner, { ...split(each), content: '' });
    else
      catalog.createFolder(owner, {
        ...split(each),
        folderType: each.endsWith('project') ? 'PROJECT' : 'REGULAR',
      });
  }
}

/** `done`, or the error. */
function tryTo(act: (world: World) => unknown): string {
  try {
    act(world);
    return 'done';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.status} ${error.detail}`;
  }
}

const writeAsset = (at: string) =>
  tryTo(({ catalog, eva }) => catalog.updateAsset(eva, at, '*', { content: 'x' }));
const describeItem = (at: string) =>
  tryTo(({ catalog, eva }) => catalog.updateFolder(eva, at, '*', { description: 'x' }));
const create = (at: string) =>
  tryTo(({ catalog, eva }) => catalog.createAsset(eva, { ...split(at), content: 'x' }));
const createFolder = (at: string) => tryTo(({ catalog, eva }) => catalog.createFolder(eva, split(at)));
const move = (at: string, to: string) => {
  const kind = /\.\w+$/.test(at) ? 'updateAsset' : 'updateFolder';
  return tryTo(({ catalog, eva }) => catalog[kind](eva, at, '*', split(to)));
};
const rename = (at: string, name: string) => {
  const kind = /\.\w+$/.test(at) ? 'updateAsset' : 'updateFolder';
  return tryTo(({ catalog, eva }) => catalog[kind](eva, at, '*', { name }));
};
const remove = (at: string) => {
  const kind = /\.\w+$/.test(at) ? 'deleteAsset' : 'deleteFolder';
  return tryTo(({ catalog, eva }) => catalog[kind](eva, at, '*'));
};
const notFound = (at: string) => `404 Path not found: ${at}`;

describe('a bound model', () => {
  it.each([
    ['a file', '@Shared/team/m/a.yaml'],
    ['a folder', '@Shared/team/m'],
    ['a folder, with slashes', '/@Shared/team/m/'],
    ['a folder above', '@Shared/team'],
  ])('can only be changed with USE on its connection: %s', (_what, model) => {
    make('@Shared/team', '@Shared/team/m', '@Shared/team/m/a.yaml', '@Shared/b.yaml', '@Shared/other');
    bind(model);
    const file = '@Shared/team/m/a.yaml';
    expect(writeAsset(file)).toBe(notFound(file));
    expect(remove(file)).toBe(notFound(file));
    expect(rename(file, 'b.yaml')).toBe(notFound(file));
    expect(move(file, '@Shared/a.yaml')).toBe(notFound(file));
    // Other places, and reading, need no further right.
    expect(writeAsset('@Shared/b.yaml')).toBe('done');
    expect(createFolder('@Shared/team2')).toBe('done');
    expect(tryTo(({ catalog, eva }) => catalog.get(eva, file))).toBe('done');
    grantUse('warehouse');
    expect(writeAsset(file)).toBe('done');
    expect(rename(file, 'c.yaml')).toBe('done');
    expect(move('@Shared/team/m/c.yaml', '@Shared/team/m/a.yaml')).toBe('done');
    expect(remove(file)).toBe('done');
    expect(create(file)).toBe('done');
  });

  it('protects the folders that contain it from a rename or move', () => {
    make('@Shared/team', '@Shared/team/in', '@Shared/team/in/a.yaml', '@Shared/else');
    bind('@Shared/team/in/a.yaml');
    expect(rename('@Shared/team', 'away')).toBe(notFound('@Shared/team'));
    expect(rename('@Shared/team/in', 'away')).toBe(notFound('@Shared/team/in'));
    expect(move('@Shared/team', '@Shared/else/team')).toBe(notFound('@Shared/team'));
    expect(move('@Shared/team', '@Personal/team')).toBe(notFound('@Shared/team'));
    // Changes that keep its path are allowed.
    expect(describeItem('@Shared/team')).toBe('done');
    expect(rename('@Shared/team', 'team')).toBe('done');
    expect(create('@Shared/team/in/b.yaml')).toBe('done');
    grantUse('warehouse');
    expect(rename('@Shared/team', 'away')).toBe('done');
  });

  it('protects its path while the model does not exist', () => {
    make('@Shared/evil', '@Shared/evil/a.yaml', '@Shared/away', '@Shared/away/in', '@Shared/away/in/a.yaml');
    bind('@Shared/team/in/a.yaml');
    bind('@Shared/models', { connection: 'warehouse' }, 'folder');
    expect(createFolder('@Shared/models')).toBe(notFound('@Shared'));
    expect(rename('@Shared/evil', 'models')).toBe(notFound('@Shared/evil'));
    expect(rename('@Shared/away', 'team')).toBe(notFound('@Shared/away'));
    expect(createFolder('@Shared/team')).toBe('done');
    expect(createFolder('@Shared/team/in')).toBe('done');
    expect(create('@Shared/team/in/a.yaml')).toBe(notFound('@Shared/team/in'));
    expect(move('@Shared/evil/a.yaml', '@Shared/team/in/a.yaml')).toBe(notFound('@Shared/team/in'));
    expect(rename('@Shared/away', 'team')).toBe('400 Name already exists.');
    expect(create('@Shared/team/in/b.yaml')).toBe('done');
    expect(rename('@Shared/team/in/b.yaml', 'a.yaml')).toBe(notFound('@Shared/team/in/b.yaml'));
    expect(createFolder('@Shared/team/in/a.yaml')).toBe(notFound('@Shared/team/in'));
    grantUse('warehouse');
    expect(rename('@Shared/team/in/b.yaml', 'a.yaml')).toBe('done');
    expect(createFolder('@Shared/models')).toBe('done');
  });

  it('includes a whole project, because the manifest selects the model', () => {
    make('@Shared/project', '@Shared/project/project.toml', '@Shared/project/m', '@Shared/project/m/a.yaml');
    bind('@Shared/project', { connection: 'warehouse', layer: 'all' });
    for (const each of ['@Shared/project/project.toml', '@Shared/project/m/a.yaml']) {
      expect(writeAsset(each)).toBe(notFound(each));
    }
    expect(createFolder('@Shared/project/n')).toBe(notFound('@Shared/project'));
    expect(remove('@Shared/project/project.toml')).toBe(notFound('@Shared/project/project.toml'));
  });

  it('is protected in the hub, too', () => {
    const { accounts, owner, eva } = world;
    make('@Project Hub/p');
    const target = '@Project Hub/p';
    accounts.grants.set(owner, { subject: `user:${eva.userName}`, level: 'MANAGE', target });
    expect(create('@Project Hub/p/a.yaml')).toBe('done');
    bind('@Project Hub/p');
    expect(writeAsset('@Project Hub/p/a.yaml')).toBe(notFound('@Project Hub/p/a.yaml'));
    expect(rename('@Project Hub/p', 'q')).toBe(notFound('@Project Hub/p'));
  });

  it('does not protect paths that only start with its path', () => {
    make('@Shared/team', '@Shared/team/m', '@Shared/team/m.yaml', '@Shared/team/M', '@Shared/team/m%');
    bind('@Shared/team/m');
    expect(writeAsset('@Shared/team/m.yaml')).toBe('done');
    for (const each of ['@Shared/team/M', '@Shared/team/m%', '@Shared/team']) {
      expect(describeItem(each)).toBe('done');
    }
    expect(createFolder('@Shared/team/mm')).toBe('done');
    expect(describeItem('@Shared/team/m')).toBe(notFound('@Shared/team/m'));
  });
});

describe('the connections of a model', () => {
  it('all count, with their current grants', () => {
    make('@Shared/a.yaml');
    addDatabase('lake');
    bind('@Shared/a.yaml');
    bind('@Shared', { connection: 'lake' }, 'all');
    grantUse('warehouse');
    expect(writeAsset('@Shared/a.yaml')).toBe(notFound('@Shared/a.yaml'));
    grantUse('lake', 'MANAGE');
    expect(writeAsset('@Shared/a.yaml')).toBe('done');
    world.connections.delete(world.owner, 'warehouse');
    expect(writeAsset('@Shared/a.yaml')).toBe(notFound('@Shared/a.yaml'));
    world.connections.delete(world.owner, 'sales');
    expect(writeAsset('@Shared/a.yaml')).toBe('done');
  });

  it('do not limit a model that is not bound to a database', () => {
    make('@Shared/a.yaml');
    bind('@Shared/a.yaml', {});
    expect(writeAsset('@Shared/a.yaml')).toBe('done');
  });

  it('do not limit administrators', () => {
    make('@Shared/a.yaml');
    bind('@Shared/a.yaml');
    world.connections.delete(world.owner, 'warehouse');
    expect(tryTo(({ catalog, owner }) => catalog.deleteAsset(owner, '@Shared/a.yaml', '*'))).toBe('done');
  });
});

describe('binding a model', () => {
  const replace = (model: string, options: object = {}) =>
    tryTo(({ connections, eva }) =>
      connections.replace(eva, { name: 'sales', kind: 'semantic', options: { model, ...options } }),
    );

  it('needs MANAGE on the connection that runs its SQL', () => {
    make('@Shared/a.yaml');
    bind('@Shared/a.yaml', {});
    grantUse('sales', 'MANAGE');
    const bound = { connection: 'warehouse' };
    const refused = "403 You don't have permission to access this connection";
    expect(replace('@Shared/a.yaml', bound)).toBe(refused);
    grantUse('warehouse');
    expect(replace('@Shared/a.yaml', bound)).toBe(refused);
    grantUse('warehouse', 'MANAGE');
    expect(replace('@Shared/a.yaml', bound)).toBe('done');
  });

  it('needs VIEW on the model, or on the folder of a future model', () => {
    const { accounts, owner } = world;
    make('@Shared/a.yaml', '@Shared/closed', '@Shared/closed/a.yaml');
    accounts.grants.restrict(owner, '@Shared/closed', true);
    bind('@Shared/a.yaml', {});
    grantUse('sales', 'MANAGE');
    for (const hidden of [
      '@Shared/closed',
      '@Shared/closed/a.yaml',
      '@Shared/closed/none.yaml',
      '@Nothing/a',
    ]) {
      expect(replace(hidden)).toBe(notFound(hidden));
    }
    expect(replace('@Shared/later/a.yaml')).toBe('done');
    expect(replace('/@Shared/a.yaml/')).toBe('done');
  });

  it('is refused in @Personal, which differs for each user', () => {
    const detail = '400 Option model must not be in @Personal, which differs for each user';
    for (const model of ['@Personal', '@Personal/a.yaml', '/@Personal/a.yaml']) {
      expect(tryTo(() => bind(model, {}))).toBe(detail);
    }
  });
});
