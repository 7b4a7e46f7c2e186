import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { SourceReading } from '../../../../src/engine/project/file-tree.ts';
import { createLocalLoader } from '../../../../src/engine/project/local-loader.ts';
import type { ScriptLoader } from '../../../../src/engine/project/package-loader.ts';
import { listSnapshotSources, type Need } from '../../../../src/engine/project/snapshot.ts';
import { compileFile } from '../../../../src/engine/script/compile.ts';
import { collectSnapshot } from '../../../../src/engine/script/load/collect-snapshot.ts';
import { checkSnapshot, loadProgram } from '../../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../../src/engine/script/load/parse-cache.ts';
import type { Params } from '../../../../src/engine/script/params/params.ts';
import { createDiagnostic, DiagnosticError } from '../../../../src/engine/text/diagnostic.ts';
import { LEXICAL_RULES } from '../../../../src/engine/text/lexical-rules.ts';
import { SQL_DIALECT } from '../../../../src/engine/text/sql-dialect.ts';
import { share } from '../../../support/rotation.ts';

const FOREIGN = "{{ config(materialized='table') }}\nselect * from {{ ref('orders') }}\n";

/** Texts of files by name; null for one that cannot be read. */
type Package = ReadonlyMap<string, string | null>;

/** A loader of packages in memory, which records what it reads. */
function createLoader(packages: ReadonlyMap<string, Package>, read: string[] = []): ScriptLoader {
  const toEntry = (id: string, name: string) => ({
    name,
    read(): SourceReading {
      read.push(name);
      const text = packages.get(id)!.get(name)!;
      if (text !== null) return { source: { name, text } };
      const source = { name, text: '' };
      return { error: createDiagnostic(source, { start: 0, end: 0 }, 'the file is not UTF-8 text', 'file') };
    },
  });
  return {
    printName: (id) => id,
    listScripts: (id) => [...(packages.get(id)?.keys() ?? [])].sort().map((name) => toEntry(id, name)),
    findScript: (id, name) => (packages.get(id)?.has(name) ? toEntry(id, name) : null),
    findProject: () => null,
    resolveImport: (_from, id) => ({ kind: 'package', id }),
  };
}

/** The steps of a script, or the messages of its errors. */
function compile(loader: ScriptLoader, need: Need & { readonly file: string }): object {
  const options = {
    dialect: SQL_DIALECT.duckdb,
    lexicalRules: LEXICAL_RULES.duckdb,
    now: 0,
    warn: () => undefined,
  };
  try {
    const program = loadProgram(collectSnapshot(loader, [need], { params: {} }), {}, createParseCache());
    return { steps: compileFile(program, need.file, options) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { errors: error.diagnostics.map(({ file, message }) => `${path.basename(file)}: ${message}`) };
  }
}

function checkFolder(loader: ScriptLoader, id: string): readonly string[] {
  const options = { params: {}, lexicalRules: LEXICAL_RULES.duckdb };
  const found = checkSnapshot(collectSnapshot(loader, [{ id }], { params: {} }), options, createParseCache());
  return found.map(({ file, message }) => `${path.basename(file)}: ${message}`);
}

/** The outcome of `main.sql` in a folder with other files. */
function compileBeside(main: string, others: Readonly<Record<string, string | null>>, read: string[] = []) {
  const files = new Map(Object.entries({ 'main.sql': main, ...others }));
  return compile(createLoader(new Map([['p', files]]), read), { id: 'p', file: 'main.sql' });
}

describe('a run', () => {
  it('reads no other file for a script that uses no name but its own', () => {
    const own = '#+src sql A() #+begin select {{ N }} #+end\n#+const N = 1; #+end\n';
    for (const main of ['select 42', `${own}select * from {{ A() }}`]) {
      const read: string[] = [];
      compileBeside(main, { 'b.sql': 'select 1', 'draft.sql': '{{ Nope() }}' }, read);
      expect(new Set(read)).toEqual(new Set(['main.sql']));
    }
  });

  it('ignores files that it does not reach: drafts, models of other tools, and files that cannot be read', () => {
    const lib = '#+src sql Rows() #+begin select 1 #+end\n#+src sql Unused() #+begin {{ Nope() }} #+end';
    const broken = {
      'draft.sql': '{{ Nope() }}',
      'foreign.sql': FOREIGN,
      'latin.sql': null,
      'open.sql': '#+src sql X(',
    };
    const main = 'select * from {{ Rows() }}';
    const alone = compileBeside(main, { 'lib.sql': lib });
    expect(alone).toEqual({ steps: expect.any(Array) });
    expect(compileBeside(main, { 'lib.sql': lib, ...broken })).toEqual(alone);
  });

  it('reports the errors of the files that it reaches, and of definitions that they need', () => {
    const others = {
      'a.sql': '#+src sql A() #+begin select {{ B() }} #+end',
      'b.sql': '#+macro B() #+begin {{ Nope }} #+end',
    };
    expect(compileBeside('{{ A() }}', others)).toEqual({ errors: ['b.sql: unknown name `Nope`'] });
    const open = { 'a.sql': '#+src sql A() #+begin select 1 #+end\n#+src sql C(' };
    expect(compileBeside('{{ A() }}', open)).toEqual({ errors: [expect.stringContaining('a.sql: ')] });
  });

  it('names the files that could not be searched for an unknown name, and similar names of others', () => {
    const oops = { 'oops.sql': '#+scr sql Nope() #+begin select 1 #+end' };
    const reason = 'in the same folder, has an error and could not be searched';
    expect(compileBeside('{{ Nope() }}', oops)).toEqual({
      errors: [`main.sql: unknown name \`Nope\`; \`oops.sql\`, ${reason}`],
    });
    expect(compileBeside('{{ Custmers() }}', { 'c.sql': '#+macro Customers() #+begin 1 #+end' })).toEqual({
      errors: ['main.sql: unknown name `Custmers`, did you mean `Customers`?'],
    });
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.sql`, null]));
    expect(compileBeside('{{ Nope() }}', many)).toEqual({
      errors: [
        'main.sql: unknown name `Nope`; `a.sql`, `b.sql`, `c.sql` and 2 more, in the same folder, have errors and could not be searched',
      ],
    });
  });

  it('refuses a name that two files define only if it uses the name', () => {
    const twice = {
      'a.sql': '#+macro M() #+begin 1 #+end',
      'b.sql': '#+macro M() #+begin 2 #+end\n#+macro N() #+begin 3 #+end',
    };
    expect(compileBeside('select {{ N() }}', twice)).toEqual({ steps: expect.any(Array) });
    expect(compileBeside('select {{ M() }}', twice)).toEqual({
      errors: ['b.sql: `M` is already the name of a macro of this package, at a.sql:1'],
    });
  });

  it('accepts the names of other files for a script whose other names are parameters and loop variables', () => {
    const macro = '#+macro M(n) #+begin {{ n }} #+end';
    const loop = '#+for row : [1, 2] separator "," do {{ M(row) }} #+end';
    const others = { 'a.sql': '#+macro M() #+begin 1 #+end', 'b.sql': '#+macro N() #+begin 2 #+end' };
    expect(compileBeside(`${macro}\nselect ${loop}`, others)).toEqual({ steps: expect.any(Array) });
    expect(compileBeside(`${macro}\nselect {{ N() }}, ${loop}`, others)).toMatchObject({
      errors: ['main.sql: `M` is already the name of a macro of this package, at a.sql:1'],
    });
  });

  it('reaches every file of a package that it names', () => {
    const files = (text: string) =>
      new Map<string, Package>([
        ['p', new Map([['main.sql', text]])],
        [
          'q',
          new Map([
            ['a.sql', '#+macro A() #+begin 1 #+end'],
            ['bad.sql', '{{ Nope }}'],
            ['latin.sql', null],
          ]),
        ],
      ]);
    const run = (text: string) =>
      compile(createLoader(files(`#+import "q"\n${text}`)), { id: 'p', file: 'main.sql' });
    expect(run('select {{ q.A() }}')).toEqual({ steps: expect.any(Array) });
    expect(run('#+import "std/test"\n{{ test.Run(packages=[q]) }};')).toEqual({
      errors: ['bad.sql: unknown name `Nope`', 'latin.sql: the file is not UTF-8 text'],
    });
  });

  it('accepts a parameter that only another file of the folder uses', () => {
    const files = new Map([
      ['main.sql', 'select $days'],
      ['a.sql', 'select $day'],
    ]);
    const collect = (params: Params) =>
      collectSnapshot(createLoader(new Map([['p', files]])), [{ id: 'p', file: 'main.sql' }], { params });
    const texts = (params: Params) => listSnapshotSources(collect(params)).map(({ name }) => name);
    expect([texts({}), texts({ day: 1 }), texts({ $day: 1 })]).toEqual([
      ['main.sql'],
      ['a.sql', 'main.sql'],
      ['a.sql', 'main.sql'],
    ]);
  });

  it('finds names that depend on parameters, in loops, and in a script with very many expressions', () => {
    const files = new Map([
      ['main.sql', '#+for row :Rows() do {{ row.a }} #+end {{ Macro_x() }}'],
      ['a.sql', '#+src sql Rows() #+begin select 1 as a #+end'],
      ['b.sql', '#+macro Macro_$name() #+begin 1 #+end'],
      ['c.sql', `${'{{ 1 }} '.repeat(30_000)}{{ Macro_x() }}`],
    ]);
    const loader = createLoader(new Map([['p', files]]));
    for (const file of ['main.sql', 'c.sql']) {
      const snapshot = collectSnapshot(loader, [{ id: 'p', file }], { params: { name: 'x' } });
      const program = loadProgram(snapshot, { name: 'x' }, createParseCache());
      expect(program.root.files.map((own) => own.file.rendered.source.name)).toContain('b.sql');
    }
  });
});

describe('a folder on disk', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quern-reached-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('can contain files that are not UTF-8 or too large: only a check of the folder reports them', () => {
    mkdirSync(path.join(folder, 'p'));
    const write = (name: string, content: string | Buffer) =>
      writeFileSync(path.join(folder, 'p', name), content);
    write('main.sql', 'select * from {{ Rows() }}');
    write('rows.sql', '#+src sql Rows() #+begin select 1 #+end');
    write('latin.sql', Buffer.from("select 'Zürich'", 'latin1'));
    write('large.sql', Buffer.alloc(15 * 1024 ** 2 + 1, ' '));
    const loader = createLocalLoader({ cwd: folder });
    const { id, file } = loader.findPackage('p/main.sql')!;
    expect(compile(loader, { id, file: file! })).toEqual({ steps: expect.any(Array) });
    expect(checkFolder(loader, id)).toEqual([
      'large.sql: the file exceeds the limit of 15 MB',
      'latin.sql: the file is not UTF-8 text: byte 10 is wrong; convert it first',
    ]);
  });
});

/** A random project: each definition and script uses some of the definitions after it, by index. */
interface Project {
  readonly packages: number;
  readonly files: readonly { readonly package: number; readonly kinds: readonly string[] }[];
  readonly uses: readonly (readonly number[])[];
}

interface Made {
  readonly packages: ReadonlyMap<string, Package>;
  /** The definitions, each with the index of its file. */
  readonly definitions: readonly { readonly file: number; readonly uses: readonly number[] }[];
}

const KINDS = ['block', 'macro', 'constant', 'script'] as const;

const anyProject: fc.Arbitrary<Project> = fc.record({
  packages: fc.integer({ min: 1, max: 3 }),
  files: fc.array(
    fc.record({
      package: fc.nat(2),
      kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 3, maxLength: 9 },
  ),
  uses: fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }), {
    minLength: 27,
    maxLength: 27,
  }),
});

const nameOf = (file: number) => `f${file}.sql`;

function make({ packages: count, files, uses }: Project): Made {
  const definitions = files.flatMap(({ kinds }, file) => kinds.map((kind) => ({ file, kind })));
  const packageOf = (file: number) => files[file]!.package % count;
  const linked = definitions.map((own, at) => {
    const targets = uses[at]!.map((distance) => at + distance);
    return {
      ...own,
      uses: targets.filter((to) => definitions[to] !== undefined && definitions[to].kind !== 'script'),
    };
  });
  const print = (at: number) => {
    const { file, kind, uses: own } = linked[at]!;
    const calls = own.map((to) => {
      const { file: other, kind: called } = linked[to]!;
      const prefix = packageOf(other) === packageOf(file) ? '' : `p${packageOf(other)}.`;
      return `${prefix}D${to}${called === 'constant' ? '' : '()'}`;
    });
    const sql = `select 1 from t ${calls.map((call) => `, {{ ${call} }}`).join('')}`;
    if (kind === 'block') return `#+src sql D${at}() #+begin ${sql} #+end`;
    if (kind === 'macro') return `#+macro D${at}() #+begin (${sql}) #+end`;
    const constants = own.filter((to) => linked[to]!.kind === 'constant');
    const values = constants.map((to) => calls[own.indexOf(to)]);
    return kind === 'constant' ? `#+const D${at} = [${values.join(', ')}]; #+end` : `${sql};`;
  };
  const texts = new Map(
    Array.from({ length: count }, (_, at) => [`p${at}`, new Map<string, string | null>()]),
  );
  const imports = [...texts.keys()].map((id) => `#+import "${id}"\n`).join('');
  for (const file of files.keys()) {
    const own = [...linked.keys()].filter((at) => linked[at]!.file === file);
    texts.get(`p${packageOf(file)}`)!.set(nameOf(file), `${imports}${own.map(print).join('\n')}\n`);
  }
  const final = linked.map((own) => ({
    file: own.file,
    uses: own.kind === 'constant' ? own.uses.filter((to) => linked[to]!.kind === 'constant') : own.uses,
  }));
  return { packages: texts, definitions: final };
}

/** The definitions that a file reaches. */
function reach({ definitions }: Made, file: number): ReadonlySet<number> {
  const reached = new Set([...definitions.keys()].filter((at) => definitions[at]!.file === file));
  for (const at of reached) for (const to of definitions[at]!.uses) reached.add(to);
  return reached;
}

const HUGE = ' '.repeat(33 * 1024 ** 2);

const EDITS: Readonly<Record<string, (files: Map<string, string | null>, name: string) => void>> = {
  broken: (files, name) => files.set(name, `${files.get(name)}\n#+src sql Open(\n`),
  foreign: (files, name) => files.set(name, FOREIGN),
  unreadable: (files, name) => files.set(name, null),
  huge: (files, name) => files.set(name, files.get(name) + HUGE),
  doubled: (files, name) => files.set('copy.sql', files.get(name)!),
  deleted: (files, name) => files.delete(name),
};

it('stays the same for 300 random projects and edits of files that it does not reach, and fails for others', () => {
  let [unaffected, affected] = [0, 0];
  fc.assert(
    fc.property(anyProject, fc.constantFrom(...Object.keys(EDITS)), fc.nat(), (project, edit, choice) => {
      const before = make(project);
      const edited = choice % project.files.length;
      const packages = new Map([...before.packages].map(([id, files]) => [id, new Map(files)]));
      const home = [...packages].find(([, files]) => files.has(nameOf(edited)))!;
      EDITS[edit]!(home[1], nameOf(edited));
      for (const [at] of project.files.entries()) {
        if (at === edited) continue;
        const [id] = [...before.packages].find(([, files]) => files.has(nameOf(at)))!;
        const need = { id, file: nameOf(at) };
        const first = compile(createLoader(before.packages), need);
        expect(first).toEqual({ steps: expect.any(Array) });
        const second = compile(createLoader(packages), need);
        const isAffected = [...reach(before, at)].some((own) => before.definitions[own]!.file === edited);
        if (isAffected) {
          affected += 1;
          expect(second).toEqual({ errors: expect.arrayContaining([expect.any(String)]) });
        } else {
          unaffected += 1;
          expect(second).toEqual(first);
        }
      }
    }),
    { numRuns: share(300) },
  );
  expect(Math.min(unaffected, affected)).toBeGreaterThan(20);
});
