import { type Node, parseAllDocuments, parseDocument, type YAMLError } from 'yaml';
import type { Source } from '../../../engine/text/source.ts';
import type { Span } from '../../../engine/text/span.ts';
import { modelMessages } from '../model-messages.ts';

/** The maximum length of one file, in characters. Parsing a longer file would block other requests. */
const MAX_CHARACTERS = 2 * 1024 ** 2;

/** An error at a location of a file. */
export interface TextError {
  readonly span: Span;
  readonly message: string;
}

/** The only document of a YAML or JSON file, as nodes with locations and as far as it can be read, and its errors. */
interface YamlReading {
  /** Null for an empty file. */
  readonly root: Node | null;
  readonly errors: readonly TextError[];
}

/** The documents of a YAML stream, separated by `---`, as far as they can be read. */
interface YamlStream {
  /** Without empty documents. */
  readonly roots: readonly Node[];
  readonly errors: readonly TextError[];
}

// The reader finds duplicate keys itself, because the parser compares all pairs of keys.
const OPTIONS = { uniqueKeys: false, prettyErrors: false } as const;

/** Parses YAML with several documents. Never throws; a file that is too long has no nodes. */
export function parseYamlStream({ text }: Source): YamlStream {
  if (text.length > MAX_CHARACTERS) return { roots: [], errors: [createTooLong()] };
  const documents = [...parseAllDocuments(text, OPTIONS)];
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error !== undefined) return { roots: [], errors: [toTextError(error)] };
  return {
    roots: documents.flatMap(({ contents }) => contents ?? []),
    errors: documents.flatMap(({ warnings }) => warnings.map(toTextError)),
  };
}

const createTooLong = (): TextError => ({ span: { start: 0, end: 0 }, message: modelMessages.tooLong() });

/** Parses YAML or JSON. Never throws; a file that is too long has no nodes. */
export function parseYaml({ text }: Source): YamlReading {
  if (text.length > MAX_CHARACTERS) return { root: null, errors: [createTooLong()] };
  const document = parseDocument(text, OPTIONS);
  // Later errors are usually consequences of the first one.
  const [error] = document.errors;
  if (error !== undefined) return { root: null, errors: [toTextError(error)] };
  return { root: document.contents, errors: document.warnings.map(toTextError) };
}

function toTextError({ code, message, pos }: YAMLError): TextError {
  return {
    span: { start: pos[0], end: pos[1] },
    message: REASONS[code]?.() ?? modelMessages.noYaml(message),
  };
}

const REASONS: Readonly<Record<string, () => string>> = {
  MULTIPLE_DOCS: modelMessages.severalDocuments,
  RESOURCE_EXHAUSTION: modelMessages.tooDeep,
};
