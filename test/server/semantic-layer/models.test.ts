import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { count, createSemanticWorld, expectRefusal, modelOf } from './world.ts';

const STALE = 'The model currently has errors; this answer uses the last valid version';
const EXPLAIN = { search: '?explain=true' };
const PATIENT = { readMs: 60_000, askMs: 60_000, memoryMb: 1_024 };

/** A model that takes time to read: the given number of entities with 60 dimensions each. */
function largeModel(entities: number): string {
  const lines = Array.from({ length: entities }, (_, at) => {
    const dimensions = Array.from({ length: 60 }, (__, i) => {
      return `      - { name: d${i}, data_type: TEXT, expr: column_${i} }`;
    });
    return `    - name: big${at}\n      table_name: t\n      dimensions:\n${dimensions.join('\n')}`;
  });
  return `${modelOf('n')}${lines.join('\n')}\n`;
}

describe('a model', () => {
  it('is reloaded at the next request, and keeps its last valid version while it has errors', async () => {
    const { put, addModel, codegen, metadata, warnings, ask } = await createSemanticWorld();
    await put('@Shared/live.yaml', modelOf('n', 'tabel_name'));
    await addModel('live', '@Shared/live.yaml');
    const faults = expect.stringMatching(
      /^The semantic model has errors:\n@Shared\/live\.yaml:8:\d+: error: .*\n[\s\S]*did you mean `table_name`/,
    );
    expectRefusal(await codegen(count()), 422, faults);
    expectRefusal(await metadata(), 422, faults);
    expect(warnings).toEqual([expect.stringMatching(/^a semantic model has errors: @Shared\/live\.yaml:8:/)]);
    await put('@Shared/live.yaml', modelOf('n'));
    expect((await codegen(count())).status).toBe(200);
    await put('@Shared/live.yaml', modelOf('rows'));
    expectRefusal(await codegen(count()), 400, 'Field not found: n in entity e');
    for (const broken of [modelOf('x', 'tabel_name'), '{', '']) {
      await put('@Shared/live.yaml', broken);
      const { body } = await codegen(count('rows'), {}, EXPLAIN);
      expect(body).toMatchObject({ warnings: [STALE] });
      expect((await codegen(count('rows'))).body).toEqual({ sql: expect.any(String) });
      expect((await metadata()).text).toContain('"rows"');
    }
    // Each error is logged once, for all users and requests.
    expect(warnings.slice(1)).toEqual(
      Array.from({ length: 3 }, () =>
        expect.stringContaining('has errors; the last valid version stays in use: @Shared/live'),
      ),
    );
    await put('@Shared/live.yaml', modelOf('again'));
    expect((await codegen(count('again'), {}, EXPLAIN)).body).toMatchObject({ warnings: [] });
    await ask('DELETE', '/api/v1/catalog/assets/@Shared/live.yaml', { headers: { 'if-match': '*' } });
    expectRefusal(await codegen(count('again')), 400, 'No semantic model found for connection');
    // A new model under the same name does not inherit the old valid version.
    await put('@Shared/live.yaml', modelOf('new'));
    expect((await codegen(count('new'))).status).toBe(200);
  });

  it('that is deleted and made again with errors has no valid version', async () => {
    const { put, addModel, codegen, ask } = await createSemanticWorld();
    const remove = (path: string) =>
      ask('DELETE', `/api/v1/catalog/assets/${path}`, { headers: { 'if-match': '*' } });
    await put('@Shared/live.yaml', modelOf('n'));
    await addModel('live', '@Shared/live.yaml');
    expect((await codegen(count())).status).toBe(200);
    await remove('@Shared/live.yaml');
    await put('@Shared/live.yaml', modelOf('n', 'tabel_name'));
    expectRefusal(await codegen(count()), 422, expect.stringContaining('did you mean `table_name`'));
  });

  it('of a folder keeps its valid version until all its files are deleted', async () => {
    const { put, addModel, codegen, ask } = await createSemanticWorld();
    await ask('POST', '/api/v1/catalog/folders', { body: { parent_path: '@Shared', name: 'm' } });
    await put('@Shared/m/a.yaml', modelOf('n'));
    await addModel('live', '@Shared/m');
    expect((await codegen(count())).status).toBe(200);
    await put('@Shared/m/b.yaml', '{');
    expect((await codegen(count(), {}, EXPLAIN)).body).toMatchObject({ warnings: [STALE] });
    for (const name of ['a', 'b']) {
      await ask('DELETE', `/api/v1/catalog/assets/@Shared/m/${name}.yaml`, { headers: { 'if-match': '*' } });
    }
    await put('@Shared/m/a.yaml', '{');
    expectRefusal(await codegen(count()), 422, expect.stringContaining('@Shared/m/a.yaml:1:'));
  });

  it('of a project keeps its valid version while the manifest has errors', async () => {
    const { put, addModel, codegen, ask } = await createSemanticWorld();
    const body = { parent_path: '@Shared', name: 'p', folder_type: 'PROJECT' };
    await ask('POST', '/api/v1/catalog/folders', { body });
    await ask('POST', '/api/v1/catalog/folders', { body: { parent_path: '@Shared/p', name: 'm' } });
    await put('@Shared/p/m/a.yaml', modelOf('n'));
    await addModel('live', '@Shared/p', { layer: 'all' });
    await put('@Shared/p/project.toml', '[general]\nname = "p"\n[semantic.all]\npath = 7\n');
    expectRefusal(await codegen(count()), 422, expect.stringContaining('@Shared/p/project.toml:4:'));
    await put('@Shared/p/project.toml', '[general]\nname = "p"\n[semantic.all]\npath = "m"\n');
    expect((await codegen(count(), {}, EXPLAIN)).body).toMatchObject({ warnings: [] });
    await put('@Shared/p/project.toml', 'general = [');
    expect((await codegen(count(), {}, EXPLAIN)).body).toMatchObject({ warnings: [STALE] });
  });

  it('may be a file on disk', async () => {
    const { home, addModel, codegen } = await createSemanticWorld();
    const file = path.join(home, 'files', 'model.yaml');
    writeFileSync(file, modelOf('n'));
    await addModel('live', file);
    expect((await codegen(count())).status).toBe(200);
    writeFileSync(file, modelOf('other'));
    expect((await codegen(count('other'))).status).toBe(200);
    rmSync(file);
    expectRefusal(await codegen(count('other')), 400, 'No semantic model found for connection');
    writeFileSync(file, '{');
    expectRefusal(await codegen(count('other')), 422, expect.stringContaining('model.yaml:1:'));
  });

  it('is the same for all users of its connection, with any rights in the catalog', async () => {
    const { put, addModel, codegen, createUser, ask, metadata } = await createSemanticWorld();
    for (const at of ['@Shared/m', '@Shared/m/closed', '@Shared/m/.hidden']) {
      const body = { parent_path: path.dirname(at), name: path.basename(at) };
      await ask('POST', '/api/v1/catalog/folders', { body });
    }
    await put('@Shared/m/closed/a.yaml', modelOf('n'));
    await put('@Shared/m/.hidden/b.yaml', '{');
    await put('@Shared/m/notes.md', '{');
    await ask('POST', '/api/v1/manage/grants/restrict', { body: { target: '@Shared/m/closed' } });
    await addModel('live', '/@Shared/m/');
    const token = await createUser('eva');
    expectRefusal(
      await codegen(count(), {}, { token }),
      403,
      "You don't have permission to access this connection",
    );
    const grant = { subject: 'user:eva', level: 'USE', target: 'connection:live' };
    await ask('PUT', '/api/v1/manage/grants', { body: grant });
    expect((await codegen(count(), {}, { token })).status).toBe(200);
    expect((await metadata()).text).toContain('"n"');
  });

  it('is read once for many simultaneous requests', async () => {
    const { put, addModel, codegen, warnings } = await createSemanticWorld();
    await put('@Shared/live.yaml', modelOf('n', 'tabel_name'));
    await addModel('live', '@Shared/live.yaml');
    const all = await Promise.all(Array.from({ length: 20 }, () => codegen(count())));
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 422));
    expect(warnings).toHaveLength(1);
  });

  it('fits its connection', async () => {
    const { put, addModel, codegen } = await createSemanticWorld();
    await put('@Shared/live.yaml', modelOf('n').replace('duckdb', 'mysql'));
    await addModel('live', '@Shared/live.yaml', { connection: 'duckdb' });
    const detail = 'Connection live: the layer l is for mysql, but duckdb is duckdb';
    expectRefusal(await codegen(count()), 422, detail);
  });
});

describe('a large model', () => {
  it('delays only the requests for it', async () => {
    const { put, addModel, codegen, ask } = await createSemanticWorld();
    await put('@Shared/live.yaml', modelOf('n'));
    await put('@Shared/large.yaml', largeModel(60));
    await addModel('live', '@Shared/live.yaml');
    await addModel('large', '@Shared/large.yaml');
    expect((await codegen(count())).status).toBe(200);
    const order: string[] = [];
    const large = codegen(count(), { connection_name: 'large' }).then((answer) => {
      order.push('large');
      return answer;
    });
    for (const what of ['first', 'second']) {
      expect((await codegen(count())).status).toBe(200);
      expect((await ask('GET', '/api/v1/catalog/list')).status).toBe(200);
      order.push(what);
    }
    expect((await large).status).toBe(200);
    expect(order).toEqual(['first', 'second', 'large']);
  });

  it('queues a user’s queries, up to a quarter of the queue, and answers others in turn', async () => {
    const { put, addModel, codegen, createUser, ask } = await createSemanticWorld(PATIENT);
    await put('@Shared/large.yaml', largeModel(60));
    await addModel('large', '@Shared/large.yaml');
    const names = Array.from({ length: 251 }, (_, at) => `small${at}`);
    for (const name of names) {
      await put(`@Shared/${name}.yaml`, modelOf('n'));
      await addModel(name, `@Shared/${name}.yaml`);
    }
    const token = await createUser('ada');
    const grant = { subject: 'user:ada', level: 'USE', target: 'connection:small0' };
    await ask('PUT', '/api/v1/manage/grants', { body: grant });
    const large = codegen(count(), { connection_name: 'large' });
    const own = names.slice(1).map((name) => codegen(count(), { connection_name: name }));
    const refused = await Promise.race(own);
    expectRefusal(refused, 429, 'Too many semantic queries are waiting; try again in a few seconds');
    expect(refused.headers['retry-after']).toBe('5');
    expect((await codegen(count(), { connection_name: 'small0' }, { token })).status).toBe(200);
    expect((await large).status).toBe(200);
    const answers = await Promise.all(own);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(249);
  });

  it('that takes too long is not read again until it has changed', async () => {
    const { put, addModel, codegen, warnings } = await createSemanticWorld({ ...PATIENT, readMs: 1 });
    await put('@Shared/live.yaml', largeModel(20));
    await addModel('live', '@Shared/live.yaml');
    for (let time = 1; time <= 2; time += 1) {
      const detail = 'The semantic model has errors:\n@Shared/live.yaml: the model takes too long to read';
      expectRefusal(await codegen(count()), 422, detail);
    }
    expect(warnings).toEqual([
      'a semantic model has errors: @Shared/live.yaml: the model takes too long to read',
    ]);
  });

  it('that takes too much memory ends its process, and nothing else', async () => {
    const { put, addModel, codegen } = await createSemanticWorld({ ...PATIENT, memoryMb: 24 });
    await put('@Shared/live.yaml', `version: [${'1,'.repeat(600_000)}]`);
    await put('@Shared/small.yaml', modelOf('n'));
    await addModel('live', '@Shared/live.yaml');
    await addModel('small', '@Shared/small.yaml');
    const detail =
      'The semantic model has errors:\n@Shared/live.yaml: the model takes too much memory to read';
    expectRefusal(await codegen(count()), 422, detail);
    expect((await codegen(count(), { connection_name: 'small' })).status).toBe(200);
  });

  it('has a limit in the catalog', async () => {
    const { put, addModel, codegen, ask } = await createSemanticWorld();
    await ask('POST', '/api/v1/catalog/folders', { body: { parent_path: '@Shared', name: 'm' } });
    const filler = `# ${'x'.repeat(15_000_000)}\n`;
    for (const name of ['a.yaml', 'b.yaml']) await put(`@Shared/m/${name}`, `${filler}${modelOf(name[0]!)}`);
    await addModel('live', '@Shared/m');
    expectRefusal(
      await codegen(count()),
      422,
      expect.stringContaining('a model can have at most 16777216 characters'),
    );
  });
});
