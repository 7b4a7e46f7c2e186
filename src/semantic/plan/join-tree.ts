import type { ResultLink, TypedExpression } from '../expression/expression.ts';
import { listExpressionFields, mapExpression } from '../expression/walk-expression.ts';
import type { DimensionUse, RolePath } from '../model/index/field-use.ts';
import type { Edge, IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import { findJoinPath } from '../model/index/join-path.ts';
import type { Dialect } from '../sql/dialect.ts';
import { Names } from '../sql/names.ts';

/** An entity in the joins of a leg; the root has neither parent nor edge. */
export interface TreeNode {
  readonly alias: string;
  readonly entity: IndexedEntity;
  readonly parent: TreeNode | null;
  readonly edge: Edge | null;
  /** The conditions of the join with a result; empty for an entity. */
  readonly on: readonly TypedExpression<PlacedUse>[];
  /** By edge id. */
  readonly children: Map<number, TreeNode>;
}

/** A dimension and its node. */
interface PlacedUse {
  readonly node: TreeNode;
  readonly use: DimensionUse;
}

/** The joins over which a leg reaches dimensions; equal paths are shared. */
export class JoinTree {
  readonly root: TreeNode;
  readonly #index: ModelIndex;
  readonly #role: RolePath | null;
  readonly #results: readonly ResultLink[];
  readonly #names: Names;
  readonly #nodes = new Map<string, TreeNode>();

  /** `role` is the path that the query names the root by; its start is joined back over it. */
  constructor({ index, results, dialect }: TreeContext, root: IndexedEntity, role: RolePath | null) {
    this.#index = index;
    this.#results = results;
    this.#role = role;
    this.#names = new Names(dialect);
    this.root = this.#create(root, null, null);
  }

  /** The node of a dimension. Throws a SemanticError if there is no path or no unique path. */
  reach(use: DimensionUse): TreeNode {
    const key = use.key.slice(0, use.key.indexOf('|'));
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    let node = this.root;
    for (const edge of [...this.#findPath(use.start), ...use.steps]) {
      node = node.children.get(edge.id) ?? this.#create(edge.to, node, edge);
    }
    this.#nodes.set(key, node);
    return node;
  }

  /** The cheapest path. In a role, a path through the start of the role uses the role's edges. */
  #findPath(to: IndexedEntity): readonly Edge[] {
    const { entity } = this.root;
    if (this.#role === null) return findJoinPath(this.#index, entity, to);
    const { start, steps } = this.#role;
    const back = steps.map(({ inverse }) => inverse).reverse();
    if (to === start) return back;
    const path = findJoinPath(this.#index, entity, to);
    const isOver = path.some((edge) => edge.to === start);
    return isOver ? [...back, ...findJoinPath(this.#index, start, to)] : path;
  }

  #create(entity: IndexedEntity, parent: TreeNode | null, edge: Edge | null): TreeNode {
    const alias = this.#names.create(entity.entity.name);
    const on: TypedExpression<PlacedUse>[] = [];
    const node = { alias, entity, parent, edge, on, children: new Map<number, TreeNode>() };
    if (parent !== null && edge !== null) parent.children.set(edge.id, node);
    const link = this.#results.find((result) => result.edge === edge);
    for (const condition of link?.on ?? []) {
      on.push(mapExpression(condition, (use) => ({ node: this.reach(use), use })));
    }
    return node;
  }
}

interface TreeContext {
  readonly index: ModelIndex;
  readonly results: readonly ResultLink[];
  readonly dialect: Dialect;
}

/** The same nodes, each after its ancestors and the nodes that its condition reads, and those of `first` as early as possible. */
export function sortParents(nodes: readonly TreeNode[], first: ReadonlySet<TreeNode>): readonly TreeNode[] {
  const sorted = listNeeded([...nodes.filter((node) => first.has(node)), ...nodes]);
  const wanted = new Set(nodes);
  return [...sorted].filter((node) => wanted.has(node));
}

/** A node and its ancestors, the root last. */
export function* listAncestors(node: TreeNode): Generator<TreeNode> {
  for (let at: TreeNode | null = node; at !== null; at = at.parent) yield at;
}

/** Nodes, each after its ancestors and the nodes that the conditions of their joins read. */
export function listNeeded(nodes: Iterable<TreeNode>): ReadonlySet<TreeNode> {
  const needed = new Set<TreeNode>();
  for (const node of nodes) addNeeded(node, needed);
  return needed;
}

function addNeeded(node: TreeNode, needed: Set<TreeNode>): void {
  if (needed.has(node)) return;
  if (node.parent !== null) addNeeded(node.parent, needed);
  for (const condition of node.on) {
    for (const use of listExpressionFields(condition)) if (use.node !== node) addNeeded(use.node, needed);
  }
  needed.add(node);
}
