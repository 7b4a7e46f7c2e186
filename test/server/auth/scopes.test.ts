import { readFileSync } from 'node:fs';
import path from 'node:path';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { LEAST_SCOPES, SCOPES, type TokenScope } from '../../../src/identity/principal/scopes.ts';
import { requireDeclaredScope } from '../../../src/server/auth/require-scope.ts';
import { createExecWorld } from '../exec/world.ts';

interface Operation {
  readonly 'x-scope'?: string;
  readonly tags: readonly string[];
}

const file = path.resolve(import.meta.dirname, '../../../docs/openapi.json');
const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const OPERATIONS = Object.entries(paths).flatMap(([target, operations]) =>
  Object.entries(operations).flatMap(([method, { 'x-scope': scope, tags }]) =>
    scope === undefined
      ? []
      : [{ method: method.toUpperCase(), target, scope, isContent: tags[0] === 'catalog' }],
  ),
);

/** The scopes that suffice for each least scope, below the prefix of provisioning in the second place. */
const SUFFICIENT: Readonly<Record<string, readonly [string, string]>> = {
  any: ['read query write scim all', ''],
  read: ['read query write all', 'read query write scim all'],
  query: ['query write all', ''],
  write: ['write all', ''],
  scim: ['', 'scim all'],
  all: ['all', ''],
};

function isSufficient(scope: TokenScope, least: string, target: string): boolean {
  const [plain = '', provisioning = ''] = SUFFICIENT[least] ?? [];
  return (target.includes('/scim/v2') ? provisioning : plain).split(' ').includes(scope);
}

describe('each route', () => {
  it('takes the tokens of its least scope and no others', async () => {
    const world = await createExecWorld();
    const tokens = new Map<TokenScope, string>();
    for (const scope of SCOPES)
      tokens.set(scope, await world.createUser(`boss-${scope}`, 'ADMIN', { scope }));
    expect(OPERATIONS.length).toBeGreaterThan(85);
    const wrong: string[] = [];
    for (const { method, target, scope: least, isContent } of OPERATIONS) {
      for (const [scope, token] of tokens) {
        const place = target.replaceAll(/\{[^}]*\}/g, 'x').replace('by-path/x', 'by-path/@Shared');
        const { status, text } = await world.ask(method, place, {
          token,
          ...(method === 'GET' ? {} : { body: {} }),
        });
        const isRefused = text.includes('"scope_too_small"');
        const expected = !isSufficient(scope, least, target);
        const isRight =
          expected && isContent && least !== 'read'
            ? status === 404 || status === 400
            : isRefused === expected;
        if (!isRight)
          wrong.push(`${method} ${target} needs ${least}: ${scope} got ${status} ${text.slice(0, 90)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('stops the server at its start without a scope, with its name', async () => {
    const start = async (schema: object) => {
      const app = fastify();
      app.addHook('onRoute', requireDeclaredScope);
      app.get('/somewhere', { schema }, async () => '');
      await app.ready();
    };
    await expect(start({})).rejects.toThrow('the route GET /somewhere names no scope');
    await expect(start({ scope: 'wrote' })).rejects.toThrow('/somewhere');
    for (const scope of LEAST_SCOPES) await start({ scope });
  });
});
