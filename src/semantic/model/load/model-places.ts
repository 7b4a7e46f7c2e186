import { createDiagnostic, type Diagnostic } from '../../../engine/text/diagnostic.ts';
import { present } from '../../../invariants/must.ts';
import type { MergedLayer } from '../read/merge-files.ts';

/** A key of an entity, or of one of its fields or relationships. */
export interface ModelPlace {
  readonly entity: string;
  /** Null for the entity itself. */
  readonly part: { readonly list: 'dimensions' | 'measures' | 'relationships'; readonly name: string } | null;
  readonly key: string;
}

/** The locations of a valid model's parts in its files. */
export interface ModelPlaces {
  /** Creates a diagnostic at an existing location of the model. */
  createFinding(place: ModelPlace, message: string): Diagnostic;
}

/** Creates the locations of the model in the merged files. */
export function createModelPlaces(layers: readonly MergedLayer[]): ModelPlaces {
  return {
    createFinding({ entity, part, key }, message) {
      const entities = layers.flatMap(({ domains }) => domains.flatMap((domain) => domain.entities));
      const { file, document } = present(entities.find((one) => one.document.name === entity));
      const parts: readonly { readonly name?: string | undefined }[] = (part && document[part.list]) ?? [];
      const owner = parts.find(({ name }) => name === part?.name) ?? document;
      return createDiagnostic(file.source, file.places.find(owner, key), message, 'model');
    },
  };
}
