/** A user with few rights: one token that may run SQL, and one that may only read. */
export interface Attacker {
  readonly url: string;
  readonly token: string;
  readonly readOnlyToken: string;
}

/** One way to make a server unavailable to other users, with the expected statuses of its requests. */
export interface Attack {
  readonly name: string;
  readonly expected: readonly number[];
  /** Sends all its requests, and resolves with their statuses. */
  send(attacker: Attacker): Promise<readonly number[]>;
}

const MILLION = 1_000_000;

function post(url: string, token: string, path: string, body: string): Promise<number> {
  return send(url, token, 'POST', path, body);
}

async function send(
  url: string,
  token: string,
  method: string,
  path: string,
  body: string | null = null,
): Promise<number> {
  const type = body === null ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'if-match': '*', ...type },
    body,
  }).catch(() => null);
  // A refusal may arrive before the whole body is sent, which some clients report as a broken connection.
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status ?? 0;
}

const repeat = (times: number, send: () => Promise<number>) =>
  Promise.all(Array.from({ length: times }, send));

/** Sends a bundle of files to check or test. */
function sendBundle(files: Readonly<Record<string, string>>, more: object = { what: 'check' }) {
  const list = Object.entries(files).map(([path, content]) => ({ path, content }));
  const body = JSON.stringify({ files: list, connection: { name: 'duckdb' }, ...more });
  return ({ url, token }: Attacker) => repeat(4, () => post(url, token, '/exec/bundle', body));
}

/** Sends unchanged bodies to `POST /catalog/assets`, with a read-only token. */
function sendAssets(makeBody: () => string) {
  return ({ url, readOnlyToken }: Attacker) => {
    const body = makeBody();
    return repeat(4, () => post(url, readOnlyToken, '/catalog/assets', body));
  };
}

function sendSql(times: number, sql: string, more: object = {}) {
  const body = JSON.stringify({ sql, connection: { name: 'duckdb' }, ...more });
  return ({ url, token }: Attacker) => repeat(times, () => post(url, token, '/exec/sql', body));
}

/** Stores a script, reads it, rewrites it, runs it and deletes it. */
function keepScript(content: string) {
  return async ({ url, token }: Attacker) => {
    const made = JSON.stringify({ parent_path: '@Personal', name: 'long', content });
    const run = JSON.stringify({ path: '@Personal/long', connection: { name: 'duckdb' }, params: { a: 1 } });
    const asset = '/catalog/assets/@Personal/long';
    return [
      await post(url, token, '/catalog/assets', made),
      await send(url, token, 'GET', '/catalog/by-path/@Personal/long'),
      await send(url, token, 'PUT', asset, JSON.stringify({ content })),
      await post(url, token, '/exec/script', run),
      await send(url, token, 'DELETE', asset),
    ];
  };
}

const SCRIPT = { 'a.sql': 'SELECT 1' };
const chain = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    return `#+src sql B${i}() #+begin SELECT * FROM {{ B${i + 1}() }} #+end\n`;
  }).join('');
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));

/** Attacks that stopped a server, or kept it busy, before it had limits. */
export const ATTACKS: readonly Attack[] = [
  {
    name: 'a key of 100,000 parts in a manifest',
    expected: [200],
    send: sendBundle({ ...SCRIPT, 'project.toml': `${'a.'.repeat(100_000)}a = 1` }),
  },
  {
    name: 'a manifest of 15 MB',
    expected: [200],
    send: sendBundle({ ...SCRIPT, 'project.toml': 'a = [[1], [2]]\n'.repeat(MILLION) }),
  },
  {
    name: 'nested lists, 90 MB',
    expected: [400, 429, 0],
    send: sendAssets(() => `{"content":[${'[],'.repeat(30 * MILLION)}[]]}`),
  },
  {
    name: 'content of 15 MB in 90 MB of escapes',
    expected: [400, 403, 404, 429, 0],
    send: sendAssets(
      () => `{"parent_path":"@Shared","name":"x","content":"${'\\u0001'.repeat(15 * MILLION)}"}`,
    ),
  },
  {
    name: 'a selector with exponential backtracking',
    expected: [422],
    send: sendBundle(
      { 'a.sql': `#+test sql T${'a'.repeat(5_000)}() #+begin SELECT 1 WHERE false #+end\n` },
      { what: 'tests', include: [`*T${'*a'.repeat(1_000)}b`] },
    ),
  },
  {
    name: '500,000 parameters',
    expected: [400],
    send: sendSql(4, 'SELECT 1', { params: keys(500_000) }),
  },
  {
    name: 'a script of five million line separators',
    expected: [200],
    send: sendBundle({ 'a.sql': '\u2028'.repeat(5 * MILLION) }),
  },
  {
    name: 'a script of 15 million dollar signs',
    expected: [200],
    send: sendBundle({ 'a.sql': '$'.repeat(15 * MILLION) }),
  },
  {
    name: 'storing a script of 15 million control characters',
    expected: [200, 201, 204, 422],
    send: keepScript('\u0001'.repeat(15 * MILLION)),
  },
  {
    name: 'storing a script of 15 million number signs',
    expected: [200, 201, 204, 422],
    send: keepScript('#'.repeat(15 * MILLION)),
  },
  {
    name: 'a script of 700,000 imports',
    expected: [200],
    send: sendBundle({
      'a.sql': Array.from({ length: 0.7 * MILLION }, (_, i) => `#+import "a${i}"`).join('\n'),
    }),
  },
  {
    name: 'SQL of 15 MB with a parameter',
    expected: [400],
    send: sendSql(4, `-- ${'$a '.repeat(5 * MILLION)}\nSELECT 1 AS x`, { params: { b: 1 } }),
  },
  {
    name: '49,000 different names in a body',
    expected: [400],
    send: sendSql(4, 'SELECT 1', { more: Array.from({ length: 49_000 }, (_, i) => ({ [`k${i}`]: 1 })) }),
  },
  {
    name: 'calls of blocks that are nested 5,000 levels deep',
    expected: [200],
    send: sendBundle({ 'a.sql': `${chain(5_000)}#+src sql B5000() #+begin SELECT 1 #+end\n{{ B0() }}` }),
  },
  {
    name: 'a view with the name FROM over a list of files',
    expected: [200],
    send: sendSql(1, `CREATE OR REPLACE VIEW "from" AS FROM glob(['*.nothing'])`),
  },
  {
    name: 'more queries of one user than the limit',
    expected: [200, 429, 504],
    send: sendSql(40, 'SELECT max(hash(range * 7)) AS x FROM range(200000000)'),
  },
];
