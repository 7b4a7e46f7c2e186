import { createDiagnostic, type Diagnostic } from '../../../engine/text/diagnostic.ts';
import { findPosition, getLineMap } from '../../../engine/text/line-map.ts';
import type { Source } from '../../../engine/text/source.ts';
import { modelMessages } from '../model-messages.ts';
import type { ModelDocument } from '../model-schema.ts';
import { checkEntities } from './check-entity.ts';
import type { TextError } from './parse-yaml.ts';
import { type DocumentLocations, type Loose, readDocument } from './read-document.ts';

/** The maximum number of diagnostics for one file: a file in another format would have thousands. */
const MAX_FINDINGS = 100;

/** One file of a model, and its errors that do not depend on other files. */
export interface ModelFileReading {
  readonly source: Source;
  /** The valid parts. */
  readonly document: Loose<ModelDocument> | null;
  readonly places: DocumentLocations;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and checks one file of a model (docs/reference/semantic-model.md#checking-a-model). Never throws. */
export function readModelFile(source: Source): ModelFileReading {
  const { document, places, errors } = readDocument(source);
  const textErrors: TextError[] = [...errors];
  const refuse = (owner: object, key: string | undefined, message: string) =>
    void textErrors.push({ span: places.find(owner, key), message });
  const printPlace = (owner: object, key: string) =>
    `in line ${findPosition(getLineMap(source), places.find(owner, key).start).line}`;
  if (document !== null) checkEntities(document, refuse, printPlace);
  textErrors.sort((one, other) => one.span.start - other.span.start);
  return { source, document, places, diagnostics: toDiagnostics(source, textErrors) };
}

/** A file that consists of one error. */
export function toUnreadable(name: string, diagnostic: Diagnostic): ModelFileReading {
  const places = { find: () => ({ start: 0, end: 0 }) };
  return { source: { name, text: '' }, document: null, places, diagnostics: [diagnostic] };
}

function toDiagnostics(source: Source, errors: readonly TextError[]): readonly Diagnostic[] {
  const shown = errors.slice(0, MAX_FINDINGS);
  const moreCount = errors.length - shown.length;
  const last = errors.at(-1);
  const more =
    moreCount > 0 && last ? [{ span: last.span, message: modelMessages.moreErrors(moreCount) }] : [];
  return [...shown, ...more].map(({ span, message }) => createDiagnostic(source, span, message, 'model'));
}
