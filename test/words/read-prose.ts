import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** A text that people read, and the line of its file where it begins. */
export interface Prose {
  readonly line: number;
  readonly text: string;
}

const MARKDOWN_CODE = /^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gmu;
const QUOTED = /`[^`]*`|'[^' ]*'|"[^" ]*"/gu;
/** SQL that a program sends: its identifiers are stored, and are not prose. */
const SQL_STATEMENT = /^\s*(CREATE (TABLE|INDEX|TRIGGER)|INSERT (OR [A-Z]+ )?INTO|SELECT [a-z_., ]+ AS )/u;
const TITLED = new Set(['it', 'test', 'describe']);

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The sentences of a file: all of a Markdown page but its code; comments and strings of a program. */
export function readProse(file: string, text: string): readonly Prose[] {
  return path.extname(file) === '.md' ? readMarkdown(text) : readProgram(file, text);
}

function readMarkdown(text: string): readonly Prose[] {
  const withoutCode = text.replaceAll(MARKDOWN_CODE, (code) => code.replaceAll(/[^\n]/gu, ' '));
  return withoutCode.split('\n').map((line, index) => ({ line: index + 1, text: line.trim() }));
}

function readProgram(file: string, text: string): readonly Prose[] {
  const { program, comments } = parseSync(file, text);
  const lineAt = (at: number) => text.slice(0, at).split('\n').length;
  const isTest = file.endsWith('.test.ts');
  const strings = isTest ? findTitles(program) : findStrings(program);
  return [
    ...comments.map(({ start, value }) => ({ line: lineAt(start), text: flatten(value) })),
    ...strings.map(({ start, end }) => ({ line: lineAt(start), text: unquote(text.slice(start, end)) })),
  ].filter(({ text: own }) => own.includes(' ') && !SQL_STATEMENT.test(own));
}

const flatten = (comment: string) =>
  comment
    .replaceAll(/\n\s*\*?/gu, ' ')
    .replaceAll(QUOTED, '`…`')
    .replaceAll(/\s+/gu, ' ')
    .replace(/^\*/u, '')
    .trim();

const unquote = (literal: string) =>
  literal
    .replace(/^['"`]/u, '')
    .replace(/['"`]$/u, '')
    .replaceAll(/\$\{[^{}]*\}/gu, '…')
    .replaceAll(/`[^`]*`/gu, '`…`')
    .replaceAll(/\s+/gu, ' ');

function isNode(value: unknown): value is SyntaxNode & Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function visit(value: unknown, see: (node: SyntaxNode & Record<string, unknown>) => void): void {
  if (Array.isArray(value)) {
    for (const part of value) visit(part, see);
  } else if (isNode(value)) {
    see(value);
    for (const part of Object.values(value)) visit(part, see);
  }
}

function findStrings(program: unknown): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  visit(program, (node) => {
    if (node.type === 'TemplateLiteral' || node.type === 'JSXText') found.push(node);
    else if (node.type === 'Literal' && typeof node.value === 'string') found.push(node);
  });
  return found;
}

/** The first arguments of `it`, `it.each(…)` and `describe`. */
function findTitles(program: unknown): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  visit(program, (node) => {
    if (node.type !== 'CallExpression' || !TITLED.has(nameOf(node.callee))) return;
    const [title] = node.arguments as readonly unknown[];
    if (isNode(title) && (title.type === 'Literal' || title.type === 'TemplateLiteral')) found.push(title);
  });
  return found;
}

/** `it` of `it`, `it.skipIf(…)` and `it.each(…)`. */
function nameOf(callee: unknown): string {
  if (!isNode(callee)) return '';
  if (callee.type === 'Identifier') return String(callee.name);
  return nameOf(callee.object ?? callee.callee);
}
