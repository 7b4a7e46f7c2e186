import type { Kind } from '../../support/http.ts';

/** An answer: an error, or the items that were read, listed, created or changed. */
export type Outcome =
  | { readonly status: number; readonly detail: string }
  | { readonly status: number; readonly etag: string; readonly item: ModelItem }
  | { readonly status: 200; readonly children: readonly (readonly [path: string, type: string])[] }
  | { readonly status: 204 };

/** The fields of an answered item that do not depend on the time. */
interface ModelItem {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly content: string | undefined;
}

/** The fields of a body; undefined ones are absent. */
export interface Fields {
  readonly name?: string | undefined;
  readonly parent_path?: string | undefined;
  readonly content?: string | undefined;
  readonly folder_type?: string | undefined;
  readonly description?: string | undefined;
}

interface Node {
  name: string;
  type: string;
  revision: number;
  description: string;
  /** Undefined for folders. */
  content: string | undefined;
  parent: Node | null;
  readonly children: Map<string, Node>;
}

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

const refuse = (status: number, detail: string): never => {
  throw new Refusal(status, detail);
};
const notFound = (path: string) => refuse(404, `Path not found: ${path}`);

/**
 * The catalog of one administrator as a tree in memory, derived only from the rules (docs/reference/http-catalog.md):
 * tests compare the server with it.
 */
export class CatalogModel {
  private readonly roots = ['@Personal', '@Project Hub', '@Shared'].map((name) =>
    name === '@Personal' ? newNode(null, name, 'USER_HOME', 2) : newNode(null, name, 'REGULAR_FOLDER', 1),
  );

  /**
   * The namespaces of a new home are older than the counter; its administrator draws the first value from it.
   */
  private lastRevision = 2;

  private drawRevision(): number {
    this.lastRevision += 1;
    return this.lastRevision;
  }

  /** The paths of all items, including the namespaces. */
  paths(): string[] {
    const walk = (node: Node): string[] => [pathOf(node), ...[...node.children.values()].flatMap(walk)];
    return this.roots.flatMap(walk);
  }

  /** The revision of the item at a path. */
  revisionAt(path: string): number | undefined {
    return this.find(path)?.revision;
  }

  read(path: string): Outcome {
    return outcomeOf(() => answer(200, this.find(path) ?? notFound(path)));
  }

  list(path: string): Outcome {
    return outcomeOf(() => {
      const folder = this.find(path) ?? notFound(path);
      if (folder.content !== undefined) refuse(400, `Not a folder: ${path}`);
      const rank = (node: Node) => (node.content === undefined ? 0 : 1);
      const children = [...folder.children.values()].toSorted(
        (a, b) => rank(a) - rank(b) || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)),
      );
      return { status: 200, children: children.map((node) => [pathOf(node), node.type]) };
    });
  }

  create(kind: Kind, fields: Fields): Outcome {
    return outcomeOf(() => {
      const { parentPath, name, type } = checkNew(kind, fields);
      const parent = this.findParent(kind, parentPath);
      if (parent.children.has(name)) refuse(400, 'Name already exists.');
      const node = newNode(parent, name, type, this.drawRevision());
      node.description = fields.description ?? '';
      if (kind === 'assets') write(node, fields.content!);
      parent.children.set(name, node);
      return answer(201, node);
    });
  }

  update(kind: Kind, path: string, ifMatch: string | undefined, fields: Fields): Outcome {
    return outcomeOf(() => {
      const node = this.findTarget(kind, path, ifMatch);
      const name = fields.name || node.name;
      checkName(name);
      const isEmpty = carriesNothing(kind, fields);
      if (isEmpty && kind === 'assets') refuse(400, 'Name or content is required');
      const parent = fields.parent_path ? this.findParent(kind, fields.parent_path) : node.parent!;
      if (isWithin(parent, node)) refuse(400, 'Folder cannot be moved into itself or below itself');
      if (![undefined, node].includes(parent.children.get(name))) refuse(400, 'Name already exists.');
      if (!isEmpty) {
        change(node, parent, name, fields);
        node.revision = this.drawRevision();
      }
      return answer(200, node);
    });
  }

  remove(kind: Kind, path: string, ifMatch: string | undefined): Outcome {
    return outcomeOf(() => {
      const node = this.findTarget(kind, path, ifMatch);
      if (node.children.size > 0) refuse(400, 'Folder is not empty');
      node.parent!.children.delete(node.name);
      return { status: 204 };
    });
  }

  private findTarget(kind: Kind, path: string, ifMatch: string | undefined): Node {
    const node = this.find(path);
    if (node === undefined || node.parent === null) return notFound(path);
    const isFolder = node.content === undefined;
    if (isFolder !== (kind === 'folders')) {
      refuse(422, kind === 'folders' ? 'Path must be a folder' : 'Path must be an asset');
    }
    if (ifMatch === undefined) return refuse(428, 'If-Match header is required');
    const current = `"${node.revision}"`;
    const tags = ifMatch.split(',').map((tag) => tag.trim());
    if (!tags.some((tag) => tag === '*' || tag === current || tag === `${node.revision}`)) {
      refuse(412, `Entity has been modified. Refresh and retry with current ETag: ${current}`);
    }
    return node;
  }

  private findParent(kind: Kind, path: string): Node {
    const node = this.find(path) ?? notFound(path);
    if (node.content === undefined) return node;
    return kind === 'folders' ? refuse(422, 'Parent path must be a folder') : notFound(path);
  }

  private find(path: string): Node | undefined {
    const [first, ...names] = path.replace(/^\//, '').replace(/\/$/, '').split('/');
    const root = this.roots.find(({ name }) => name === first);
    return names.reduce<Node | undefined>((node, name) => node?.children.get(name), root);
  }
}

function newNode(parent: Node | null, name: string, type: string, revision: number): Node {
  return { name, type, revision, description: '', content: undefined, parent, children: new Map() };
}

function pathOf({ parent, name }: Node): string {
  return parent === null ? name : `${pathOf(parent)}/${name}`;
}

function isWithin(node: Node | null, folder: Node): boolean {
  return node !== null && (node === folder || isWithin(node.parent, folder));
}

function checkName(name: string): void {
  if (name.includes('/')) refuse(400, "Name cannot contain '/' character");
  if ([...name].length > 255) refuse(400, 'Name exceeds maximum length of 255 characters');
  if (name === '.' || name === '..' || /\p{Cc}/u.test(name)) refuse(400, 'Name is not allowed');
}

/** In the order of the table; an empty name or parent path counts as missing. */
function checkNew(kind: Kind, { parent_path, name, content, folder_type = 'REGULAR' }: Fields) {
  if (!parent_path) return refuse(400, 'Parent path is required');
  if (!name) return refuse(400, 'Name is required');
  checkName(name);
  const type = { REGULAR: 'REGULAR_FOLDER', PROJECT: 'PROJECT' }[folder_type];
  if (kind === 'folders' && type === undefined) refuse(400, 'Invalid value for folder_type');
  if (kind === 'assets' && content === undefined) refuse(400, 'Content is required');
  return { parentPath: parent_path, name, type: type ?? '' };
}

function carriesNothing(kind: Kind, { name, parent_path, content, description }: Fields): boolean {
  const contentOfKind = kind === 'assets' ? content : undefined;
  return !name && !parent_path && contentOfKind === undefined && description === undefined;
}

function change(node: Node, parent: Node, name: string, { content, description }: Fields): void {
  node.parent!.children.delete(node.name);
  Object.assign(node, { parent, name, description: description ?? node.description });
  parent.children.set(name, node);
  if (node.content !== undefined) write(node, content ?? node.content);
}

function write(node: Node, content: string): void {
  node.content = content;
  const isService = content.includes('#+src') || /\{\{.*\}\}/s.test(content);
  const isManifest = node.name === 'project.toml' && node.parent?.type === 'PROJECT';
  node.type = isManifest ? 'PROJECT_MANIFEST' : isService ? 'SERVICE_SCRIPT' : 'SQL_SCRIPT';
}

function answer(status: number, node: Node): Outcome {
  const { name, type, content, revision } = node;
  return { status, etag: `"${revision}"`, item: { name, path: pathOf(node), type, content } };
}

function outcomeOf(act: () => Outcome): Outcome {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, detail: error.message };
    throw error;
  }
}
