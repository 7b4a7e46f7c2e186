// What the parser makes of a script. It has no names resolved and no values: `load/` links it to a program. SQL stays
// text, because each database reads its own.

import type { Decimal } from '../../../text/decimal.ts';
import type { Span } from '../../text/span.ts';
import type { Rendered } from '../params/params.ts';

/**
 * One script. Every span refers to `rendered.text`, the source with its parameters replaced; `toOriginalSpan` converts
 * a span to the original source.
 */
export interface ScriptFile {
  readonly kind: 'file';
  readonly rendered: Rendered;
  readonly imports: readonly ImportDeclaration[];
  /** Blocks, tests and anonymous blocks, in source order. */
  readonly blocks: readonly BlockDeclaration[];
  readonly macros: readonly MacroDeclaration[];
  readonly constants: readonly ConstantDeclaration[];
}

export interface Identifier extends Span {
  readonly name: string;
}

/** `#+import "path" as alias`. */
export interface ImportDeclaration extends Span {
  readonly kind: 'import';
  readonly path: string;
  readonly pathSpan: Span;
  readonly alias: Identifier | null;
}

/** `#+src sql …`, `#+test sql …`, or the plain statements between declared blocks (`anonymous`). */
export interface BlockDeclaration extends Span {
  readonly kind: 'block' | 'test' | 'anonymous';
  /** Null only for an anonymous block. */
  readonly name: Identifier | null;
  readonly params: readonly Parameter[];
  /** The return type as written; null if omitted. */
  readonly returns: Identifier | null;
  readonly meta: MapExpression | null;
  readonly body: Body;
}

export interface MacroDeclaration extends Span {
  readonly kind: 'macro';
  readonly name: Identifier;
  readonly params: readonly Parameter[];
  readonly body: Body;
}

export interface ConstantDeclaration extends Span {
  readonly kind: 'constant';
  readonly name: Identifier;
  readonly value: Expression;
}

export interface Parameter extends Identifier {
  readonly default: Expression | null;
}

/** A template: text with interpolations, conditions and loops. */
export interface Body extends Span {
  readonly parts: readonly Part[];
}

export type Part = TextPart | InterpolationPart | IfPart | ForPart;

/** Literal text; a comment is opaque. */
interface TextPart extends Span {
  readonly kind: 'text' | 'comment';
}

/** `{{ expression }}`. */
export interface InterpolationPart extends Span {
  readonly kind: 'interpolation';
  readonly expression: Expression;
}

/** `#+if … then … #+elseif … then … #+else … #+end`. */
export interface IfPart extends Span {
  readonly kind: 'if';
  readonly branches: readonly { readonly condition: Expression; readonly body: Body }[];
  readonly otherwise: Body | null;
}

/** `#+for variable : list separator … before … after … do … #+end`. */
export interface ForPart extends Span {
  readonly kind: 'for';
  readonly variable: Identifier;
  readonly list: Expression;
  readonly clauses: Readonly<Partial<Record<ForClause, Expression>>>;
  readonly body: Body;
}

export type ForClause = 'separator' | 'before' | 'after';

export type Expression =
  | LiteralExpression
  | SymbolExpression
  | NameExpression
  | MemberExpression
  | IndexExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | UnaryExpression
  | BinaryExpression
  | UnsetExpression;

export interface LiteralExpression extends Span {
  readonly kind: 'literal';
  /** An integer is a bigint. */
  readonly value: null | boolean | bigint | number | Decimal | string;
}

/** `:name`. */
interface SymbolExpression extends Span {
  readonly kind: 'symbol';
  readonly name: string;
}

interface NameExpression extends Identifier {
  readonly kind: 'name';
}

/** `object.name`. */
export interface MemberExpression extends Span {
  readonly kind: 'member';
  readonly object: Expression;
  readonly member: Identifier;
}

/** `object[index]`. */
export interface IndexExpression extends Span {
  readonly kind: 'index';
  readonly object: Expression;
  readonly index: Expression;
}

export interface CallExpression extends Span {
  readonly kind: 'call';
  readonly callee: Expression;
  /** Positional arguments come first. */
  readonly args: readonly Argument[];
}

export interface Argument extends Span {
  readonly name: Identifier | null;
  readonly value: Expression;
}

interface ListExpression extends Span {
  readonly kind: 'list';
  readonly items: readonly Expression[];
}

/** `{ :key value, … }`. */
export interface MapExpression extends Span {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface MapEntry {
  readonly key: Identifier;
  readonly value: Expression;
}

export type UnaryOperator = '-' | 'not';

interface UnaryExpression extends Span {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or';

export interface BinaryExpression extends Span {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** A `$name` without a value: an error only when it is evaluated (docs/reference/parameters.md#without-a-value). */
interface UnsetExpression extends Identifier {
  readonly kind: 'unset';
}
