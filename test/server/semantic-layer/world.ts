import type { ServedModelOptions } from '../../../src/workspace/models/served-models.ts';
import { type Answer, expectRefusal } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { createWorld, type World } from '../world.ts';

export { expectRefusal };

/** Parts of a request in addition to the semantic query. */
interface Asking {
  readonly token?: string;
  readonly search?: string;
}

/** A server with semantic models, in this process. */
export interface SemanticWorld extends World {
  /** The warnings about models. */
  readonly warnings: readonly string[];
  /** Stores a text, or replaces the existing one. */
  put(path: string, content: string, token?: string): Promise<Answer>;
  addModel(name: string, model: string, options?: object): Promise<void>;
  /** `POST /semantic-layer/codegen/sql`, to the connection `live` unless the body names another one. */
  codegen(query: unknown, more?: object, asking?: Asking): Promise<Answer>;
  metadata(name?: string): Promise<Answer>;
}

/** Starts a server; `limits` are those of its threads. */
export async function createSemanticWorld(limits?: ServedModelOptions['limits']): Promise<SemanticWorld> {
  const warnings: string[] = [];
  const world = await createWorld({}, undefined, { warn: (line) => void warnings.push(line), limits });
  const { ask } = world;
  return {
    ...world,
    warnings,
    async put(path, content, token = world.token) {
      const at = path.lastIndexOf('/');
      const body = { parent_path: path.slice(0, at), name: path.slice(at + 1), content };
      const made = await ask('POST', '/api/v1/catalog/assets', { body, token });
      if (made.status === 201) return made;
      const target = `/api/v1/catalog/assets/${encodeURIComponent(path)}`;
      return ask('PUT', target, { headers: { 'if-match': '*' }, body: { content }, token });
    },
    async addModel(name, model, options = {}) {
      const body = { name, kind: 'semantic', options: { model, ...options } };
      const { status, text } = await ask('POST', '/api/v1/manage/connections', { body });
      if (status !== 201) throw new Error(text);
    },
    codegen: (query, more = {}, { token = world.token, search = '' } = {}) => {
      const body = { connection_name: 'live', query, ...more };
      return ask('POST', `/api/v1/semantic-layer/codegen/sql${search}`, { body, token });
    },
    metadata: (name = 'live') => ask('GET', `/api/v1/semantic-layer/metadata/${encodeURIComponent(name)}`),
  };
}

/** A model of one entity `e` with one measure. */
export function modelOf(measure: string, table = 'table_name'): string {
  return modelWith(`    - name: e
      ${table}: t
      measures:
      - { name: ${measure}, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
`);
}

/** A semantic query to it. */
export const count = (measure = 'n') => ({ measures: [{ entity: 'e', field: measure }] });
