import type { CompletionResult } from '@codemirror/autocomplete';
import type { Text } from '@codemirror/state';
import type { ScanPosition } from '../place.ts';
import type { ScanRules } from '../scan/scan-line.ts';
import type { SymbolSource } from '../symbols.ts';

/** A table of a connection, or an entity of a semantic model. */
export interface TableInfo {
  /** Empty for an entity. */
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

interface TableListing {
  readonly data: readonly TableInfo[];
  /** The number of further tables, which are not listed. */
  readonly omitted: number;
}

/**
 * Lists the tables of the connection on which the text runs; `project` is the connection of the project, or null. Of too many
 * tables, those whose names contain one of the wanted texts are listed, too.
 */
export type ListTables = (project: string | null, wanted: readonly string[]) => Promise<TableListing>;

/** A function that SQL on a connection can call. */
export interface FunctionInfo {
  readonly name: string;
  readonly kind: 'scalar' | 'aggregate' | 'window' | 'table';
  /** Arguments and result of each form; empty if they are not known. */
  readonly signatures: readonly string[];
  readonly description: string | null;
}

/** Lists the functions of the connection on which the text runs; `project` as in `ListTables`. */
export type ListFunctions = (project: string | null) => Promise<readonly FunctionInfo[]>;

/** What completions are made from. */
export interface CompletionSources {
  readonly rules: ScanRules;
  readonly symbols: SymbolSource;
  readonly listTables: ListTables;
  readonly listFunctions: ListFunctions;
}

/** Where completions are requested. */
export interface CompletionRequest extends CompletionSources {
  readonly doc: Text;
  readonly position: number;
  readonly place: ScanPosition;
  /** Whether the user has asked for completions, and has not just typed. */
  readonly isExplicit: boolean;
}

export type Completions = Promise<CompletionResult | null> | CompletionResult | null;

/** The text of the line before the position. */
export function textBefore({ doc, position }: Pick<CompletionRequest, 'doc' | 'position'>): string {
  const { from, text } = doc.lineAt(position);
  return text.slice(Math.max(0, position - from - 1_000), position - from);
}
