import { describe, expect, it } from 'vitest';
import { ATTACKS } from '../../../bench/attack/attacks.ts';
import { createClient } from '../../support/http.ts';
import { findEngine } from '../../support/processes.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';

/** Takes as long as many queries do; other tests cover the queue. */
const LONG = 'more queries of one user than the limit';

describe('a user with few rights', () => {
  const shared = shareServer();

  it.each(ATTACKS.filter(({ name }) => name !== LONG))('does not delay others with $name', async (attack) => {
    const { server, token } = shared;
    const { cwd, url, pid } = server;
    const user = `mallory${ATTACKS.indexOf(attack)}`;
    await runQuern(cwd, ['user', 'create', user]);
    await runQuern(cwd, ['grant', 'add', `user:${user}`, 'use', 'connection:duckdb']);
    const attacker = {
      url,
      token: await createToken(cwd, user),
      readOnlyToken: await createToken(cwd, user, '--read-only'),
    };
    const others = createClient(url, token);
    const ask = async () => {
      const body = { sql: 'SELECT 42', connection: { name: 'duckdb' } };
      expect((await others.send('POST', '/exec/sql', { body })).text).toContain('[[42]]');
    };
    await ask();
    const engine = findEngine(pid);
    const statuses = await attack.send(attacker);
    expect(statuses.filter((status) => !attack.expected.includes(status))).toEqual([]);
    await ask();
    expect(findEngine(pid)).toBe(engine);
  });
});
