import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Answer, Client, Item, Kind } from '../../support/http.ts';
import { share } from '../../support/rotation.ts';
import { shareServer } from '../../support/server.ts';
import { CatalogModel, type Fields, type Outcome } from './catalog-model.ts';

const shared = shareServer();

/** The path of an existing item, by a number, or any text. */
type Choice = number | string;

/** A request before its turn, with its known parts. */
type Step =
  | { readonly verb: 'read'; readonly at: Choice }
  | { readonly verb: 'list'; readonly at: Choice }
  | { readonly verb: 'create'; readonly kind: Kind; readonly parent: Choice; readonly fields: Fields }
  | {
      readonly verb: 'update' | 'remove';
      readonly kind: Kind | 'own';
      readonly at: Choice;
      readonly match: 'current' | 'stale' | 'star' | 'list' | 'none';
      readonly parent: Choice | undefined;
      readonly fields: Fields;
    };

const name = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom('a', 'b', 'A', 'é', 'e\u0301', '😀', '\ue000', '%2F', 'project.toml', ' '),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '.', '..', 'a/b', 'x\n', 'x'.repeat(256), '😀'.repeat(255)) },
);
const content = fc.constantFrom('', 'SELECT 1', '{{ x }}', '#+src', '}} {{');
const kind = fc.constantFrom<Kind>('folders', 'assets');
const choice: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 12, arbitrary: fc.nat(1_000) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('@Shared/x/y', '@Nowhere', '@Shared//a', '/@Shared/a/', '@Personal/..', 'a'),
  },
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const fields = fc.record({
  name: maybe(name),
  content: maybe(content),
  description: maybe(fc.constantFrom('', 'x')),
});
const match = fc.constantFrom('current', 'current', 'current', 'star', 'list', 'stale', 'none');

const step = fc.oneof(
  fc.record({ verb: fc.constantFrom('read', 'list'), at: choice }),
  fc.record({
    verb: fc.constant('create'),
    kind,
    parent: choice,
    fields: fc.record({
      name: maybe(name).map((given) => given ?? 'c'),
      content: maybe(content),
      folder_type: fc.constantFrom(undefined, 'REGULAR', 'PROJECT', 'PROJECT', 'USER_HOME'),
    }),
  }),
  fc.record({
    verb: fc.constantFrom('update', 'update', 'remove'),
    kind: fc.oneof({ weight: 9, arbitrary: fc.constant('own') }, { weight: 1, arbitrary: kind }),
    at: choice,
    match,
    parent: maybe(choice),
    fields,
  }),
) as fc.Arbitrary<Step>;

function toOutcome({ status, headers, body }: Answer): Outcome {
  if (status === 204) return { status };
  if (status >= 400) return { status, detail: (body as { detail: string }).detail };
  if ('data' in (body as object) && Array.isArray((body as { data: unknown }).data)) {
    const { data } = body as { data: Item[] };
    return { status: 200, children: data.map((child) => [child.path, child.type]) };
  }
  const { name: itemName, path, type, data } = body as Item;
  return { status, etag: headers.etag!, item: { name: itemName, path, type, content: data?.content } };
}

/** The request of a step, after its items are known. */
class Request {
  private readonly step: Step;
  private readonly paths: readonly string[];
  private readonly model: CatalogModel;

  constructor(step: Step, model: CatalogModel, at: string) {
    this.step = step;
    this.model = model;
    const below = model.paths().filter((path) => path === at || path.startsWith(`${at}/`));
    this.paths = below.length > 0 ? below : ['@Shared', at];
  }

  /** The model's answer and the server's. */
  run(client: Client): [Outcome, Promise<Answer>] {
    const { model, step } = this;
    if (step.verb === 'read' || step.verb === 'list') {
      const path = this.findInUrl(step.at);
      return [model[step.verb](path), client[step.verb](path)];
    }
    if (step.verb === 'create') {
      const body = { parent_path: this.find(step.parent), ...step.fields };
      return [model.create(step.kind, body), client.create(step.kind, body)];
    }
    const path = this.findInUrl(step.at);
    const ifMatch = this.toIfMatch(step.match, path);
    const own = 'item' in model.read(path) && model.list(path).status === 400 ? 'assets' : 'folders';
    const kindOf = step.kind === 'own' ? own : step.kind;
    if (step.verb === 'remove')
      return [model.remove(kindOf, path, ifMatch), client.remove(kindOf, path, ifMatch)];
    const parent_path = step.parent === undefined ? undefined : this.find(step.parent);
    const body = { ...step.fields, parent_path };
    return [model.update(kindOf, path, ifMatch, body), client.update(kindOf, path, ifMatch, body)];
  }

  private find(at: Choice): string {
    return typeof at === 'string' ? at : this.paths[at % this.paths.length]!;
  }

  /** As the server reads it: repeated slashes of a URL do not count. */
  private findInUrl(at: Choice): string {
    return this.find(at).split('/').filter(Boolean).join('/');
  }

  private toIfMatch(how: string, path: string): string | undefined {
    const revision = this.model.revisionAt(path) ?? 1;
    const headers: Readonly<Record<string, string>> = {
      current: `"${revision}"`,
      stale: `"${revision + 1}"`,
      star: '*',
      list: `"${revision + 1}", ${revision}`,
    };
    return headers[how];
  }
}

it('the server answers as the model does, one request after another', async () => {
  const model = new CatalogModel();
  const seen = new Set<number>();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      // The catalog also has the items of earlier runs, each in a separate folder.
      const at = `@Shared/run ${++run}`;
      const folder = { parent_path: '@Shared', name: `run ${run}`, folder_type: 'PROJECT' };
      model.create('folders', folder);
      await shared.admin.create('folders', folder);
      for (const each of steps) {
        const [expected, asked] = new Request(each, model, at).run(shared.admin);
        const answer = await asked;
        expect(toOutcome(answer)).toEqual(expected);
        seen.add(answer.status);
      }
      for (const path of model.paths().filter((each) => each === at || each.startsWith(`${at}/`))) {
        expect(toOutcome(await shared.admin.read(path)), path).toEqual(model.read(path));
        expect(toOutcome(await shared.admin.list(path)), path).toEqual(model.list(path));
      }
    }),
    { numRuns: share(120) },
  );
  expect([...seen].toSorted()).toEqual([200, 201, 204, 400, 404, 412, 422, 428]);
});
