import type { InstanceOptions } from '../../../src/workspace/instance/instance.ts';
import type { ExecutionOptions } from '../../../src/workspace/runs/executions.ts';
import { type Answer, type Sending, send } from '../../support/http.ts';
import { createWorld, type ServerSettings, type World } from '../world.ts';

/** Parts of a request in addition to its body. */
type Asking = Omit<Sending, 'body'> & { readonly token?: string | null; readonly query?: string };

/** A server that runs SQL, in this process. */
export interface ExecWorld extends World {
  /** `POST /exec/{what}`. */
  exec(what: 'script' | 'block' | 'sql' | 'bundle', body: unknown, asking?: Asking): Promise<Answer>;
  /** Runs SQL on the connection of every home. */
  sql(sql: string, more?: object, asking?: Asking): Promise<Answer>;
  /** Runs a script on the connection of every home. */
  script(path: string, more?: object, asking?: Asking): Promise<Answer>;
  /** Stores a script, and creates missing folders. */
  put(path: string, content: string, token?: string): Promise<void>;
  mkdir(path: string, more?: object, token?: string): Promise<void>;
}

/** The rows of a JSON answer. */
export function rowsOf({ status, body, text }: Answer): unknown {
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return (body as { result: { data: unknown } }).result.data;
}

/** Starts a server; by default, one user may run as many executions as all users together, and queue 100. */
export async function createExecWorld(
  execution: Partial<ExecutionOptions> = {},
  semantic?: InstanceOptions['semantic'],
  settings: ServerSettings = {},
): Promise<ExecWorld> {
  const limits = { perOwner: 100, queued: 400 };
  const world = await createWorld(settings, { log: () => undefined, limits, ...execution }, semantic);
  const connection = { name: 'duckdb' };
  const exec: ExecWorld['exec'] = (what, body, { token = world.token, headers, query = '' } = {}) => {
    const sign = token === null ? {} : { authorization: `Bearer ${token}` };
    return send(world.url, 'POST', `/api/v1/exec/${what}${query}`, {
      headers: { ...sign, ...headers },
      body,
    });
  };
  const create = async (kind: string, body: object, token?: string) => {
    const { status, text } = await world.ask('POST', `/api/v1/catalog/${kind}`, {
      body,
      ...(token === undefined ? {} : { token }),
    });
    if (status !== 201 && !text.includes('Name already exists.')) throw new Error(text);
  };
  const split = (path: string) => {
    const at = path.lastIndexOf('/');
    return { parent_path: path.slice(0, at), name: path.slice(at + 1) };
  };
  const mkdir: ExecWorld['mkdir'] = (path, more = {}, token) =>
    create('folders', { ...split(path), ...more }, token);
  return {
    ...world,
    exec,
    sql: (sql, more = {}, asking) => exec('sql', { sql, connection, ...more }, asking),
    script: (path, more = {}, asking) => exec('script', { path, connection, ...more }, asking),
    mkdir,
    async put(path, content, token) {
      const folders = path.split('/').slice(0, -1);
      for (let depth = 2; depth <= folders.length; depth += 1) {
        await mkdir(folders.slice(0, depth).join('/'), {}, token);
      }
      await create('assets', { ...split(path), content }, token);
    },
  };
}
