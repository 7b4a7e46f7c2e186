import { readModel } from '../../src/semantic/model/load/read-model.ts';
import { modelWith } from '../support/models.ts';

/** Reads text as the only file of a model. */
export function readOne(text: string, name = 'model.yaml') {
  return readModel([{ name, text }]);
}

/** The diagnostics of a model in one file, with lines and columns. */
export function findMessages(text: string): readonly string[] {
  return readOne(text).diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

/** A model with entities, given as lines of YAML. */
export function withEntities(...lines: readonly string[]): string {
  return modelWith(lines.map((line) => `    ${line}\n`).join(''), { layer: 'shop', domain: 'sales' });
}
