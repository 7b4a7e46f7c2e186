import { elementAt } from '../../../invariants/must.ts';
import {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticCode,
  DiagnosticError,
} from '../../text/diagnostic.ts';
import type { Span } from '../../text/span.ts';
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
  /** Files with faults of syntax, of which some declarations are missing. */
  readonly broken: readonly ScriptFile[];
  readonly packages: ReadonlyMap<string, Package>;
}

/** A folder of scripts, which share one namespace (language 1). */
export interface Package {
  readonly id: string;
  /** The import path inside a project, else the path. */
  readonly name: string;
  readonly files: readonly LinkedFile[];
  readonly definitions: ReadonlyMap<string, Definition>;
}

export interface LinkedFile {
  readonly file: ScriptFile;
  readonly imports: ReadonlyMap<string, Imported>;
}

/**
 * What a local name of an import stands for; a `missing` one has been `reported`, unless a parameter without a
 * value stands in its path, which this run may not need.
 */
export type Imported =
  | { readonly kind: 'package'; readonly id: string; readonly declaration: ImportDeclaration }
  | { readonly kind: 'library'; readonly name: string; readonly declaration: ImportDeclaration }
  | { readonly kind: 'missing'; readonly declaration: ImportDeclaration; readonly reported: boolean };

/** What a name of a package stands for. */
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
}

export interface MacroDefinition extends Defined {
  readonly kind: 'macro';
  readonly declaration: MacroDeclaration;
}

export interface ConstantDefinition extends Defined {
  readonly kind: 'constant';
  readonly declaration: ConstantDeclaration;
}

/** Whether other packages may use a name: it begins with an upper-case letter. */
export function isPublic(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** What people call a definition: `the block`, `the test`, `the macro`, `the constant`. */
export function describeDefinition({ kind, name }: Definition): string {
  return `the ${kind} \`${name}\``;
}

/** A finding about a stretch of a script, at the place where its author wrote it. */
export function createFinding(
  { rendered }: ScriptFile,
  span: Span,
  message: string,
  code: DiagnosticCode = 'rendering',
  severity: Diagnostic['severity'] = 'error',
): Diagnostic {
  return createDiagnostic(rendered.source, toOriginalSpan(rendered, span), message, code, severity);
}

/** The error of one finding. */
export function createFault(file: ScriptFile, span: Span, message: string): DiagnosticError {
  return new DiagnosticError([createFinding(file, span, message)]);
}

/** The blocks of a file as definitions, in the order of the text. */
export function listBlocks(owner: Package, file: LinkedFile): readonly BlockDefinition[] {
  return file.file.blocks.map((declaration) => toBlock(owner, file, declaration));
}

/** A block's definition. */
function toBlock(owner: Package, file: LinkedFile, declaration: BlockDeclaration): BlockDefinition {
  const { kind, name } = declaration;
  return { kind, name: name?.name ?? '', declaration, package: owner, file };
}

/** A void block that stands where rows are wanted. */
export function createVoidFault(
  block: BlockDefinition,
  { file, start, end }: Span & { readonly file: LinkedFile },
) {
  const message = `${describeDefinition(block)} is void: it may only stand as a statement of its own`;
  return createFault(file.file, { start, end }, message);
}

/** Blocks that call one another in a cycle, by their names, and where each of them calls the next one. */
export function describeCycle(
  names: readonly string[],
  sites: readonly (Span & { readonly file: LinkedFile })[],
): string {
  const places = names.map((name, i) => {
    const { file, line } = createFinding(elementAt(sites, i).file.file, elementAt(sites, i), '');
    return `\`${name === '' ? 'the script' : name}\` (${file}:${line})`;
  });
  return `these blocks call one another in a circle: ${[...places, places[0]].join(' → ')}`;
}

/** Everything that a file defines, also what stands twice or has no name. */
export function listDefinitions(owner: Package, linked: LinkedFile): readonly Definition[] {
  const { blocks, macros, constants } = linked.file;
  const common = { package: owner, file: linked };
  return [
    ...blocks.map((declaration) => toBlock(owner, linked, declaration)),
    ...macros.map(
      (declaration) => ({ kind: 'macro', name: declaration.name.name, declaration, ...common }) as const,
    ),
    ...constants.map(
      (declaration) => ({ kind: 'constant', name: declaration.name.name, declaration, ...common }) as const,
    ),
  ];
}

/** Where a block says how it is published, or the value of one of the keys there, such as `options.header`. */
export function findPublicationSpan({ declaration }: BlockDefinition, key: string | null): Span {
  let found = findEntry(declaration.meta, 'publication');
  for (const part of key?.split('.') ?? []) {
    const inner = found?.kind === 'map' ? findEntry(found, part) : null;
    if (inner === null) break;
    found = inner;
  }
  return found ?? declaration;
}

/** Whether a block is run for its effect alone (language 2). */
export function isVoid({ declaration }: BlockDefinition): boolean {
  return declaration.returns?.name === 'void';
}
