/**
 * The catalog as a tree in memory, written only from the rules. The tests compare the real catalog with it. Every
 * operation returns a status and the resulting item.
 */
export interface ModelNode {
  name: string;
  type: string;
  revision: number;
  description: string;
  /** Undefined for folders. */
  content: string | undefined;
  /** Whether it was moved out of the hub, and is since then visible only to the owner. */
  closed: boolean;
  readonly children: Map<string, ModelNode>;
}

export type Who = 'owner' | 'guest';

/** An error by its status, or the returned item. */
export type Outcome =
  | { readonly status: number }
  | { readonly path: string; readonly type: string; readonly revision: number; readonly content?: string };

/** The fields of a request. */
export interface Fields {
  readonly name?: string;
  readonly parent_path?: string;
  readonly content?: string;
  readonly folder_type?: string;
  readonly description?: string;
}

interface Found {
  readonly node: ModelNode;
  readonly names: readonly string[];
  readonly trail: readonly ModelNode[];
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`${status}`);
    this.status = status;
  }
}

export class Model {
  /** The namespaces of a new home do not use the counter; its two users get the first numbers. */
  private readonly roots: Record<string, ModelNode> = {
    '@Shared': newNode('@Shared', 'REGULAR_FOLDER', 1),
    '@Project Hub': newNode('@Project Hub', 'REGULAR_FOLDER', 1),
    '@Personal owner': newNode('@Personal', 'USER_HOME', 2),
    '@Personal guest': newNode('@Personal', 'USER_HOME', 3),
  };

  private lastRevision = 3;

  private drawRevision(): number {
    this.lastRevision += 1;
    return this.lastRevision;
  }

  /** Every existing path that this user may see, with the namespaces. */
  paths(who: Who): string[] {
    const walk = (node: ModelNode, path: string): string[] => [
      path,
      ...[...node.children.values()].flatMap((child) => walk(child, `${path}/${child.name}`)),
    ];
    return [
      ...walk(this.roots[`@Personal ${who}`]!, '@Personal'),
      ...walk(this.roots['@Shared']!, '@Shared'),
      ...walk(this.roots['@Project Hub']!, '@Project Hub'),
    ];
  }

  get(who: Who, path: string): Outcome {
    return outcomeOf(() => {
      const found = this.find(who, path);
      if (found === undefined || (hidden(who, found) && found.names.length > 1)) throw new Refusal(404);
      return answer(found.node, found.names);
    });
  }

  descriptionAt(who: Who, path: string): string | undefined {
    return this.find(who, path)?.node.description;
  }

  create(who: Who, kind: 'folder' | 'asset', fields: Fields): Outcome {
    return outcomeOf(() => {
      checkName(fields.name);
      if (!fields.parent_path || !fields.name) throw new Refusal(400);
      if (kind === 'asset' && fields.content === undefined) throw new Refusal(400);
      const types = new Map([
        ['REGULAR', 'REGULAR_FOLDER'],
        ['PROJECT', 'PROJECT'],
      ]);
      const folderType = types.get(fields.folder_type ?? 'REGULAR');
      if (kind === 'folder' && folderType === undefined) throw new Refusal(400);
      const parent = this.findFolder(who, fields.parent_path, kind);
      if (parent.node.children.has(fields.name)) throw new Refusal(400);
      const node = newNode(fields.name, folderType ?? '', this.drawRevision(), fields.description);
      if (kind === 'asset') write(node, parent.node, fields.content!);
      parent.node.children.set(node.name, node);
      return answer(node, [...parent.names, node.name]);
    });
  }

  update(
    who: Who,
    kind: 'folder' | 'asset',
    path: string,
    ifMatch: string | undefined,
    fields: Fields,
  ): Outcome {
    return outcomeOf(() => {
      const found = this.findTarget(who, kind, path, ifMatch);
      checkName(fields.name);
      const carries = carriesAny(kind, fields);
      if (!carries && kind === 'asset') throw new Refusal(400);
      const from = found.trail.at(-2)!;
      const target = fields.parent_path ? this.findFolder(who, fields.parent_path, kind) : undefined;
      const to = target?.node ?? from;
      if (target !== undefined) checkMove(who, found, target);
      const name = fields.name || found.node.name;
      if (![undefined, found.node].includes(to.children.get(name))) throw new Refusal(400);
      const names = [...(target?.names ?? found.names.slice(0, -1)), name];
      if (carries) {
        change(found.node, from, to, name, fields);
        found.node.revision = this.drawRevision();
      }
      return answer(found.node, names);
    });
  }

  remove(who: Who, kind: 'folder' | 'asset', path: string, ifMatch: string | undefined): Outcome {
    return outcomeOf(() => {
      const found = this.findTarget(who, kind, path, ifMatch);
      if (found.node.children.size > 0) throw new Refusal(400);
      found.trail.at(-2)!.children.delete(found.node.name);
      return { status: 204 };
    });
  }

  private findTarget(who: Who, kind: string, path: string, ifMatch: string | undefined): Found {
    const found = this.find(who, path);
    if (found === undefined || hidden(who, found) || found.names.length === 1) throw new Refusal(404);
    if ((found.node.content === undefined) !== (kind === 'folder')) throw new Refusal(422);
    if (ifMatch === undefined) throw new Refusal(428);
    if (!['*', `${found.node.revision}`, `"${found.node.revision}"`].includes(ifMatch))
      throw new Refusal(412);
    return found;
  }

  private findFolder(who: Who, path: string, kind: string): Found {
    const found = this.find(who, path);
    if (found === undefined || hidden(who, found)) throw new Refusal(404);
    if (found.node.content !== undefined) throw new Refusal(kind === 'folder' ? 422 : 404);
    return found;
  }

  private find(who: Who, path: string): Found | undefined {
    const names = path.split('/');
    let node = this.roots[names[0] === '@Personal' ? `@Personal ${who}` : names[0]!];
    const trail: ModelNode[] = [];
    for (const name of names.slice(1)) {
      if (node !== undefined) trail.push(node);
      node = node?.children.get(name);
    }
    return node && { node, names, trail: [...trail, node] };
  }
}

function newNode(name: string, type: string, revision: number, description = ''): ModelNode {
  return { name, type, revision, description, content: undefined, closed: false, children: new Map() };
}

/** Empty names and parent paths count as absent; folders have no content. */
function carriesAny(kind: string, { name, parent_path, description, content }: Fields): boolean {
  const contentOfKind = kind === 'asset' ? content : undefined;
  return Boolean(name || parent_path) || description !== undefined || contentOfKind !== undefined;
}

function hidden(who: Who, { names, trail }: Found): boolean {
  return who === 'guest' && (names[0] === '@Project Hub' || trail.some((node) => node.closed));
}

function checkMove(who: Who, { node, names }: Found, target: Found): void {
  if (target.trail.includes(node)) throw new Refusal(400);
  const goesHome = target.names[0] === '@Personal' && names[0] !== '@Personal';
  if (who === 'guest' && goesHome && holdsClosed(node)) throw new Refusal(422);
}

function holdsClosed(node: ModelNode): boolean {
  return node.closed || [...node.children.values()].some(holdsClosed);
}

function checkName(name: string | undefined): void {
  const wrong = name !== undefined && (/[/\n]/.test(name) || ['.', '..'].includes(name) || name.length > 255);
  if (wrong) throw new Refusal(400);
}

function write(node: ModelNode, folder: ModelNode, content: string): void {
  node.content = content;
  const manifest = node.name === 'project.toml' && folder.type === 'PROJECT';
  node.type = manifest ? 'PROJECT_MANIFEST' : content.includes('{{') ? 'SERVICE_SCRIPT' : 'SQL_SCRIPT';
}

function change(node: ModelNode, from: ModelNode, to: ModelNode, name: string, fields: Fields): void {
  from.children.delete(node.name);
  node.closed ||= from.name === '@Project Hub' && to !== from;
  node.name = name;
  to.children.set(name, node);
  node.description = fields.description ?? node.description;
  if (node.content !== undefined) write(node, to, fields.content ?? node.content);
}

function answer({ type, revision, content }: ModelNode, names: readonly string[]): Outcome {
  const item = { path: names.join('/'), type, revision };
  return content === undefined ? item : { ...item, content };
}

function outcomeOf(act: () => Outcome): Outcome {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status };
    throw error;
  }
}
