import type { Source } from '../text/source.ts';
import { type Params, substituteParams } from './params.ts';
import { type ParsedScript, parseScript } from './syntax/parse-script.ts';

/**
 * Parses scripts, and remembers those of the last program by their names, so that what did not change costs
 * nothing.
 */
export interface ParseCache {
  /** Parses a script with its parameters replaced. Throws a ParamError. */
  parse(source: Source, params: Params): ParsedScript;
  /** Forgets what has not been asked for since the last call. */
  sweep(): void;
}

interface Entry {
  readonly text: string;
  readonly parsed: ParsedScript;
  readonly params: string;
}

/** An empty cache. */
export function createParseCache(): ParseCache {
  let last = new Map<string, Entry>();
  let current = new Map<string, Entry>();
  return {
    parse(source, params) {
      const used = printUsed(source, params);
      const known = current.get(source.name) ?? last.get(source.name);
      const isFresh = known !== undefined && known.text === source.text && known.params === used;
      const parsed = isFresh ? known.parsed : parseScript(substituteParams(source, params));
      current.set(source.name, { text: source.text, parsed, params: used });
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
  const used = Object.entries(params).filter(([name]) => text.includes(`$${name.replace(/^\${1,2}/, '')}`));
  return JSON.stringify(used, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}
