import type { Driver } from '../../engine/connection/contract/connection.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import { listSnapshotSources, type Snapshot } from '../../engine/project/snapshot.ts';
import { translateSteps } from '../../engine/run/blocks/translate-steps.ts';
import { createWarnings } from '../../engine/run/outcome/warnings.ts';
import { type CompiledStep, compileFile } from '../../engine/script/compile.ts';
import { listParameters, type ScriptParameter } from '../../engine/script/load/list-parameters.ts';
import { listLibraryPaths, listSymbols, type ScriptImport } from '../../engine/script/load/list-symbols.ts';
import {
  checkLongSnapshot,
  loadLongProgram,
  sortDiagnostics,
} from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import type { LinkedFile, Package, Program } from '../../engine/script/program/program.ts';
import type { Diagnostic, Warn } from '../../engine/text/diagnostic.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import type { Interruptible } from '../../engine/text/interruptible.ts';
import { LEXICAL_RULES, type LexicalRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { type ExecutionRequest, findTextKind, type Inspection } from '../contract/request.ts';
import { createSyntaxParser } from './syntax-parser.ts';

/** The diagnostics, steps or symbols in `data`; the parameters of a checked script, and the imports of another. */
interface Findings {
  readonly data: readonly object[];
  readonly parameters?: readonly ScriptParameter[] | undefined;
  readonly imports?: readonly ScriptImport[];
  readonly packages?: readonly string[];
  readonly connection?: string | null;
}

/** The tools of an inspection: the parsers of SQL, if there are any, and its end. */
interface InspectionTools extends Pick<Driver, 'openParser'> {
  readonly signal: AbortSignal;
  /** For a semantic connection. */
  readonly translate: Translate | undefined;
}

type Check = Extract<Inspection, { readonly kind: 'check' }>;
type Compilation = Extract<Inspection, { readonly kind: 'compile' }>;

/**
 * Prints the answer of an inspection: all diagnostics, or the steps of a script, and the warnings, if any. Rejects with
 * a DiagnosticError for a script that cannot be compiled, and with a ParamError.
 */
export async function printInspection(
  request: ExecutionRequest,
  work: Inspection,
  tools: InspectionTools,
): Promise<string> {
  const { params } = request;
  const { signal, translate } = tools;
  const textKind = findTextKind(request);
  const lexicalRules = LEXICAL_RULES[textKind];
  const warnings = createWarnings(request.warnings);
  const cache = createParseCache();
  const findings = await inspect();
  const listing = warnings.list();
  const answer = { ...findings, warnings: listing.length > 0 ? listing : undefined };
  return `${JSON.stringify(answer)}\n`;

  async function inspect(): Promise<Findings> {
    switch (work.kind) {
      case 'check':
        return check(work);
      case 'compile':
        return { data: await compile(work) };
      case 'symbols':
        return finishInPieces(list(work), signal);
    }
  }

  /** The steps; on a semantic connection, those of the physical database. */
  async function compile({ snapshot, file }: Compilation): Promise<readonly CompiledStep[]> {
    const { warn } = warnings;
    const program = await finishInPieces(loadLongProgram(snapshot, params, cache), signal);
    const options = { dialect: SQL_DIALECT[textKind], lexicalRules, now: Date.now(), warn };
    const steps = compileFile(program, file, options);
    if (translate === undefined) return steps;
    return translateSteps(steps, {
      translate,
      lexicalRules,
      sources: listSnapshotSources(snapshot),
      warn,
      signal,
    });
  }

  async function check({ diagnostics, snapshot, file, maxSqlBytes }: Check): Promise<Findings> {
    const parameters = await finishInPieces(listInFile(snapshot, file, lexicalRules), signal);
    if (diagnostics.length > 0) return { data: diagnostics, parameters };
    const checked = await finishInPieces(
      checkLongSnapshot(snapshot, { params, lexicalRules }, cache),
      signal,
    );
    if (maxSqlBytes === undefined) return { data: checked.diagnostics, parameters };
    const errors = await findErrors(
      request,
      checked.program,
      { snapshot, file, maxSqlBytes },
      warnings.warn,
      tools,
    );
    return { data: sortDiagnostics([...checked.diagnostics, ...errors]), parameters };
  }

  function* list({
    snapshot,
    file,
    packages,
    connection,
  }: Extract<Inspection, { readonly kind: 'symbols' }>): Interruptible<Findings> {
    const symbols = yield* listSymbols(snapshot, file, params, cache);
    return { ...symbols, packages: [...packages, ...listLibraryPaths()], connection };
  }
}

/** The parameters of the script `file`; undefined if no script is checked alone. */
function* listInFile(
  { packages }: Snapshot,
  file: string | null,
  lexicalRules: LexicalRules,
): Interruptible<readonly ScriptParameter[] | undefined> {
  for (const { files, defaults = {} } of packages) {
    const source = files.find(({ name }) => name === file);
    if (source !== undefined) return yield* listParameters(source, lexicalRules, defaults);
  }
  return undefined;
}

/** The statements of checked scripts that cannot be parsed. */
async function findErrors(
  request: ExecutionRequest,
  program: Program,
  { snapshot, file, maxSqlBytes }: Pick<Check, 'snapshot' | 'file'> & { readonly maxSqlBytes: number },
  warn: Warn,
  tools: InspectionTools,
): Promise<readonly Diagnostic[]> {
  const { findSyntaxErrors } = await import('../../engine/run/blocks/check-syntax.ts');
  const textKind = findTextKind(request);
  const parser = createSyntaxParser(request, tools);
  try {
    return await findSyntaxErrors(program, listChecked(program, snapshot, file), {
      dialect: SQL_DIALECT[textKind],
      lexicalRules: LEXICAL_RULES[textKind],
      maxBytes: maxSqlBytes,
      parse: parser.parse,
      signal: tools.signal,
      warn,
    });
  } finally {
    await parser.close();
  }
}

/** The files to check that have no syntax errors: those of the requested packages, or the requested file. */
function listChecked(
  { packages, broken }: Program,
  { needs }: Snapshot,
  file: string | null,
): readonly (readonly [Package, LinkedFile])[] {
  return needs.flatMap(({ id }) => {
    const owner = packages.get(id);
    const files = owner?.files.filter((linked) => {
      const isChecked = file === null || linked.file.rendered.source.name === file;
      return isChecked && !broken.includes(linked.file);
    });
    return owner === undefined || files === undefined ? [] : files.map((linked) => [owner, linked] as const);
  });
}
