import { createDiagnostic, type Warn } from '../../text/diagnostic.ts';
import { finish, type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import type { SourceLocation } from '../params/output.ts';
import { type ParamReference, readReference } from '../params/param-names.ts';
import { isReplaced, isReplacedOrigin } from '../params/params.ts';
import type { BlockDefinition } from '../program/program.ts';
import { findEntry } from '../syntax/find-entry.ts';
import type { Statement } from './steps.ts';

/**
 * Finds each `$name` inside the strings of SQL, which can be a parameter without a value. Ignores obvious data:
 * `\$name`, dollar-quote tags (`$body$`), variables of JSON paths.
 */
export function findQuotedParams(text: string, lexicalRules: LexicalRules): readonly ParamReference[] {
  return finish(findInLongText(text, lexicalRules));
}

function* findInLongText(text: string, lexicalRules: LexicalRules): Interruptible<readonly ParamReference[]> {
  if (!text.includes('$')) return [];
  const references: ParamReference[] = [];
  let passed = 0;
  for (const { kind, start, end } of scanSql(text, lexicalRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (kind !== 'string') continue;
    const literal = text.slice(start, end);
    if (!literal.includes('$') || isJsonPathFilter(literal)) continue;
    references.push(...listReferences(literal).map((reference) => shift(reference, start)));
  }
  return references;
}

/** The warning that a parameter in a string has no value, with advice. */
export function describeQuotedParam({ name }: Pick<ParamReference, 'name'>): string {
  return `\`$${name}\` has no value and stays as text here. Set it with --param ${name}=VALUE`;
}

/** Warns of possible parameters inside the strings of a statement, at their positions in the source. */
export function* checkQuotedParams(
  { sql, findOrigin }: Statement,
  lexicalRules: LexicalRules,
  warn: Warn,
): Interruptible<void> {
  for (const reference of yield* findInLongText(sql, lexicalRules)) {
    yield;
    const origin = findOrigin(reference);
    if (origin === null || !isWritten(origin, sql, reference)) continue;
    const { rendered, span } = origin;
    warn(createDiagnostic(rendered.source, span, describeQuotedParam(reference), 'parameter', 'warning'));
  }
}

/** Finds possible parameters in the strings of a publication: the published object would get the parameter's name. */
export function findPublicationParams({ declaration, file }: BlockDefinition): readonly ParamReference[] {
  const { rendered } = file.file;
  const publication = findEntry(declaration.meta, 'publication');
  const entries = publication?.kind === 'map' ? publication.entries : [];
  return entries.flatMap(({ value: { kind, start, end } }) => {
    if (kind !== 'literal') return [];
    const references = listReferences(rendered.text.slice(start, end)).map((reference) =>
      shift(reference, start),
    );
    return references.filter((reference) => !isReplaced(rendered, reference.start));
  });
}

/** Whether the source contains the reference itself: values of parameters and of expressions are data. */
function isWritten({ rendered, span }: SourceLocation, sql: string, { start, end }: ParamReference): boolean {
  const sourceText = rendered.source.text.slice(span.start, span.end);
  return sourceText === sql.slice(start, end) && !isReplacedOrigin(rendered, span.start);
}

/** Finds each `$name` in a string that is not obvious data. */
export function listReferences(text: string): readonly ParamReference[] {
  const references: ParamReference[] = [];
  for (let at = text.indexOf('$'); at !== -1; ) {
    const reference = readReference(text, at);
    const isParam = reference !== undefined && text.charAt(at - 1) !== '\\' && !isTag(text, reference);
    if (isParam) references.push(reference);
    at = text.indexOf('$', reference?.end ?? at + 1);
  }
  return references;
}

/** Whether a string is like `$.items[*] ? (@.price > $min)`, whose `$min` is a variable of the JSON path. */
export function isJsonPathFilter(text: string): boolean {
  return text.includes('@') && /\$\s*[.[]/.test(text) && /\?\s*\(/.test(text);
}

/** Whether a `$` closes a name and does not start another one: `$body$`. */
function isTag(text: string, { end }: ParamReference): boolean {
  return text.charAt(end) === '$' && readReference(text, end) === undefined;
}

function shift({ name, start, end }: ParamReference, by: number): ParamReference {
  return { name, start: start + by, end: end + by };
}
