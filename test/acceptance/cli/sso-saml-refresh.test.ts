import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { homeAt } from '../../../src/workspace/home/home.ts';
import { makeMetadata } from '../../identity/saml/saml-world.ts';
import { createClient } from '../../support/http.ts';
import { makeHome, quern, quernProcess } from '../../support/quern.ts';
import { createToken, serve } from '../../support/server.ts';
import { serveDocuments } from '../../support/sso/serve-documents.ts';
import { waitUntil } from '../../support/waiting.ts';

const ISSUER = 'https://idp.example.org/metadata';

let [first, second, otherIssuer] = ['', '', ''];

beforeAll(async () => {
  [first, second] = [await makeMetadata(), await makeMetadata()];
  otherIssuer = second.replace(ISSUER, 'https://other.example.org/metadata');
});

/** A home with SAML by a URL, whose answer can be changed. */
async function makeRefreshed(mode: string) {
  const cwd = await makeHome();
  const answers = { '/idp': { status: 200, body: first } };
  const served = await serveDocuments(cwd, answers);
  const url = `${served.url}/idp`;
  const env = { QUERN_BASE_URL: 'https://quern.example.org', ...served.env };
  const run = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await quernProcess(['sso', 'saml', ...args], { cwd, env });
    return { exitCode, stdout: String(stdout), stderr: String(stderr) };
  };
  const show = async () => JSON.parse((await run('show', '--json')).stdout);
  expect(await run('set', '--metadata', url, '--metadata-refresh', mode)).toMatchObject({ exitCode: 0 });
  return { cwd, url, env, answers, run, show, before: await show() };
}

type Refreshed = Awaited<ReturnType<typeof makeRefreshed>>;

const answer = ({ answers }: Refreshed, body: string, status = 200) =>
  Object.assign(answers['/idp'], { status, body });

/** Makes the last read of the metadata one day old. */
function makeOld({ cwd }: Refreshed): void {
  const database = openDatabase(homeAt(path.join(cwd, '.quern')).folder, { clock: () => new Date() });
  const sql = "UPDATE metadata_refreshes SET checked_at = '2026-01-01T00:00:00.000Z'";
  database.write(() => database.statement(sql).run());
  database.close();
}

/** Starts the server of a home, which refreshes outdated metadata, and waits for a line of its log. */
async function serveUntil(world: Refreshed, line: string) {
  const server = await serve(world.cwd, [], world.env);
  onTestFinished(() => void server.stop());
  await waitUntil(() => server.log().includes(line));
  return createClient(server.url, await createToken(world.cwd));
}

describe('metadata with a URL', () => {
  it('are read again on request, and a change waits until it is applied', async () => {
    const world = await makeRefreshed('off');
    const { run, show, before } = world;
    const [known] = before.identity_provider.certificates;
    expect(await run('refresh-metadata')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `the metadata at ${world.url} has not changed\n`,
    });
    answer(world, second);
    const read = await run('refresh-metadata');
    expect(read.stdout).toMatch(/^changed metadata, read \S+, not applied yet:\n/);
    expect(read.stdout).toMatch(new RegExp(`^ {2}certificate {2}${known.fingerprint} +→ {2}none$`, 'm'));
    const waiting = await show();
    expect(waiting.identity_provider).toEqual(before.identity_provider);
    const added = waiting.pending_metadata.differences[1].after;
    expect(waiting.pending_metadata.differences).toEqual([
      { field: 'certificate', before: known.fingerprint, after: null },
      { field: 'certificate', before: null, after: added },
    ]);
    expect((await run('show')).stdout).toContain(read.stdout);
    expect(await run('apply-metadata')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('not applied: without a terminal, confirm with --yes'),
    });
    expect(await run('apply-metadata', '--yes')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `${read.stdout}applied the changed metadata\n`,
    });
    const after = await show();
    expect(after).toMatchObject({ pending_metadata: null, metadata_url: world.url });
    expect(after.identity_provider.certificates).toMatchObject([{ fingerprint: added }]);
    expect(await run('apply-metadata', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('error: There is no changed metadata to apply'),
    });
  });

  it('stay unchanged when they cannot be read, or contain no relevant change', async () => {
    const world = await makeRefreshed('apply');
    const { run, show, before } = world;
    answer(world, 'down', 503);
    const reason = `Metadata cannot be read from ${world.url}: the response status is 503. Nothing was changed`;
    expect(await run('refresh-metadata')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`error: ${reason}`),
    });
    expect(await show()).toMatchObject({ metadata_failure: reason, pending_metadata: null });
    answer(world, '<html/>');
    expect(await run('refresh-metadata')).toMatchObject({ exitCode: 1 });
    const failed = await show();
    expect(failed.metadata_failure).toContain('Invalid identity provider metadata');
    expect(failed.identity_provider).toEqual(before.identity_provider);
    answer(world, first.replace('<md:EntityDescriptor ', '<md:EntityDescriptor ID="_2" '));
    expect(await run('refresh-metadata')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await show()).toEqual({ ...before, metadata_checked_at: expect.any(String) });
  });

  it('change at once if the settings allow it, but never to another identity provider', async () => {
    const world = await makeRefreshed('apply');
    answer(world, second);
    expect(await world.run('refresh-metadata')).toMatchObject({ exitCode: 0, stdout: '' });
    const applied = await world.show();
    expect(applied.identity_provider.certificates).not.toEqual(world.before.identity_provider.certificates);
    answer(world, otherIssuer);
    const read = await world.run('refresh-metadata');
    expect(read.stdout).toMatch(/^ {2}entity ID +\S+idp\S+ +→ {2}https:\/\/other\.example\.org\/metadata$/m);
    expect((await world.show()).identity_provider).toEqual(applied.identity_provider);
  });

  it('are read daily by the server, and a change waits or applies at once as configured', async () => {
    const review = await makeRefreshed('review');
    answer(review, second);
    makeOld(review);
    const apply = await makeRefreshed('apply');
    answer(apply, second);
    makeOld(apply);
    const [client] = await Promise.all([
      serveUntil(review, 'metadata of the identity provider has changed'),
      serveUntil(apply, 'changed metadata of the identity provider was applied'),
    ]);
    expect(await review.show()).toMatchObject({
      identity_provider: review.before.identity_provider,
      pending_metadata: { differences: [{ field: 'certificate' }, { field: 'certificate' }] },
    });
    const { digest } = (await review.show()).pending_metadata;
    const send = (body: object) => client.send('POST', '/manage/sso/saml/metadata/apply', { body });
    expect(await send({})).toMatchObject({ status: 400, body: { message: 'Digest is required' } });
    expect(await send({ digest: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'saml_pending_metadata_changed' },
    });
    expect(await send({ digest })).toMatchObject({ status: 200, body: { pending_metadata: null } });
    expect((await review.show()).identity_provider).not.toEqual(review.before.identity_provider);
    expect(await client.send('POST', '/manage/sso/saml/metadata/refresh')).toMatchObject({
      status: 200,
      body: { pending_metadata: null, metadata_failure: null },
    });
    const applied = await apply.show();
    expect(applied.pending_metadata).toBeNull();
    expect(applied.identity_provider).not.toEqual(apply.before.identity_provider);
    const { stdout } = await quern(['admin', 'audit', '--json'], { cwd: apply.cwd });
    expect(String(stdout)).toContain(`saml: changed metadata of ${ISSUER}`);
  });

  it('need a URL, and other errors are reported', async () => {
    const world = await makeRefreshed('review');
    const refuse = async (...args: readonly string[]) => (await world.run(...args)).stderr.split('\n')[0];
    expect(await refuse('set', '--metadata-refresh', 'weekly')).toBe(
      'error: Metadata refresh must be one of off, review, apply, not `weekly`',
    );
    writeFileSync(path.join(world.cwd, 'idp.xml'), first);
    expect(await refuse('set', '--metadata', 'idp.xml')).toEqual(
      expect.stringContaining('error: Metadata refresh needs a metadata URL, add `--metadata URL`'),
    );
    expect(await world.show()).toEqual(world.before);
    await world.run('set', '--metadata', 'idp.xml', '--metadata-refresh', 'off');
    expect(await refuse('refresh-metadata')).toEqual(
      expect.stringContaining('error: The metadata was uploaded from a file and has no URL'),
    );
    expect(await world.show()).toMatchObject({ metadata_url: null, metadata_checked_at: null });
  });
});
