import { elementAt, present } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import {
  type Definition,
  describeDefinition,
  isPublic,
  type LinkedFile,
  type Package,
  type Program,
} from '../program/program.ts';
import type { Expression, Identifier } from '../syntax/ast.ts';
import { VALUE_WORDS } from '../syntax/parse-expression.ts';
import { LIBRARIES } from './stdlib.ts';

/** The meaning of a name; `unknown` has an error message. */
export type Resolved =
  | { readonly kind: 'package'; readonly package: Package }
  | { readonly kind: 'library'; readonly library: string }
  | { readonly kind: 'function'; readonly library: string; readonly name: string }
  | { readonly kind: 'definition'; readonly definition: Definition }
  | { readonly kind: 'unknown'; readonly message: string; readonly reported: boolean };

/** The maximum of files in a message. */
const MAX_SHOWN = 3;

/** The package and file whose names are in scope. */
interface Names {
  readonly package: Package;
  readonly file: LinkedFile;
}

/** The names of parameters and loop variables, which hide all others. */
interface Locals {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/**
 * Resolves a name, or a member of a package or library; null for any other expression, and for the names of parameters
 * and loop variables.
 */
export function findReference(
  program: Program,
  expression: Expression,
  context: Names & { readonly locals: Locals },
): Resolved | null {
  if (expression.kind === 'name') {
    return context.locals.has(expression.name)
      ? null
      : resolveName(program, context, expression, context.locals.keys());
  }
  if (expression.kind !== 'member') return null;
  const owner = findReference(program, expression.object, context);
  if (owner?.kind !== 'package' && owner?.kind !== 'library') return null;
  return resolveMember(context.package, owner, expression.member.name);
}

/**
 * Resolves a single name: first the file's imports, then the names of the package (docs/reference/language.md#names).
 */
function resolveName(
  program: Program,
  { package: owner, file }: Names,
  expression: Identifier,
  locals: Iterable<string>,
): Resolved {
  const { name } = expression;
  const imported = file.imports.get(name);
  if (imported?.kind === 'library') return { kind: 'library', library: imported.name };
  if (imported?.kind === 'package') return toPackage(program, imported.id, imported.declaration.path);
  if (imported?.kind === 'missing') {
    const { path } = imported.declaration;
    return {
      kind: 'unknown',
      message: `the import "${path}" cannot be resolved`,
      reported: imported.reported,
    };
  }
  const definition = owner.definitions.get(name);
  if (definition !== undefined) return { kind: 'definition', definition };
  if (Object.hasOwn(LIBRARIES, name)) {
    return unknown(`\`${name}\` is not imported: write \`#+import "std/${name}"\` at the top of the file`);
  }
  const words = VALUE_WORDS.filter((word) => word === name.toLowerCase());
  const { definitions, neighbours } = owner;
  const names = [...locals, ...file.imports.keys(), ...definitions.keys(), ...neighbours.names, ...words];
  const near = suggest(name, names);
  const hint = near === undefined ? printImportHint(program, file, expression) : printHint(near);
  return unknown(addBroken(`unknown name \`${name}\`${hint}`, owner, 'the same folder'));
}

/** Adds the files that could not be searched for an unknown name to a message; `folder` is theirs. */
export function addBroken(message: string, { neighbours: { broken } }: Package, folder: string): string {
  const [first, ...others] = broken.map((file) => `\`${elementAt(file.split('/'), -1)}\``);
  if (first === undefined) return message;
  const shown = [first, ...others].slice(0, MAX_SHOWN).join(', ');
  const more = others.length < MAX_SHOWN ? '' : ` and ${others.length + 1 - MAX_SHOWN} more`;
  const state = others.length === 0 ? 'has an error' : 'have errors';
  return `${message}${message.endsWith('?') ? '' : ';'} ${shown}${more}, in ${folder}, ${state} and could not be searched`;
}

/** Advice for an unknown name before a dot, where the name of an imported package can be. */
function printImportHint(
  { packages }: Program,
  { file: { rendered } }: LinkedFile,
  { name, end }: Identifier,
): string {
  if (rendered.text[end] !== '.') return '';
  const namesake = [...packages.values()].find((candidate) => candidate.name.split('/').at(-1) === name);
  const path = namesake?.name ?? `project/${name}`;
  return `: to use a package, import it at the top of the file, such as \`#+import "${path}"\``;
}

function toPackage(program: Program, id: string, path: string): Resolved {
  const owner = program.packages.get(id);
  return owner === undefined
    ? unknown(`the package \`${path}\` cannot be read`)
    : { kind: 'package', package: owner };
}

/** Resolves `owner.name`, where `owner` is a package or a library, from the package `from`. */
function resolveMember(
  from: Package,
  owner: Extract<Resolved, { kind: 'package' | 'library' }>,
  name: string,
): Resolved {
  if (owner.kind === 'library') return resolveFunction(owner.library, name);
  const { definitions, name: path } = owner.package;
  const definition = definitions.get(name);
  const isVisible = from === owner.package || isPublic(name);
  if (definition !== undefined && isVisible) return { kind: 'definition', definition };
  if (definition !== undefined) {
    const reason = 'its name does not start with an upper-case letter';
    return unknown(`${describeDefinition(definition)} is private to the package \`${path}\`: ${reason}`);
  }
  const near = suggest(name, [...definitions.keys(), ...owner.package.neighbours.names].filter(isPublic));
  const message = `the package \`${path}\` has no \`${name}\`${printHint(near)}`;
  return unknown(addBroken(message, owner.package, 'its folder'));
}

function resolveFunction(library: string, name: string): Resolved {
  const functions = present(LIBRARIES[library]);
  if (Object.hasOwn(functions, name)) return { kind: 'function', library, name };
  return unknown(`\`std/${library}\` has no \`${name}\`${printHint(suggest(name, Object.keys(functions)))}`);
}

/** `, did you mean …?` if a name is similar. */
export function printHint(near: string | undefined): string {
  return near === undefined ? '' : `, did you mean \`${near}\`?`;
}

function unknown(message: string): Resolved {
  return { kind: 'unknown', message, reported: false };
}
