import { readFileSync } from 'node:fs';
import path from 'node:path';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { LEAST_SCOPES, SCOPES, type TokenScope } from '../../../src/identity/principal/scopes.ts';
import { requireDeclaredScope } from '../../../src/server/auth/require-scope.ts';
import type { Answer } from '../../support/http.ts';
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

/** The error in the response to a token of a scope; null for a right response. */
function findError(
  { method, target, scope: least, isContent }: (typeof OPERATIONS)[number],
  scope: TokenScope,
  { status, text }: Answer,
): string | null {
  const isHidden = isContent && least !== 'read';
  const isRefused = isHidden ? status === 404 || status === 400 : text.includes('"scope_too_small"');
  const isRight = isSufficient(scope, least, target) ? !text.includes('"scope_too_small"') : isRefused;
  return isRight ? null : `${method} ${target} needs ${least}: ${scope} got ${status} ${text.slice(0, 90)}`;
}

describe('each route', () => {
  it('takes the tokens of its least scope and no others', async () => {
    const world = await createExecWorld();
    expect(OPERATIONS.length).toBeGreaterThan(85);
    const wrong: string[] = [];
    for (const scope of SCOPES) {
      const token = await world.createUser(`boss-${scope}`, 'ADMIN', { scope });
      for (const operation of OPERATIONS) {
        const { method } = operation;
        const target = operation.target.replaceAll(/\{[^}]*\}/g, 'x').replace('by-path/x', 'by-path/@Shared');
        const answer = await world.ask(method, target, { token, ...(method === 'GET' ? {} : { body: {} }) });
        const error = findError(operation, scope, answer);
        if (error !== null) wrong.push(error);
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
