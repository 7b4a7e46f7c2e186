import { type Node, parseAllDocuments, parseDocument, type YAMLError } from 'yaml';
import type { Source } from '../../../engine/text/source.ts';
import type { Span } from '../../../engine/text/span.ts';
import { modelFaults } from '../model-faults.ts';

/** Most characters of one file: what is longer would keep everybody waiting. */
const MAX_CHARACTERS = 2 * 1024 ** 2;

/** Something wrong at a place of a text. */
export interface TextFault {
  readonly span: Span;
  readonly message: string;
}

/** The one document of a YAML or JSON text as nodes with places, as far as it can be read, and its faults. */
export interface YamlReading {
  /** Null where there is nothing. */
  readonly root: Node | null;
  readonly faults: readonly TextFault[];
}

/** The documents of a YAML text, which `---` separates, as far as they can be read. */
export interface YamlStream {
  /** Without those that hold nothing. */
  readonly roots: readonly Node[];
  readonly faults: readonly TextFault[];
}

// Keys that stand twice are found while reading; the parser compares each with each.
const OPTIONS = { uniqueKeys: false, prettyErrors: false } as const;

/** Parses YAML of several documents. Never throws; a text that is too long has no nodes. */
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

/** Parses YAML, of which JSON is a part. Never throws; a text that is too long has no nodes. */
export function parseYaml({ text }: Source): YamlReading {
  if (text.length > MAX_CHARACTERS) return { root: null, faults: [createTooLong()] };
  const document = parseDocument(text, OPTIONS);
  // What is said after the first error follows from it more often than not.
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
