import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalLoader } from '../../../src/engine/project/local-loader.ts';
import { importIn, makeFiles, project } from './folders.ts';

describe('an import by a path', () => {
  it('starts in the nearest project', () => {
    const cwd = makeFiles({
      'project.toml': project('acme.io/x'),
      'a.sql': '',
      'one/a.sql': '',
      'two/deep/a.sql': '',
    });
    const loader = createLocalLoader({ cwd: path.join(cwd, 'one') });
    expect(importIn(loader, '.', 'two/deep')).toBe(path.join(cwd, 'two/deep'));
    expect(importIn(loader, '../two/deep', 'one')).toBe(path.join(cwd, 'one'));
    expect(importIn(loader, '../two/deep', 'main')).toContain('there is no folder `main`');
  });

  it('starts in the current folder if there is no project', () => {
    const cwd = makeFiles({ 'a.sql': '', 'one/a.sql': '', 'two/one/a.sql': '', 'elsewhere/b.sql': '' });
    const loader = createLocalLoader({ cwd });
    expect(importIn(loader, 'two/one', 'one')).toBe(path.join(cwd, 'one'));
    expect(importIn(loader, 'two/one', 'main')).toBe(cwd);
    const inside = createLocalLoader({ cwd: path.join(cwd, 'two') });
    expect(importIn(inside, path.join(cwd, 'elsewhere'), 'one')).toBe(path.join(cwd, 'two/one'));
  });

  it('prefers a folder with the name main', () => {
    const cwd = makeFiles({ 'a.sql': '', 'main/a.sql': '' });
    expect(importIn(createLocalLoader({ cwd }), '.', 'main')).toBe(path.join(cwd, 'main'));
  });

  it.each(['', '.', '..', '../one', './one', 'one/', '/one', 'one//two', 'one/../one', '/'])(
    'may not be %j',
    (importPath) => {
      const cwd = makeFiles({ 'one/a.sql': '', 'a.sql': '' });
      expect(importIn(createLocalLoader({ cwd: path.join(cwd, 'one') }), '.', importPath)).toBe(
        `\`${importPath}\` is not a valid import path: join names with single slashes, without \`.\` and \`..\``,
      );
    },
  );

  it('is reported as missing, with a suggestion', () => {
    const cwd = makeFiles({ 'sales/landing/a.sql': '', 'sales/b': '', 'sales/x.sql/y': '' });
    const loader = createLocalLoader({ cwd });
    expect(importIn(loader, '.', 'sales/lnading')).toBe(
      'there is no folder `sales/lnading` in the current folder; did you mean `sales/landing`?',
    );
    expect(importIn(loader, '.', 'slaes/landing')).toBe(
      'there is no folder `slaes/landing` in the current folder; did you mean `sales/landing`?',
    );
    expect(importIn(loader, '.', 'SALES')).toBe(
      'there is no folder `SALES` in the current folder; did you mean `sales`?',
    );
    expect(importIn(loader, '.', 'sales/landing/a.sql')).toBe(
      'there is no folder `sales/landing/a.sql` in the current folder',
    );
    expect(importIn(loader, '.', 'sales\u0000')).toContain('there is no folder');
    expect(importIn(loader, '.', 'sales')).toBe('there are no scripts directly in sales');
    expect(importIn(loader, 'sales', 'main')).toBe('there are no scripts directly in the current folder');
  });
});

describe('an import of the own project', () => {
  const files = {
    'x/project.toml': project('acme.io/sales/core', '1.0.0'),
    'x/a.sql': '',
    'x/landing/raw/a.sql': '',
    'x/acme.io/sales/core/shadow/a.sql': '',
  };

  it('resolves to the folders of the project', () => {
    const cwd = makeFiles(files);
    const loader = createLocalLoader({ cwd });
    expect(importIn(loader, 'x/landing/raw', 'acme.io/sales/core')).toBe(path.join(cwd, 'x'));
    expect(importIn(loader, 'x', 'acme.io/sales/core/landing/raw')).toBe(path.join(cwd, 'x/landing/raw'));
  });

  it('finds no other package', () => {
    const cwd = makeFiles(files);
    const loader = createLocalLoader({ cwd });
    expect(importIn(loader, 'x', 'acme.io/sales/core/shadow')).toBe(
      'project `acme.io/sales/core` has no folder `shadow`',
    );
    expect(importIn(loader, 'x', 'acme.io/sales/core/landing')).toBe(
      `there are no scripts directly in ${path.join('x', 'landing')}`,
    );
    expect(importIn(loader, 'x', 'acme.io/sales/core/landign/raw')).toBe(
      'project `acme.io/sales/core` has no folder `landign/raw`; did you mean `acme.io/sales/core/landing/raw`?',
    );
    expect(importIn(loader, 'x', 'acme.io/slaes/core/landing/raw')).toBe(
      `there is no folder \`acme.io/slaes/core/landing/raw\` in x; did you mean \`acme.io/sales/core/landing/raw\`?`,
    );
  });
});

describe('an import of another project', () => {
  it('resolves to the sibling project of the listed version', () => {
    const cwd = makeFiles({
      'x/project.toml': project('x', '1', { 'acme.io/base': '1.0.0' }),
      'x/a.sql': '',
      'base-1/project.toml': project('acme.io/base', '1.0.0'),
      'base-1/a.sql': '',
      'base-1/in/a.sql': '',
      'base-2/project.toml': project('acme.io/base', '2.0.0'),
      'base-2/a.sql': '',
      'other/a.sql': '',
    });
    const loader = createLocalLoader({ cwd });
    expect(importIn(loader, 'x', 'acme.io/base')).toBe(path.join(cwd, 'base-1'));
    expect(importIn(loader, 'x', 'acme.io/base/in')).toBe(path.join(cwd, 'base-1/in'));
    expect(importIn(loader, 'x', 'acme.io/base/on')).toBe('project `acme.io/base` has no folder `on`');
  });

  it('uses the longest matching project name', () => {
    const cwd = makeFiles({
      'x/project.toml': project('acme', '1', { 'acme/base': '1', 'acme/base/deep': '1' }),
      'x/base/deep/a.sql': '',
      'b/project.toml': project('acme/base', '1'),
      'b/deep/a.sql': '',
      'b/deeper/a.sql': '',
      'd/project.toml': project('acme/base/deep', '1'),
      'd/a.sql': '',
    });
    const loader = createLocalLoader({ cwd });
    expect(importIn(loader, 'x', 'acme/base/deep')).toBe(path.join(cwd, 'd'));
    expect(importIn(loader, 'x', 'acme/base/deeper')).toBe(path.join(cwd, 'b/deeper'));
  });

  it('prefers given projects to sibling projects', () => {
    const cwd = makeFiles({
      'x/project.toml': project('x', '1', { base: '1' }),
      'x/a.sql': '',
      'beside/project.toml': project('base', '1'),
      'beside/a.sql': '',
      'far/away/project.toml': project('base', '1'),
      'far/away/a.sql': '',
    });
    const loader = createLocalLoader({
      cwd: path.join(cwd, 'x'),
      projects: ['../far/away', '../far/away/.'],
    });
    expect(importIn(loader, '.', 'base')).toBe(path.join(cwd, 'far/away'));
    expect(importIn(createLocalLoader({ cwd }), 'x', 'base')).toBe(path.join(cwd, 'beside'));
  });

  it('is rejected if two projects match, except a link to the same project', () => {
    const cwd = makeFiles({
      'x/project.toml': project('x', '1', { base: '1' }),
      'x/a.sql': '',
      'one/project.toml': project('base', '1'),
      'one/a.sql': '',
    });
    symlinkSync(path.join(cwd, 'one'), path.join(cwd, 'link'));
    expect(importIn(createLocalLoader({ cwd }), 'x', 'base')).toBe(path.join(cwd, 'one'));
    mkdirSync(path.join(cwd, 'copy'));
    writeFileSync(path.join(cwd, 'copy/project.toml'), project('base', '1'));
    expect(importIn(createLocalLoader({ cwd }), 'x', 'base')).toBe(
      'project `base` of version 1 is in more than one place: copy and one',
    );
    const projects = ['copy', 'one'];
    expect(importIn(createLocalLoader({ cwd, projects }), 'x', 'base')).toContain('copy and one');
  });

  it('reports the versions that were found', () => {
    const cwd = makeFiles({
      'x/project.toml': project('x', '1', { base: '1' }),
      'x/a.sql': '',
      'b2/project.toml': project('base', '2'),
      'b3/project.toml': project('base'),
      'broken/project.toml': '[general',
    });
    expect(importIn(createLocalLoader({ cwd }), 'x', 'base/in')).toBe(
      `no project \`base\` of version 1 can be found; b2 has version 2; b3 has no version; ${path.join('broken', 'project.toml')} has errors`,
    );
  });

  it('must be listed in the manifest', () => {
    const cwd = makeFiles({
      'x/project.toml': project('x', '1'),
      'x/a.sql': '',
      'loose/a.sql': '',
      'base/project.toml': project('acme.io/base', '1'),
      'base/a.sql': '',
    });
    const loader = createLocalLoader({ cwd, projects: ['base'] });
    expect(importIn(loader, 'x', 'acme.io/base')).toBe(
      'project `acme.io/base` is not listed under [dependencies] of the project in x',
    );
    expect(importIn(loader, 'loose', 'acme.io/base')).toBe(
      'project `acme.io/base` can only be imported from a project that lists it under [dependencies]',
    );
  });

  it('uses the dependencies of the project that contains the script', () => {
    const cwd = makeFiles({
      'x/project.toml': project('x', '1', { base: '1' }),
      'x/a.sql': '',
      'base/project.toml': project('base', '1', { deep: '1' }),
      'base/a.sql': '',
      'deep/project.toml': project('deep', '1'),
      'deep/a.sql': '',
    });
    const loader = createLocalLoader({ cwd });
    const base = loader.resolveImport(path.join(cwd, 'x'), 'base');
    expect(base).toEqual({ kind: 'package', id: path.join(cwd, 'base') });
    expect(importIn(loader, 'base', 'deep')).toBe(path.join(cwd, 'deep'));
    expect(importIn(loader, 'x', 'deep')).toContain('not listed');
  });
});
