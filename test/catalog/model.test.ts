import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Versioned } from '../../src/catalog/asset.ts';
import type { FolderBody } from '../../src/catalog/item-body.ts';
import { ServiceError } from '../../src/errors/service-error.ts';
import { assetChange, folderChange, newAsset, newFolder } from '../../src/server/catalog/schemas.ts';
import { share } from '../support/rotation.ts';
import { type Fields, Model, type Outcome, type Who } from './model.ts';
import { createWorld, type World } from './world.ts';

type Kind = 'folder' | 'asset';

/** The path of an existing item, by its number in the model's list, or any text. */
type Choice = number | string;

function resolve(paths: readonly string[], choice: Choice): string {
  return typeof choice === 'string' ? choice : paths[choice % paths.length]!;
}

/** The target of an update or deletion, mostly an existing item of the correct kind. */
interface Aim {
  readonly who: Who;
  readonly target: Choice;
  readonly manner: string;
  readonly wrongKind: boolean;
}

function aimOf(model: Model, aim: Aim): { kind: Kind; path: string; ifMatch: string | undefined } {
  const paths = model.paths(aim.who);
  const below = paths.filter((path) => path.includes('/'));
  const path = resolve(below.length > 0 ? below : paths, aim.target);
  const found = model.get(aim.who, path);
  const isFolder = !('content' in found);
  const ifMatch = IF_MATCH[aim.manner]!('revision' in found ? found.revision : 1);
  return { kind: isFolder === aim.wrongKind ? 'asset' : 'folder', path, ifMatch };
}

/** If-Match headers for an item with the revision `revision`. */
const IF_MATCH: Readonly<Record<string, (revision: number) => string | undefined>> = {
  current: (revision) => `"${revision}"`,
  bare: (revision) => `${revision}`,
  any: () => '*',
  missing: () => undefined,
  stale: (revision) => `"${revision - 1}"`,
  weak: (revision) => `W/"${revision}"`,
};

function outcomeOf(act: () => Versioned<FolderBody> | undefined): Outcome {
  try {
    const answer = act();
    if (answer === undefined) return { status: 204 };
    const { path, type, data } = answer.body as FolderBody & { data?: { content?: string } };
    const item = { path, type, revision: answer.revision };
    return data?.content === undefined ? item : { ...item, content: data.content };
  } catch (error) {
    if (error instanceof ServiceError) return { status: error.status };
    throw error;
  }
}

/** One request, sent to the model and to the catalog. */
class Request implements fc.Command<Model, World> {
  private readonly text: string;
  private readonly toModel: (model: Model) => Outcome;
  private readonly toReal: (world: World, model: Model) => Versioned<FolderBody> | undefined;

  constructor(text: string, toModel: Request['toModel'], toReal: Request['toReal']) {
    this.text = text;
    this.toModel = toModel;
    this.toReal = toReal;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, world: World): void {
    const real = outcomeOf(() => this.toReal(world, model));
    expect(real).toEqual(this.toModel(model));
  }

  toString(): string {
    return this.text;
  }
}

const name = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('a', 'b', 'c', 'project.toml', 'A', 'é', '@Shared', '{{', '😀', ' '),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '.', '..', 'a/b', '/', 'x\n', 'x'.repeat(255), 'x'.repeat(256)),
  },
);
const who = fc.constantFrom<Who>('owner', 'owner', 'guest');
const kind = fc.constantFrom<Kind>('folder', 'asset');
const content = fc.constantFrom('', 'select 1', 'select {{ 1 }}', '{{ }} x');
const manner = fc.constantFrom('current', 'current', 'current', 'bare', 'any', ...Object.keys(IF_MATCH));
const choice: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 12, arbitrary: fc.nat(1000) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '@Shared/a/b/c',
      '@Nowhere/a',
      '@Shared//a',
      '@Personal/..',
      'a',
      '@Shared',
      '@Personal',
    ),
  },
);
const aim: fc.Arbitrary<Aim> = fc.record({
  who,
  target: choice,
  manner,
  wrongKind: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

function toFields(fields: Record<string, string | undefined>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const create = fc
  .record({
    who,
    kind,
    parent: choice,
    name,
    content: fc.oneof(content, content, fc.constant(undefined)),
    type: maybe(fc.constantFrom('REGULAR', 'PROJECT', 'PROJECT', 'USER_HOME')),
  })
  .map((r) => {
    const fields = (model: Model) =>
      toFields({
        parent_path: resolve(model.paths(r.who), r.parent),
        name: r.name,
        content: r.content,
        folder_type: r.type,
      });
    return new Request(
      `create ${JSON.stringify(r)}`,
      (model) => model.create(r.who, r.kind, fields(model)),
      ({ catalog, ...users }, model) =>
        r.kind === 'folder'
          ? catalog.createFolder(users[r.who], newFolder.readOnUse(fields(model)))
          : catalog.createAsset(users[r.who], newAsset.readOnUse(fields(model))),
    );
  });

const update = fc
  .record({
    aim,
    name: maybe(name),
    content: maybe(content),
    parent: maybe(choice),
    description: maybe(fc.constantFrom('', 'x')),
  })
  .map((r) => {
    const fields = (model: Model) => {
      const parent_path = r.parent === undefined ? undefined : resolve(model.paths(r.aim.who), r.parent);
      return toFields({ name: r.name, content: r.content, parent_path, description: r.description });
    };
    return new Request(
      `update ${JSON.stringify(r)}`,
      (model) => {
        const { kind, path, ifMatch } = aimOf(model, r.aim);
        return model.update(r.aim.who, kind, path, ifMatch, fields(model));
      },
      ({ catalog, ...users }, model) => {
        const { kind, path, ifMatch } = aimOf(model, r.aim);
        return kind === 'folder'
          ? catalog.updateFolder(users[r.aim.who], path, ifMatch, folderChange.readOnUse(fields(model)))
          : catalog.updateAsset(users[r.aim.who], path, ifMatch, assetChange.readOnUse(fields(model)));
      },
    );
  });

const remove = fc.record({ aim }).map((r) => {
  return new Request(
    `remove ${JSON.stringify(r)}`,
    (model) => {
      const { kind, path, ifMatch } = aimOf(model, r.aim);
      return model.remove(r.aim.who, kind, path, ifMatch);
    },
    ({ catalog, ...users }, model) => {
      const { kind, path, ifMatch } = aimOf(model, r.aim);
      if (kind === 'folder') catalog.deleteFolder(users[r.aim.who], path, ifMatch);
      else catalog.deleteAsset(users[r.aim.who], path, ifMatch);
      return undefined;
    },
  );
});

/** Every item that a user finds in lists, read by its path. */
function readAll({ catalog, ...users }: World, who: Who): unknown[] {
  const walk = (path: string): unknown[] => {
    const { body, revision } = catalog.get(users[who], path);
    const { type, description, data } = body;
    const below = 'content' in data ? [] : catalog.list(users[who], path).data;
    return [
      { path: body.path, type, revision, description, ...data },
      ...below.flatMap((child) => walk(child.path)),
    ];
  };
  return catalog.list(users[who]).data.flatMap((root) => walk(root.path));
}

function modelAll(model: Model, who: Who): unknown[] {
  const visible = model.paths(who).filter((path) => 'type' in model.get(who, path));
  return visible.map((path) => ({ ...model.get(who, path), description: model.descriptionAt(who, path) }));
}

function byPath(items: unknown[]): unknown[] {
  return (items as { path: string }[]).sort((a, b) => (a.path < b.path ? -1 : 1));
}

it('returns the same results as the model, for any requests in any order', () => {
  const requests = fc.commands([create, create, update, update, remove], { maxCommands: 100, size: '+2' });
  fc.assert(
    fc.property(requests, (commands) => {
      const world = createWorld();
      world.database.statement('PRAGMA synchronous = OFF').run();
      const model = new Model();
      fc.modelRun(() => ({ model, real: world }), commands);
      for (const who of ['owner', 'guest'] as const) {
        expect(byPath(readAll(world, who))).toEqual(byPath(modelAll(model, who)));
      }
    }),
    { numRuns: share(100) },
  );
});
