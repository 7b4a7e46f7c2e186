import { describe, expect, it } from 'vitest';
import { expectRefusal, parseAnswer, sendRaw } from '../../support/http.ts';
import { waitUntil } from '../../support/waiting.ts';
import { createWorld, type World } from '../world.ts';

/** Sends a target that an HTTP client would change. */
async function ask({ url, token }: World, line: string, headers = '') {
  const head = `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
  const text = await sendRaw(url, `${head}${headers}\r\n`);
  return { text, answer: () => parseAnswer(text), status: Number(text.split(' ')[1]) };
}

describe('slashes in the path of a URL', () => {
  it('count once, and are ignored at its end', async () => {
    const world = await createWorld({}, { log: () => undefined });
    for (const [line, status] of [
      ['GET //health/live', 200],
      ['GET /health//live/', 200],
      ['GET ///health///live//?a=//b/', 200],
      ['GET http://other.example//health/live/', 200],
      ['GET /metrics/', 200],
      ['GET //openapi.json/', 200],
      ['GET //api/v1/me/', 200],
      ['GET /api/v1/catalog//list', 200],
      ['GET /api//v1/catalog/list/', 200],
      ['GET /api/v1/catalog/by-path//@Shared//', 200],
      ['GET /api/v1/manage//users/admin/', 200],
      ['GET //api/v1//scim/v2/Users/', 200],
      ['GET /api/docs/', 200],
      ['DELETE /health//live/', 405],
      ['GET /console/api//session/', 401],
      ['GET //api/v1/nothing', 404],
      ['GET /%2Fhealth/live', 404],
      ['GET /health%2Flive', 404],
      ['GET /health/live%2F', 404],
      ['GET /api/v1/catalog/by-path/%2F%2F@Shared', 404],
    ] as const) {
      expect({ line, status: (await ask(world, line)).status }).toEqual({ line, status });
    }
  });

  it('do not change the query', async () => {
    const world = await createWorld();
    const { answer } = await ask(world, 'GET /api/v1//manage/grants/?target=@Shared//x/');
    expectRefusal(answer(), 404, 'Path not found: @Shared//x/');
  });

  it.each([
    ['//nothing//', '//nothing//'],
    ['/api/v1//nothing/?secret=1', '/api/v1//nothing/'],
    ['http://other.example//nothing/?secret=1', '//nothing/'],
    ['//evil.example/x', '//evil.example/x'],
    ['///', '///'],
  ])('are unchanged in the error of an unknown route: %s', async (target, printed) => {
    const world = await createWorld();
    const { answer } = await ask(world, `GET ${target}`);
    expectRefusal(answer(), 404, `Route not found: GET ${printed}`);
    const logged = await waitUntil(() => world.log.find(({ msg }) => msg === 'answered'));
    expect(logged).toMatchObject({ path: printed, status: 404 });
  });

  it('are unchanged in the log, and are counted by their route in metrics', async () => {
    const world = await createWorld();
    await ask(world, 'GET //health//live/?secret=1');
    const logged = await waitUntil(() => world.log.find(({ msg }) => msg === 'answered'));
    expect(logged).toMatchObject({ path: '//health//live/', status: 200 });
    const { text } = await world.ask('GET', '/metrics');
    expect(text).toMatch(/_count\{method="GET",route="\/health\/live",status="200"\} 1/);
  });

  it('never lead to another host', async () => {
    const world = await createWorld();
    for (const target of [
      '//evil.example',
      '//evil.example/x/',
      '/\\\\evil.example',
      '//evil.example/%2e%2e',
    ]) {
      for (const accept of ['Accept: text/html\r\n', 'Accept: application/json\r\n']) {
        const { status, text } = await ask(world, `GET ${target}`, accept);
        expect([200, 404]).toContain(status);
        expect(text).not.toMatch(/^(location|refresh):/im);
      }
    }
  });
});
