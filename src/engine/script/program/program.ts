// A script with the files that it reaches, after the names are resolved. It is made once for a run and never changes:
// a run keeps its state in a scope.

import { elementAt } from '../../../invariants/must.ts';
import {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticCode,
  DiagnosticError,
} from '../../text/diagnostic.ts';
import type { Span } from '../../text/span.ts';
import type { CheckDeclaration } from '../checks/expand-checks.ts';
import { toOriginalSpan } from '../params/params.ts';
import type {
  BlockDeclaration,
  ConstantDeclaration,
  ImportDeclaration,
  MacroDeclaration,
  ScriptFile,
} from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';

/** All packages that a run can reach, linked. */
export interface Program {
  readonly root: Package;
  /** Files with syntax errors, whose declarations are incomplete. */
  readonly broken: readonly ScriptFile[];
  readonly packages: ReadonlyMap<string, Package>;
}

/** A folder of scripts, which share one namespace (docs/reference/language.md#files-and-packages). */
export interface Package {
  readonly id: string;
  /** The import path inside a project, else the path. */
  readonly name: string;
  /** The files that the run reaches, with the definitions that it reaches. */
  readonly files: readonly LinkedFile[];
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly neighbours: Neighbours;
}

/** The other files of the package's folder, for messages about unknown names. */
interface Neighbours {
  /** Names that they define. */
  readonly names: readonly string[];
  /** Those with errors: they can define further names. Empty while nothing needs them. */
  readonly broken: readonly string[];
}

export interface LinkedFile {
  readonly file: ScriptFile;
  readonly imports: ReadonlyMap<string, Imported>;
  /** The checks of its blocks. */
  readonly checks: readonly LinkedCheck[];
}

/** A check of a block, in a file with the names of the block's file. */
export interface LinkedCheck {
  readonly declaration: CheckDeclaration;
  readonly file: LinkedFile;
}

/**
 * The target of an imported name. A `missing` one is `reported`, unless its path contains a parameter without a value,
 * which this run possibly does not need.
 */
export type Imported =
  | { readonly kind: 'package'; readonly id: string; readonly declaration: ImportDeclaration }
  | { readonly kind: 'library'; readonly name: string; readonly declaration: ImportDeclaration }
  | { readonly kind: 'missing'; readonly declaration: ImportDeclaration; readonly reported: boolean };

/** The definition of a name of a package. */
export type Definition = BlockDefinition | MacroDefinition | ConstantDefinition;

interface Defined {
  readonly name: string;
  readonly package: Package;
  readonly file: LinkedFile;
}

/** A block or test; an anonymous one has an empty name. */
export interface BlockDefinition extends Defined {
  readonly kind: 'block' | 'test' | 'anonymous';
  readonly declaration: BlockDeclaration;
  /** A query for the number of rows that a check looks at; null for everything else. */
  readonly total: BlockDeclaration | null;
}

export interface MacroDefinition extends Defined {
  readonly kind: 'macro';
  readonly declaration: MacroDeclaration;
}

export interface ConstantDefinition extends Defined {
  readonly kind: 'constant';
  readonly declaration: ConstantDeclaration;
}

/** Whether other packages can use a name: it starts with an upper-case letter. */
export function isPublic(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** A definition in messages: its kind and its name. */
export function describeDefinition({ kind, name }: Definition): string {
  return `the ${kind} \`${name}\``;
}

/** A diagnostic for a span of a script, at its position in the original source. */
export function createScriptDiagnostic(
  { rendered }: ScriptFile,
  span: Span,
  message: string,
  code: DiagnosticCode = 'rendering',
  severity: Diagnostic['severity'] = 'error',
): Diagnostic {
  return createDiagnostic(rendered.source, toOriginalSpan(rendered, span), message, code, severity);
}

/** An error with one diagnostic. */
export function createScriptError(file: ScriptFile, span: Span, message: string): DiagnosticError {
  return new DiagnosticError([createScriptDiagnostic(file, span, message)]);
}

/** The blocks of a file as definitions, in source order, then their checks as tests. */
export function listBlocks(owner: Package, file: LinkedFile): readonly BlockDefinition[] {
  return [
    ...file.file.blocks.map((declaration) => toBlock(owner, file, declaration)),
    ...file.checks.map((check) =>
      toBlock(owner, check.file, check.declaration.test, check.declaration.total),
    ),
  ];
}

/** A block's definition. */
function toBlock(
  owner: Package,
  file: LinkedFile,
  declaration: BlockDeclaration,
  total: BlockDeclaration | null = null,
): BlockDefinition {
  const { kind, name } = declaration;
  return { kind, name: name?.name ?? '', declaration, total, package: owner, file };
}

/** The error for a void block that is used where rows are needed. */
export function createVoidBlockError(
  block: BlockDefinition,
  { file, start, end }: Span & { readonly file: LinkedFile },
) {
  const message = `${describeDefinition(block)} is void: it can only be used as a separate statement`;
  return createScriptError(file.file, { start, end }, message);
}

/** Describes a cycle of calls: the names of the blocks, and the position of each call. */
export function describeCycle(
  names: readonly string[],
  sites: readonly (Span & { readonly file: LinkedFile })[],
): string {
  const places = names.map((name, i) => {
    const { file, line } = createScriptDiagnostic(elementAt(sites, i).file.file, elementAt(sites, i), '');
    return `\`${name === '' ? 'the script' : name}\` (${file}:${line})`;
  });
  return `these blocks call one another in a cycle: ${[...places, places[0]].join(' → ')}`;
}

/** All definitions of a file, including duplicates and unnamed ones. */
export function listDefinitions(owner: Package, linked: LinkedFile): readonly Definition[] {
  const { macros, constants } = linked.file;
  const common = { package: owner, file: linked };
  return [
    ...listBlocks(owner, linked),
    ...macros.map(
      (declaration) => ({ kind: 'macro', name: declaration.name.name, declaration, ...common }) as const,
    ),
    ...constants.map(
      (declaration) => ({ kind: 'constant', name: declaration.name.name, declaration, ...common }) as const,
    ),
  ];
}

/** The span of a block's publication, or of the value of one of its keys, such as `options.header`. */
export function findPublicationSpan({ declaration }: BlockDefinition, key: string | null): Span {
  let value = findEntry(declaration.meta, 'publication');
  for (const part of key?.split('.') ?? []) {
    const inner = value?.kind === 'map' ? findEntry(value, part) : null;
    if (inner === null) break;
    value = inner;
  }
  return value ?? declaration;
}

/** Whether a block runs only for its effects (docs/reference/language.md#directives). */
export function isVoid({ declaration }: BlockDefinition): boolean {
  return declaration.returns?.name === 'void';
}
