import { suggest } from '../../../text/suggest.ts';
import type { Warning } from '../../text/diagnostic.ts';
import { finish, type Interruptible } from '../../text/interruptible.ts';
import type { Source } from '../../text/source.ts';
import { listParamNames, toParamName } from './param-names.ts';
import { ParamError, type Params } from './params.ts';

/** The parameters of a caller. */
export interface GivenParams {
  readonly params: Params;
  /** Names of the parameters that a user typed for this call; each must appear in a script. */
  readonly typed?: readonly string[] | undefined;
}

/** A typed parameter that no script uses: the name is mistyped. */
export class UnusedParamError extends ParamError {
  override readonly kind = 'usage';
}

/**
 * Warns of each parameter that no script of the run uses. Throws an UnusedParamError if a user typed the parameter.
 */
export function checkUsed(params: GivenParams, sources: Iterable<Source>): readonly Warning[] {
  return finish(checkUsedInLongTexts(params, sources));
}

/** As `checkUsed`, but interruptible. */
export function* checkUsedInLongTexts(
  { params, typed = [] }: GivenParams,
  sources: Iterable<Source>,
): Interruptible<readonly Warning[]> {
  const names = Object.keys(params).map(toParamName);
  if (names.length === 0) return [];
  const usedNames = yield* listParamNames(sources);
  const unused = [...new Set(names)].filter((name) => !usedNames.has(name));
  const wrong = unused.find((name) => typed.includes(name));
  if (wrong !== undefined)
    throw new UnusedParamError(`--param ${wrong}: ${describeUnused(wrong, usedNames)}`);
  return unused.map((name) => {
    const suggestion = suggest(name, usedNames) ?? null;
    return { severity: 'warning', code: 'parameter', message: describeUnused(name, usedNames), suggestion };
  });
}

function describeUnused(name: string, usedNames: ReadonlySet<string>): string {
  const near = suggest(name, usedNames);
  const hint = near === undefined ? '' : `, did you mean \`${near}\`?`;
  return `parameter \`$${name}\` is not used${hint}`;
}
