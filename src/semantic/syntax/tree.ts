import type { Node, SelectStmt } from 'libpg-query';
import type { Span } from '../../engine/text/span.ts';
import type { ParserText } from './parser-text.ts';
import { SemanticSqlError, syntaxTexts } from './semantic-sql-error.ts';
import type { ExpressionSyntax, NameSyntax, OrderSyntax, QuerySyntax } from './syntax.ts';

/** The name of a kind of parser nodes. */
export type NodeKind = Node extends infer Each ? (Each extends object ? keyof Each : never) : never;

/** The parser's node of a kind. */
export type NodeOf<Kind extends NodeKind> = Node extends infer Each
  ? Each extends Record<Kind, infer Value>
    ? Value
    : never
  : never;

/** How the parser's tree is read; the functions are here because they recurse into one another. */
export interface TreeContext {
  readonly text: ParserText;
  readExpression(node: Node | undefined): ExpressionSyntax;
  readOrder(list: readonly Node[] | undefined): readonly OrderSyntax[];
  readQuery(statement: SelectStmt): QuerySyntax;
}

/** The kind of a node. */
export function nodeKindOf(node: Node): NodeKind {
  const [kind] = Object.keys(node) as NodeKind[];
  if (kind === undefined) throw new Error('a node of the parser has no kind');
  return kind;
}

/** The node if it is of a kind, otherwise undefined. */
export function findNode<Kind extends NodeKind>(
  node: Node | undefined,
  kind: Kind,
): NodeOf<Kind> | undefined {
  return (node as Partial<Record<Kind, NodeOf<Kind>>> | undefined)?.[kind];
}

/** Refuses a node with an unknown field, because ignoring a field could change the meaning of a statement. */
export function checkFields(node: object, known: string, what: string, span: Span): void {
  const names = known.split(' ');
  if (Object.keys(node).every((name) => names.includes(name))) return;
  throw new SemanticSqlError(span, syntaxTexts.unsupported(what));
}

/** The values of a list of the parser's strings. */
export function listStrings(list: readonly Node[] | undefined): readonly string[] {
  return (list ?? []).map((node) => findNode(node, 'String')?.sval ?? '');
}

/** Reads names joined with dots; the location is that of the first name. */
export function readNames(
  { text }: TreeContext,
  names: readonly string[],
  location: number | undefined,
): readonly NameSyntax[] {
  return names.map((name, at) => text.readName(name, text.findSpan(location, at * 2)));
}
