import type { ServerError } from './messages.ts';
import { listWords } from './statement.ts';

/** What errors of these numbers name, in quotes, stands in the statement: columns, tables, views, functions. */
const NAMING = new Set([1049, 1051, 1052, 1054, 1060, 1091, 1109, 1146, 1176, 1305, 1347, 1356, 1630, 4161]);
const SYNTAX = 1064;
/** The end of a server's message, and before it where to read more. */
const NEAR = /(?:; check the manual [^']*?)? near '([\s\S]*)' at line (\d+)$/;
/** A server quotes some 80 bytes of what it does not understand, with this behind them where there is more. */
const CUT = '...';
const QUOTED = 40;

/** What is wrong, and where in a statement as far as that can be told: the UTF-16 offset, undefined for no place. */
interface PlacedError {
  readonly message: string;
  readonly offset: number | undefined;
}

/** Finds the place of an error, which the server says in words. */
export function placeError({ errno, message }: ServerError, statement: string): PlacedError {
  if (errno === SYNTAX) return placeSyntaxError(message, statement);
  if (!NAMING.has(errno)) return { message, offset: undefined };
  const name =
    /[`'](.+?)[`'](?: |$)/.exec(message)?.[1] ?? /^(?:FUNCTION|PROCEDURE) (\S+)/.exec(message)?.[1];
  const offset = name === undefined ? undefined : findName(name.split(/[`'"]?\.[`'"]?/), statement);
  return { message, offset };
}

/** Where the place is known, the message does without the server's rendering of it. */
function placeSyntaxError(message: string, statement: string): PlacedError {
  const [whole, near, line] = NEAR.exec(message) ?? [];
  const offset = whole === undefined ? undefined : findSyntaxPlace(near!, Number(line), statement);
  if (offset === undefined) return { message, offset };
  const [shown = ''] = near!.split('\n');
  const at = shown === '' ? 'at the end' : `near '${shown}'`;
  return { message: `${message.slice(0, -whole!.length)} ${at}`, offset };
}

function findSyntaxPlace(near: string, line: number, statement: string): number | undefined {
  const isCut = near.length >= QUOTED && near.endsWith(CUT);
  const quoted = isCut ? near.slice(0, -CUT.length) : near.trimEnd();
  // What is quoted whole goes on to the end.
  const pattern = new RegExp(`${toPattern(quoted)}${isCut ? '' : '\\s*$'}`, 'gu');
  const places = [...statement.matchAll(pattern)].map(({ index }) => index);
  const from = findLine(statement, line);
  return places.find((place) => place >= from) ?? places.at(-1);
}

/** Characters that a server does not print are question marks. */
function toPattern(quoted: string): string {
  return quoted.replace(/[\\^$.*+()[\]{}|/]/g, '\\$&').replace(/[?\ufffd]/g, '[^]');
}

/** Where a line begins, of which the first is 1. */
function findLine(statement: string, line: number): number {
  let offset = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const end = statement.indexOf('\n', offset);
    if (end === -1) return offset;
    offset = end + 1;
  }
  return offset;
}

/** The first place of a name, with as much of its qualification as is written there; one of its own, if there is. */
function findName(parts: readonly string[], statement: string): number | undefined {
  const words = [...listWords(statement)].filter(({ kind }) => kind !== 'string');
  const isAt = (path: readonly string[], at: number) =>
    path.every((part, k) => {
      const own = words[at + 2 * k]?.text.toLowerCase() === part.toLowerCase();
      return own && (k === 0 || words[at + 2 * k - 1]?.text === '.');
    });
  for (let from = 0; from < parts.length; from += 1) {
    const path = parts.slice(from);
    const places = words.flatMap(({ start }, i) =>
      isAt(path, i) ? [{ start, last: i + 2 * path.length - 2 }] : [],
    );
    const found = places.find(({ last }) => words[last + 1]?.text !== '.') ?? places[0];
    if (found !== undefined) return found.start;
  }
  return undefined;
}
