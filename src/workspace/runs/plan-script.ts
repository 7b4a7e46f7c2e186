import type { ConnectionSpec } from '../../engine/connection/contract/connection.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import { listSnapshotSources, type Snapshot } from '../../engine/project/snapshot.ts';
import { translateSteps } from '../../engine/run/blocks/translate-steps.ts';
import { createWarnings } from '../../engine/run/outcome/warnings.ts';
import { type CompiledStep, compileFile } from '../../engine/script/compile.ts';
import { loadProgram } from '../../engine/script/load/load-program.ts';
import { createParseCache } from '../../engine/script/load/parse-cache.ts';
import { findUnsetParams, ParamError, type Params } from '../../engine/script/params/params.ts';
import type { LinkedFile, Program } from '../../engine/script/program/program.ts';
import type { Warning } from '../../engine/text/diagnostic.ts';
import { LEXICAL_RULES, type LexicalRules } from '../../engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../engine/text/sql-dialect.ts';
import { elementAt } from '../../invariants/must.ts';

/** The root script of a snapshot, and the parameters of its run. */
export interface PlannedScript {
  readonly snapshot: Snapshot;
  readonly file: string;
  readonly params: Params;
  readonly kind: ConnectionSpec['kind'];
  /** The translation of a semantic connection; undefined on other connections. */
  readonly translate: Translate | undefined;
  /** Warnings from reading it. */
  readonly warnings: readonly Warning[];
}

/** Planning is not cancelled. */
const NEVER = new AbortController().signal;

/** The steps of a script, and warnings about them. */
interface CompiledScript {
  readonly steps: readonly CompiledStep[];
  readonly warnings: readonly Warning[];
}

/**
 * Compiles the steps of a script's run. Rejects with a DiagnosticError, and with a ParamError for a parameter without a
 * value, which the run would refuse.
 */
export async function planScript({ translate, ...planned }: PlannedScript): Promise<CompiledScript> {
  const { snapshot, file, params, kind, warnings } = planned;
  const lexicalRules = LEXICAL_RULES[kind];
  const program = leaveBlocksOut(loadProgram(snapshot, params, createParseCache()), file);
  const { warn, list } = createWarnings(warnings);
  const options = { dialect: SQL_DIALECT[kind], lexicalRules, now: Date.now(), warn };
  const steps = compileFile(program, file, options);
  for (const step of steps) if (step.kind !== 'action') checkStep(step, lexicalRules);
  if (translate === undefined) return { steps, warnings: list() };
  const sources = listSnapshotSources(snapshot);
  const run = await translateSteps(steps, { translate, lexicalRules, sources, warn, signal: NEVER });
  return { steps: run, warnings: list() };
}

/** A run executes the plain statements of a script, else its tests; other blocks run only when they are called. */
function leaveBlocksOut(program: Program, name: string): Program {
  const strip = (linked: LinkedFile): LinkedFile => {
    const { file } = linked;
    if (file.rendered.source.name !== name) return linked;
    return { ...linked, file: { ...file, blocks: file.blocks.filter(({ kind }) => kind !== 'block') } };
  };
  return { ...program, root: { ...program.root, files: program.root.files.map(strip) } };
}

function checkStep({ lines }: CompiledStep, lexicalRules: LexicalRules): void {
  const sql = lines.map(({ text }) => text).join('\n');
  const unset = /^prepare\b/i.test(sql) ? undefined : findUnsetParams(sql, lexicalRules)[0];
  if (unset === undefined) return;
  const { file, line } = elementAt(lines, sql.slice(0, unset.span.start).split('\n').length - 1);
  const printed = unset.kind === 'named' ? `$${unset.name}` : unset.name;
  throw new ParamError(`${file}:${line}: the parameter \`${printed}\` has no value`);
}
