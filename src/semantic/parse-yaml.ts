import { type Node, parseDocument } from 'yaml';
import type { Source } from '../engine/text/source.ts';
import type { Span } from '../engine/text/span.ts';
import { modelFaults } from './model-faults.ts';

/** Most characters of one file: what is longer would keep everybody waiting. */
const MOST_CHARACTERS = 2 * 1024 ** 2;

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

/** Parses YAML, of which JSON is a part. Never throws; a text that is too long has no nodes. */
export function parseYaml({ text }: Source): YamlReading {
  if (text.length > MOST_CHARACTERS) {
    return { root: null, faults: [{ span: { start: 0, end: 0 }, message: modelFaults.tooLong() }] };
  }
  // Keys that stand twice are found while reading; the parser compares each with each.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false });
  const faults = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    span: { start: pos[0], end: pos[1] },
    message: REASONS[code]?.() ?? modelFaults.noYaml(message),
  }));
  // Of what is nested beyond all bounds, each level says so.
  const deep = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (deep === undefined) return { root: document.contents, faults };
  const [start, end] = deep.pos;
  return { root: null, faults: [{ span: { start, end }, message: modelFaults.tooDeep() }] };
}

const REASONS: Readonly<Record<string, () => string>> = {
  MULTIPLE_DOCS: () => modelFaults.severalDocuments(),
};
