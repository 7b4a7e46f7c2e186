import type { Diagnostic, DiagnosticCode } from '../../text/diagnostic.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { createScriptDiagnostic, type Program } from '../program/program.ts';
import { closedBodies } from './rules/closed-bodies.ts';
import { distinctTargets } from './rules/distinct-targets.ts';
import { knownNames } from './rules/known-names.ts';
import { knownWords } from './rules/known-words.ts';
import { noCallCycles } from './rules/no-call-cycles.ts';
import { createParameterValues } from './rules/parameter-values.ts';
import { rightArguments } from './rules/right-arguments.ts';
import type { Rule } from './rules/rule.ts';
import { createSuppliedParams } from './rules/supplied-params.ts';
import { unambiguousNames } from './rules/unambiguous-names.ts';
import { validChecks } from './rules/valid-checks.ts';
import { validPublications } from './rules/valid-publications.ts';

/** A rule, and the code of its diagnostics. */
type CodedRule = readonly [DiagnosticCode, Rule];

/** Rules whose errors prevent a program from running. */
const LOAD_RULES: readonly CodedRule[] = [
  ['unknown-name', knownNames],
  ['publication', validPublications],
  ['checks', validChecks],
];
/** Rules for code that fails only when it is reached, and for suspicious code. */
const CHECK_RULES: readonly CodedRule[] = [
  ['arguments', rightArguments],
  ['call-circle', noCallCycles],
  ['hidden-name', unambiguousNames],
  ['unknown-word', knownWords],
  ['open-body', closedBodies],
  ['publication', distinctTargets],
];

const MAX_DIAGNOSTICS = 500;

/** The errors that prevent a program from running (docs/reference/language.md#errors). */
export function* checkLoad(program: Program): Interruptible<readonly Diagnostic[]> {
  return yield* runRules(LOAD_RULES, program);
}

/** All errors and warnings of a program; `lexicalRules` is null if no parameter was supplied. */
export function* checkProgram(
  program: Program,
  lexicalRules: LexicalRules | null,
): Interruptible<readonly Diagnostic[]> {
  const params: readonly CodedRule[] =
    lexicalRules === null
      ? []
      : [
          ['parameter', createSuppliedParams(lexicalRules)],
          ['parameter', createParameterValues(lexicalRules)],
        ];
  return yield* runRules([...LOAD_RULES, ...CHECK_RULES, ...params], program);
}

/** Ends the check after the maximum number of diagnostics. */
class LimitReached extends Error {}

function* runRules(rules: readonly CodedRule[], program: Program): Interruptible<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  try {
    for (const [code, rule] of rules) {
      yield;
      rule(program, (file, span, message, severity) => {
        diagnostics.push(createScriptDiagnostic(file.file, span, message, code, severity));
        if (diagnostics.length >= MAX_DIAGNOSTICS) throw new LimitReached();
      });
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
  }
  return diagnostics;
}
