import { createHash } from 'node:crypto';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import { settlePublication } from '../evaluate/evaluate.ts';
import type { BlockDefinition, Definition } from '../program/program.ts';
import type { Body, Part } from '../syntax/ast.ts';
import { findEntry } from '../syntax/find-entry.ts';
import { printPlace } from '../values/publication.ts';
import type { RunContext } from '../values/scope.ts';
import { type Graph, printNode } from './graph.ts';

/**
 * A hash of what determines the rows of a target besides those that it reads (docs/reference/build.md#changed): its
 * publication, and the SQL and values of its block and of those blocks, macros and constants that it reaches up to other
 * targets, with the values of parameters in them. Comments and white space do not count. Nothing is run.
 */
export function hashTarget(
  graph: Graph,
  target: BlockDefinition,
  context: RunContext,
  lexicalRules: LexicalRules,
): string {
  const parts = new Map<string, unknown>();
  const { definitions, targets } = graph.listDetermining(target);
  for (const definition of definitions) {
    const { package: owner, name, kind, file, declaration } = definition;
    const { text } = file.file.rendered;
    parts.set(`${kind} ${owner.name}.${name}`, simplify(listDetermining(definition), text, lexicalRules));
    if (declaration === target.declaration) {
      const publication = findEntry(target.declaration.meta, 'publication');
      parts.set('publication', simplify(publication, text, lexicalRules));
    }
  }
  for (const read of targets) {
    const publication = settlePublication(read, context);
    parts.set(`reads ${printNode(read)}`, publication && printPlace(publication, context.dialect));
  }
  const sorted = [...parts].sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, DIGITS);
}

const DIGITS = 32;

/** The parts of a declaration that a run evaluates; not its metadata. */
function listDetermining(definition: Definition): unknown {
  if (definition.kind === 'constant') return definition.declaration.value;
  const { params, body } = definition.declaration;
  return { params, body };
}

/** A piece of syntax without positions and comments, with SQL as its tokens. */
function simplify(syntax: unknown, text: string, lexicalRules: LexicalRules): unknown {
  if (typeof syntax === 'bigint') return String(syntax);
  if (typeof syntax !== 'object' || syntax === null) return syntax;
  if (Array.isArray(syntax)) return syntax.map((item) => simplify(item, text, lexicalRules));
  if (isBody(syntax)) return simplifyBody(syntax, text, lexicalRules);
  // A decimal number prints itself.
  if (Object.getPrototypeOf(syntax) !== Object.prototype) return String(syntax);
  const entries = Object.entries(syntax).filter(([key]) => key !== 'start' && key !== 'end');
  return Object.fromEntries(entries.map(([key, value]) => [key, simplify(value, text, lexicalRules)]));
}

function isBody(syntax: object): syntax is Body {
  return 'parts' in syntax;
}

function simplifyBody({ parts }: Body, text: string, lexicalRules: LexicalRules): readonly unknown[] {
  return parts.flatMap((part: Part): readonly unknown[] => {
    if (part.kind === 'comment') return [];
    if (part.kind !== 'text') return [simplify(part, text, lexicalRules)];
    return listTokens(text.slice(part.start, part.end), lexicalRules);
  });
}

function listTokens(sql: string, lexicalRules: LexicalRules): readonly string[] {
  return [...scanSql(sql, lexicalRules)]
    .filter(({ kind }) => kind !== 'space' && kind !== 'comment')
    .map(({ start, end }) => sql.slice(start, end));
}
