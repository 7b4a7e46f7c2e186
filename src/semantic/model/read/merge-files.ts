import { elementAt } from '../../../invariants/must.ts';
import { modelMessages } from '../model-messages.ts';
import type { DomainDocument, EntityDocument, LayerDocument } from '../model-schema.ts';
import { describeTwin } from './check-entity.ts';
import type { Findings } from './findings.ts';
import type { Loose } from './read-document.ts';
import type { ModelFileReading } from './read-model-file.ts';

/** A part of a model in one file. */
export interface FilePart<Document> {
  readonly file: ModelFileReading;
  readonly document: Loose<Document>;
}

/** A layer; several files can contain parts of it. */
export interface MergedLayer {
  readonly name: string;
  readonly parts: readonly FilePart<LayerDocument>[];
  readonly domains: readonly MergedDomain[];
}

export interface MergedDomain {
  readonly name: string;
  readonly parts: readonly FilePart<DomainDocument>[];
  readonly entities: readonly FilePart<EntityDocument>[];
}

/** Merges the layers and domains of several files by name. Parts without a name are left out. */
export function mergeFiles(files: readonly ModelFileReading[], findings: Findings): readonly MergedLayer[] {
  const layers: readonly FilePart<LayerDocument>[] = files.flatMap((file) =>
    (file.document?.layers ?? []).map((document) => ({ file, document })),
  );
  return group(layers, 'layer', findings).map(([name, parts]) => {
    checkSame(parts, 'layer', findings, (layer) => layer.label, 'label');
    checkSame(parts, 'layer', findings, (layer) => layer.x_timezone, 'x_timezone');
    checkSame(parts, 'layer', findings, (layer) => layer.environment?.platform, 'environment');
    const domains = parts.flatMap(({ file, document }) =>
      (document.domains ?? []).map((domain) => ({ file, document: domain })),
    );
    return { name, parts, domains: group(domains, 'domain', findings).map(mergeDomain(findings)) };
  });
}

function mergeDomain(findings: Findings) {
  return ([name, parts]: readonly [string, readonly FilePart<DomainDocument>[]]): MergedDomain => {
    checkSame(parts, 'domain', findings, (domain) => domain.label, 'label');
    checkSame(parts, 'domain', findings, (domain) => domain.description, 'description');
    const entities = parts.flatMap(({ file, document }) =>
      (document.entities ?? []).map((entity) => ({ file, document: entity })),
    );
    return { name, parts, entities };
  };
}

interface Named {
  readonly name: string;
}

/** Several files can have parts with the same name, but one file cannot. */
function group<Document extends Named>(
  parts: readonly FilePart<Document>[],
  what: string,
  findings: Findings,
): readonly (readonly [string, readonly FilePart<Document>[]])[] {
  const groups = new Map<string, FilePart<Document>[]>();
  for (const part of parts) {
    const { name } = part.document as { readonly name?: string };
    if (name === undefined) continue;
    const twins = groups.get(name.toLowerCase());
    if (twins === undefined) {
      groups.set(name.toLowerCase(), [part]);
      continue;
    }
    const first = elementAt(twins, 0);
    const firstName = nameOf(first);
    const clash = name === firstName ? twins.find(({ file }) => file === part.file) : first;
    if (clash !== undefined) {
      const place = findings.printPlace(clash, 'name', part.file);
      findings.refuse(part, 'name', describeTwin(what, name, firstName, place));
    }
    twins.push(part);
  }
  return [...groups.values()].map((twins) => [nameOf(elementAt(twins, 0)), twins] as const);
}

function nameOf(part: FilePart<Named>): string {
  return part.document.name ?? '';
}

/** Several files must agree on the properties of the same part. */
function checkSame<Document extends Named>(
  parts: readonly FilePart<Document>[],
  what: string,
  findings: Findings,
  read: (document: Loose<Document>) => string | undefined,
  key: string,
): void {
  const first = parts.find(({ document }) => read(document) !== undefined);
  if (first === undefined) return;
  for (const part of parts) {
    const value = read(part.document);
    if (value === undefined || value === read(first.document)) continue;
    const place = findings.printPlace(first, key, part.file);
    findings.refuse(part, key, modelMessages.differs(key, what, nameOf(part), place));
  }
}
