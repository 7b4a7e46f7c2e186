import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../../../src/engine/text/diagnostic.ts';
import {
  listModelFiles,
  type ModelFile,
  NoModelError,
} from '../../../../src/semantic/model/load/list-model-files.ts';
import { createModelRegistry } from '../../../../src/semantic/model/load/model-registry.ts';
import { withEntities } from '../../files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quern-models-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const list = (given = '.', key?: string) => listModelFiles({ path: given, cwd: folder, key });
const listNames = (given?: string, key?: string) => list(given, key).map(({ name }) => name);
const ORDERS = withEntities('- { name: orders, table_name: orders }');
const ITEMS = withEntities('- { name: items, table_name: items }');

describe('the files of a model', () => {
  it('are those of a folder and its subfolders, sorted by name', () => {
    for (const name of [
      'b.yaml',
      'a/z.yml',
      'a/y.json',
      'C.YAML',
      '.hidden.yaml',
      'readme.md',
      '.x/a.yaml',
    ]) {
      write(name, ORDERS);
    }
    write('node_modules/a.yaml', ORDERS);
    expect(listNames()).toEqual(['C.YAML', 'a/y.json', 'a/z.yml', 'b.yaml']);
  });

  it('can be a single file with any name', () => {
    write('sub/model', ORDERS);
    expect(listNames('sub/model')).toEqual(['sub/model']);
  });

  it('can be links', () => {
    write('elsewhere/a.yaml', ORDERS);
    mkdirSync(path.join(folder, 'models'));
    symlinkSync('../elsewhere/a.yaml', path.join(folder, 'models/link.yaml'));
    symlinkSync('nowhere', path.join(folder, 'models/broken.yaml'));
    expect(listNames('models')).toEqual(['models/link.yaml']);
  });

  it('are those that a project names', () => {
    const general = '[general]\nname = "p"\n';
    write('sales/a.yaml', ORDERS);
    write('more/b.yaml', ITEMS);
    write('project.toml', `${general}[semantic.s]\npath = "sales"\n`);
    expect(listNames()).toEqual(['sales/a.yaml']);
    write('project.toml', `${general}[semantic.s]\npath = "sales"\n[semantic.m]\npath = "more"\n`);
    expect(listNames('.', 'm')).toEqual(['more/b.yaml']);
    expect(() => list()).toThrow('. has several models: choose one of s, m');
    expect(() => list('.', 'mm')).toThrow('. has no `[semantic.mm]`; it has s, m');
    write(
      'project.toml',
      `${general}[semantic]\ndefault = "m"\n[semantic.s]\npath = "sales"\n[semantic.m]\npath = "more"\n`,
    );
    expect(listNames()).toEqual(['more/b.yaml']);
    write('project.toml', general);
    expect(listNames()).toEqual(['more/b.yaml', 'sales/a.yaml']);
    write('project.toml', '[general]\nname = 1\n');
    expect(() => list()).toThrow(DiagnosticError);
  });

  it('are reported as missing if there are no files', () => {
    mkdirSync(path.join(folder, 'empty'));
    expect(() => list('nowhere')).toThrow(
      new NoModelError('cannot read nowhere: there is no such file or folder', 'missing'),
    );
    expect(() => list('empty')).toThrow('no model files found in empty');
    expect(() => list('empty', 'key')).toThrow('empty is not a project with models');
    write('project.toml', '[general]\nname = "p"\n[semantic.s]\npath = "gone"\n');
    expect(() => list()).toThrow('cannot read gone: there is no such file or folder');
  });
});

describe('a registry', () => {
  /** Counts the reads of each file. */
  const count = (files: readonly ModelFile[], reads: string[]): readonly ModelFile[] =>
    files.map((file) => ({
      ...file,
      read: () => {
        reads.push(file.name);
        return file.read();
      },
    }));

  it('reads only changed files again', () => {
    const registry = createModelRegistry();
    const reads: string[] = [];
    const load = () => registry.load('m', count(list(), reads));
    write('a.yaml', ORDERS);
    write('b.yaml', ITEMS);
    const first = load();
    expect(load()).toBe(first);
    expect(reads.splice(0)).toEqual(['a.yaml', 'b.yaml']);
    write('b.yaml', ITEMS.replaceAll('items', 'goods'));
    const second = load();
    expect(reads.splice(0)).toEqual(['b.yaml']);
    expect([...second.index!.entities.keys()]).toEqual(['orders', 'goods']);
    expect(second.model!.layers[0]!.domains[0]!.entities[0]).toBe(
      first.model!.layers[0]!.domains[0]!.entities[0],
    );
  });

  it('detects a change that keeps size and time', () => {
    const registry = createModelRegistry();
    write('a.yaml', ORDERS);
    const time = new Date(1_700_000_000_000);
    utimesSync(path.join(folder, 'a.yaml'), time, time);
    registry.load('m', list());
    write('a.yaml', ORDERS.replaceAll('orders', 'ordars'));
    utimesSync(path.join(folder, 'a.yaml'), time, time);
    expect([...registry.load('m', list()).index!.entities.keys()]).toEqual(['ordars']);
  });

  it('detects added and removed files', () => {
    const registry = createModelRegistry();
    write('a.yaml', ORDERS);
    write('b.yaml', ITEMS);
    registry.load('m', list());
    rmSync(path.join(folder, 'a.yaml'));
    write('c.yaml', ITEMS.replaceAll('items', 'goods'));
    expect([...registry.load('m', list()).index!.entities.keys()]).toEqual(['items', 'goods']);
  });

  it('keeps the last valid version of a model with errors, and says so', () => {
    const registry = createModelRegistry();
    write('a.yaml', ORDERS);
    const sound = registry.load('m', list());
    expect(sound).toMatchObject({ isCurrent: true, diagnostics: [] });
    write('a.yaml', ORDERS.replace('table_name', 'tabel_name'));
    for (let times = 0; times < 2; times++) {
      const broken = registry.load('m', list());
      expect(broken.isCurrent).toBe(false);
      expect(broken.model).toBe(sound.model);
      expect(broken.diagnostics[0]).toMatchObject({ file: 'a.yaml', line: 8 });
    }
    write('a.yaml', ITEMS);
    const mended = registry.load('m', list());
    expect(mended).toMatchObject({ isCurrent: true, diagnostics: [] });
    expect([...mended.index!.entities.keys()]).toEqual(['items']);
  });

  it('has no model if the files had errors from the start', () => {
    write('a.yaml', 'version: "1.0"\n');
    write('b.yaml', ORDERS);
    expect(createModelRegistry().load('m', list())).toMatchObject({
      model: null,
      index: null,
      isCurrent: false,
      diagnostics: [{ file: 'a.yaml' }],
    });
  });

  it('reports an unreadable file', () => {
    writeFileSync(path.join(folder, 'a.yaml'), Buffer.from([0x61, 0xff]));
    const [diagnostic] = createModelRegistry().load('m', list()).diagnostics;
    expect(diagnostic).toMatchObject({ file: 'a.yaml', message: expect.stringContaining('not UTF-8') });
  });

  it('keeps models separate', () => {
    const registry = createModelRegistry();
    write('one/a.yaml', ORDERS);
    write('two/a.yaml', ITEMS);
    const names = (id: string) => [...registry.load(id, list(id)).index!.entities.keys()];
    expect([names('one'), names('two'), names('one')]).toEqual([['orders'], ['items'], ['orders']]);
  });

  it('keeps a hundred models', () => {
    const registry = createModelRegistry();
    write('a.yaml', ORDERS);
    const first = registry.load('0', list());
    for (let id = 1; id <= 100; id++) registry.load(String(id), list());
    expect(registry.load('100', list())).toBe(registry.load('100', list()));
    expect(registry.load('0', list())).not.toBe(first);
  });
});
