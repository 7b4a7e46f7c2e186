import { type Node, parseAllDocuments, parseDocument, type YAMLError } from 'yaml';
import type { Source } from '../../../engine/text/source.ts';
import type { Span } from '../../../engine/text/span.ts';
import { modelFaults } from '../model-faults.ts';

/** The maximum length of one file, in characters. Parsing a longer file would block other requests. */
const MAX_CHARACTERS = 2 * 1024 ** 2;

/** An error at a location of a file. */
export interface TextFault {
  readonly span: Span;
  readonly message: string;
}

/** The only document of a YAML or JSON file, as nodes with locations and as far as it can be read, and its errors. */
export interface YamlReading {
  /** Null for an empty file. */
  readonly root: Node | null;
  readonly faults: readonly TextFault[];
}

/** The documents of a YAML stream, separated by `---`, as far as they can be read. */
export interface YamlStream {
  /** Without empty documents. */
  readonly roots: readonly Node[];
  readonly faults: readonly TextFault[];
}

// The reader finds duplicate keys itself, because the parser compares all pairs of keys.
const OPTIONS = { uniqueKeys: false, prettyErrors: false } as const;

/** Parses YAML with several documents. Never throws; a file that is too long has no nodes. */
export function parseYamlStream({ text }: Source): YamlStream {
  if (text.length > MAX_CHARACTERS) return { roots: [], faults: [createTooLong()] };
  const documents = [...parseAllDocuments(text, OPTIONS)];
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error !== undefined) return { roots: [], faults: [toFault(error)] };
  return {
    roots: documents.flatMap(({ contents }) => contents ?? []),
    faults: documents.flatMap(({ warnings }) => warnings.map(toFault)),
  };
}

const createTooLong = (): TextFault => ({ span: { start: 0, end: 0 }, message: modelFaults.tooLong() });

/** Parses YAML or JSON. Never throws; a file that is too long has no nodes. */
export function parseYaml({ text }: Source): YamlReading {
  if (text.length > MAX_CHARACTERS) return { root: null, faults: [createTooLong()] };
  const document = parseDocument(text, OPTIONS);
  // Later errors are usually consequences of the first one.
  const [error] = document.errors;
  if (error !== undefined) return { root: null, faults: [toFault(error)] };
  return { root: document.contents, faults: document.warnings.map(toFault) };
}

function toFault({ code, message, pos }: YAMLError): TextFault {
  return { span: { start: pos[0], end: pos[1] }, message: REASONS[code]?.() ?? modelFaults.noYaml(message) };
}

const REASONS: Readonly<Record<string, () => string>> = {
  MULTIPLE_DOCS: modelFaults.severalDocuments,
  RESOURCE_EXHAUSTION: modelFaults.tooDeep,
};
