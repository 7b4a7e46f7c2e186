import type { Translate } from '../../engine/connection/contract/translate.ts';
import { listSnapshotSources } from '../../engine/project/snapshot.ts';
import { translateSteps } from '../../engine/run/blocks/translate-steps.ts';
import { createWarnings } from '../../engine/run/outcome/warnings.ts';
import { type CompiledStep, compileFile } from '../../engine/script/compile.ts';
import { listParameters, type ScriptParameter } from '../../engine/script/load/list-parameters.ts';
import { listLibraryPaths, listSymbols, type ScriptImport } from '../../engine/script/load/list-symbols.ts';
import { checkLongSnapshot, loadLongProgram } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import { finishInPieces } from '../../engine/text/finish-in-pieces.ts';
import type { Interruptible } from '../../engine/text/interruptible.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { type ExecutionRequest, findTextKind, type Inspection } from '../contract/request.ts';

/** The diagnostics, steps or symbols in `data`; the parameters of a checked script, and the imports of another. */
interface Findings {
  readonly data: readonly object[];
  readonly parameters?: readonly ScriptParameter[] | undefined;
  readonly imports?: readonly ScriptImport[];
  readonly packages?: readonly string[];
  readonly connection?: string | null;
}

type Compilation = Extract<Inspection, { readonly kind: 'compile' }>;

/**
 * Prints the answer of an inspection: all diagnostics, or the steps of a script, and the warnings, if any. Rejects with
 * a DiagnosticError for a script that cannot be compiled, and with a ParamError.
 */
export async function printInspection(
  request: ExecutionRequest,
  work: Inspection,
  { signal, translate }: { readonly signal: AbortSignal; readonly translate: Translate | undefined },
): Promise<string> {
  const { params } = request;
  const textKind = findTextKind(request);
  const lexicalRules = LEXICAL_RULES[textKind];
  const warnings = createWarnings(request.warnings);
  const cache = createParseCache();
  const findings =
    work.kind === 'compile' ? { data: await compile(work) } : await finishInPieces(examine(work), signal);
  const listing = warnings.list();
  const answer = { ...findings, warnings: listing.length > 0 ? listing : undefined };
  return `${JSON.stringify(answer)}\n`;

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

  function* examine(inspection: Exclude<Inspection, Compilation>): Interruptible<Findings> {
    if (inspection.kind === 'check') {
      const { diagnostics, snapshot, file } = inspection;
      const source = listSnapshotSources(snapshot).find(({ name }) => name === file);
      const parameters = source === undefined ? undefined : yield* listParameters(source, lexicalRules);
      if (diagnostics.length > 0) return { data: diagnostics, parameters };
      return { data: yield* checkLongSnapshot(snapshot, { params, lexicalRules }, cache), parameters };
    }
    const { snapshot, file, packages, connection } = inspection;
    const symbols = yield* listSymbols(snapshot, file, params, cache);
    return { ...symbols, packages: [...packages, ...listLibraryPaths()], connection };
  }
}
