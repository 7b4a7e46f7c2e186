import type { Interruptible } from '../../text/interruptible.ts';
import type { Source } from '../../text/source.ts';
import { type Params, type ParamValue, substituteInLongText } from '../params/params.ts';
import { type ParsedScript, parseLongScript } from '../syntax/parse-script.ts';

/**
 * Parses scripts, and remembers those of the last program by their names, so that what did not change costs
 * nothing.
 */
export interface ParseCache {
  /** Parses a script with its parameters replaced. Throws a ParamError. */
  parse(source: Source, params: Params): Interruptible<ParsedScript>;
  /** Forgets what has not been asked for since the last call. */
  sweep(): void;
}

interface Entry {
  readonly text: string;
  readonly parsed: ParsedScript;
  /** All parameters that were given, as one text. */
  readonly given: string;
  /** Those of them whose names stand in the text. */
  readonly used: string;
}

/** An empty cache. */
export function createParseCache(): ParseCache {
  let last = new Map<string, Entry>();
  let current = new Map<string, Entry>();
  const printed = new WeakMap<Params, string>();
  return {
    *parse(source, params) {
      const given = printed.get(params) ?? printParams(Object.entries(params));
      printed.set(params, given);
      const found = current.get(source.name) ?? last.get(source.name);
      const known = found?.text === source.text ? found : undefined;
      const used = known?.given === given ? known.used : printUsed(source, params);
      const parsed =
        known?.used === used
          ? known.parsed
          : yield* parseLongScript(yield* substituteInLongText(source, params));
      current.set(source.name, { text: source.text, parsed, given, used });
      return parsed;
    },
    sweep() {
      last = current;
      current = new Map();
    },
  };
}

/** The parameters whose names stand in a text, as one text. */
function printUsed({ text }: Source, params: Params): string {
  if (!text.includes('$')) return '';
  return printParams(
    Object.entries(params).filter(([name]) => text.includes(`$${name.replace(/^\${1,2}/, '')}`)),
  );
}

function printParams(params: readonly (readonly [string, ParamValue])[]): string {
  return JSON.stringify(params, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}
