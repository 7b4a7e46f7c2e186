import type { Interruptible } from '../../text/interruptible.ts';
import type { Source } from '../../text/source.ts';
import { printKey } from '../params/json-value.ts';
import { type Params, substituteInLongText } from '../params/params.ts';
import { type ParsedScript, parseLongScript } from '../syntax/parse-script.ts';

/**
 * Parses scripts, and caches those of the last program by name, so that unchanged scripts are not parsed again.
 */
export interface ParseCache {
  /** Parses a script with its parameters replaced. Throws a ParamError. */
  parse(source: Source, params: Params): Interruptible<ParsedScript>;
  /** Removes the scripts that were not requested since the last call. */
  sweep(): void;
}

interface Entry {
  readonly text: string;
  readonly parsed: ParsedScript;
  /** All given parameters, as one string. */
  readonly paramsKey: string;
  /** The given parameters whose names appear in the script, as one string. */
  readonly used: string;
}

/** Creates an empty cache. */
export function createParseCache(): ParseCache {
  let last = new Map<string, Entry>();
  let current = new Map<string, Entry>();
  const keyByParams = new WeakMap<Params, string>();
  return {
    *parse(source, params) {
      const paramsKey = keyByParams.get(params) ?? printKey(params);
      keyByParams.set(params, paramsKey);
      const latestEntry = current.get(source.name) ?? last.get(source.name);
      const entry = latestEntry?.text === source.text ? latestEntry : undefined;
      const used = entry?.paramsKey === paramsKey ? entry.used : printUsed(source, params);
      const parsed =
        entry?.used === used
          ? entry.parsed
          : yield* parseLongScript(yield* substituteInLongText(source, params));
      current.set(source.name, { text: source.text, parsed, paramsKey, used });
      return parsed;
    },
    sweep() {
      last = current;
      current = new Map();
    },
  };
}

/** The parameters whose names appear in a script, as one string. */
function printUsed({ text }: Source, params: Params): string {
  if (!text.includes('$')) return '';
  const used = Object.entries(params).filter(([name]) => text.includes(`$${name.replace(/^\${1,2}/, '')}`));
  return printKey(Object.fromEntries(used));
}
