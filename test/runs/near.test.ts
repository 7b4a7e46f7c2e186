import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { AREAS, type Area, findAreas, listNamed, SOURCE_RULES } from './areas.ts';
import { listFiles } from './changed-files.ts';
import { checkWords, planChecks, runProgram } from './check-files.ts';
import { type Candidate, type Costs, chooseTests, findCandidates, shorten } from './choose-tests.ts';
import { findCommands, findUses } from './commands.ts';
import { findDistances, type ImportGraph, readGraph, readImports } from './import-graph.ts';
import { findMirrored } from './mirror.ts';
import { printChoice, toRuns } from './print-choice.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = listFiles(root);
const tests = files.filter((file) => file.startsWith('test/') && file.endsWith('.test.ts'));

/** A graph of imports, written as `{ file: 'targets' }`; `type:` marks an import of types. */
function makeGraph(lines: Readonly<Record<string, string>>): ImportGraph {
  const toImport = (name: string) => ({
    target: name.replace('type:', ''),
    isType: name.startsWith('type:'),
  });
  return new Map(
    Object.entries(lines).map(([file, targets]) => [file, targets.split(' ').filter(Boolean).map(toImport)]),
  );
}

describe('the import graph', () => {
  it('contains static, dynamic and exported imports with relative paths, and programs of threads', () => {
    const text = [
      "import { readFileSync } from 'node:fs';",
      "import type { A } from '../a.ts';",
      'import {',
      '  type B,',
      '  c,',
      "} from './b.ts';",
      "import './styles.ts';",
      "export type { D } from './d.ts';",
      "export * from './e.ts';",
      "const load = () => import('./f.ts');",
      `const program = new URL(\`./g-thread\${path.extname(import.meta.filename)}\`, import.meta.url);`,
      "const text = 'a text from there';",
    ].join('\n');
    const imports = readImports('src/x/y.ts', text);
    expect(imports.map(({ target, isType }) => (isType ? `type:${target}` : target)).toSorted()).toEqual([
      'src/x/b.ts',
      'src/x/e.ts',
      'src/x/f.ts',
      'src/x/g-thread.ts',
      'src/x/styles.ts',
      'type:src/a.ts',
      'type:src/x/d.ts',
    ]);
  });

  it('has the number of imports between a changed file and the files that use it', () => {
    const graph = makeGraph({
      'src/c.ts': '',
      'src/b.ts': 'src/c.ts',
      'src/a.ts': 'src/b.ts',
      'src/types.ts': 'type:src/c.ts',
      'test/a.test.ts': 'src/a.ts',
      'test/b.test.ts': 'src/b.ts src/c.ts',
    });
    const all = { max: Number.POSITIVE_INFINITY, withTypes: false };
    expect(Object.fromEntries(findDistances(graph, ['src/c.ts'], all))).toEqual({
      'src/c.ts': 0,
      'src/b.ts': 1,
      'test/b.test.ts': 1,
      'src/a.ts': 2,
      'test/a.test.ts': 3,
    });
    const near = findDistances(graph, ['src/c.ts'], { max: 1, withTypes: true });
    expect([...near.keys()].toSorted()).toEqual(['src/b.ts', 'src/c.ts', 'src/types.ts', 'test/b.test.ts']);
  });

  it('has imports of existing files only', () => {
    const graph = readGraph(root, files);
    const existing = new Set(files);
    // The test of the graph contains imports as texts.
    const targets = [...graph]
      .flatMap(([file, imports]) => (file.startsWith('test/runs/') ? [] : imports))
      .map(({ target }) => target);
    expect(targets.length).toBeGreaterThan(9_000);
    expect(targets.filter((target) => !existing.has(target))).toEqual([]);
  });
});

describe('the mirrored tests', () => {
  const some = ['test/a/b/c.test.ts', 'test/a/b/a.test.ts', 'test/a/x.test.ts', 'test/web/p/q.test.ts'];

  it('are those of the same folder, with the one of the same name first', () => {
    expect(findMirrored('src/a/b/c.ts', some)).toEqual(['test/a/b/c.test.ts', 'test/a/b/a.test.ts']);
    expect(findMirrored('web/p/q.tsx', some)).toEqual(['test/web/p/q.test.ts']);
  });

  it('are those of the nearest parent folder for a folder without tests', () => {
    expect(findMirrored('src/a/d/e/f.ts', some)).toEqual(['test/a/x.test.ts']);
    expect(findMirrored('src/other/f.ts', some)).toEqual([]);
    expect(findMirrored('docs/guides/ci.md', some)).toEqual([]);
  });
});

describe('the table of areas', () => {
  it('names existing files in each row', () => {
    const isWrong = ({ changed, tests: entries }: Area) =>
      !files.some((file) => file.startsWith(changed)) ||
      entries.length === 0 ||
      entries.some((entry) => listNamed(entry, files).length === 0);
    expect(AREAS.length).toBeGreaterThan(100);
    expect(AREAS.filter(isWrong)).toEqual([]);
    const planted = { changed: 'src/', tests: ['acceptance/http/none'] };
    expect([...AREAS, planted].filter(isWrong)).toEqual([planted]);
  });

  it('has one row for each path', () => {
    const paths = AREAS.map(({ changed }) => changed);
    expect(paths.filter((changed, at) => paths.indexOf(changed) !== at)).toEqual([]);
  });

  it('or the mirror covers every folder of src', () => {
    const folders = readdirSync(path.join(root, 'src'));
    const uncovered = folders.filter((folder) => {
      const file = `src/${folder}/file.ts`;
      return findAreas(file).length === 0 && findMirrored(file, tests).length === 0;
    });
    expect(folders.length).toBeGreaterThan(10);
    expect(uncovered).toEqual([]);
  });

  it('names existing tests that read all sources', () => {
    expect(SOURCE_RULES.filter((entry) => listNamed(entry, files).length !== 1)).toEqual([]);
  });
});

describe('the uses of a command', () => {
  const texts: Readonly<Record<string, string>> = {
    'test/acceptance/cli/a.test.ts': "await quern(['token', 'ls']); run('token ls --json');",
    'test/acceptance/cli/b.test.ts': "await quern(['token', 'lsx']); run('user ls');",
    'test/acceptance/cli/c.test.ts': '`quern token ls` lists tokens',
    'test/other.test.ts': "run('token ls')",
    'docs/guides/users.md': '$ quern token ls\nci\n',
    'docs/guides/ci.md': 'Run `quern token ls`.\n',
  };

  it('are the tests and pages that run it, the most mentions first', () => {
    const read = (file: string) => texts[file] ?? '';
    expect(findUses('src/cli/commands/token-ls.ts', Object.keys(texts), read)).toEqual([
      'test/acceptance/cli/a.test.ts',
      'test/acceptance/cli/c.test.ts',
      'docs/guides/users.md',
    ]);
  });

  it('follow the imports from a changed file of the command line', () => {
    const graph = makeGraph({
      'src/cli/commands/sql.ts': 'src/cli/print/rows.ts src/store/x.ts',
      'src/cli/commands/ps.ts': '',
    });
    expect(findCommands(graph, ['src/cli/print/rows.ts'])).toEqual(['src/cli/commands/sql.ts']);
    expect(findCommands(graph, ['src/cli/commands/ps.ts'])).toEqual(['src/cli/commands/ps.ts']);
    expect(findCommands(graph, ['src/store/x.ts'])).toEqual([]);
  });

  it('include the tests of each command', () => {
    const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
    const uses = findUses('src/cli/commands/token-ls.ts', files, read);
    expect(uses[0]).toBe('test/acceptance/cli/tokens.test.ts');
    expect(uses.some((file) => file.startsWith('docs/'))).toBe(true);
  });
});

describe('the candidates of a change', () => {
  const graph = makeGraph({
    'src/a/b.ts': '',
    'src/a/c.ts': 'src/a/b.ts',
    'test/a/b.test.ts': 'src/a/b.ts',
    'test/far.test.ts': 'src/a/c.ts',
    'test/near.test.ts': 'src/a/b.ts',
    'test/acceptance/http/x.test.ts': '',
    'test/acceptance/http/y.test.ts': '',
  });
  const project = { files: [...graph.keys(), 'docs/a.md', 'docs/tutorial/1-load.md'], graph, read: () => '' };
  const areas = [{ changed: 'src/a/', tests: ['acceptance/http/x', 'near', 'docs/a.md'] }];
  const find = (...changed: readonly string[]) =>
    findCandidates(changed, project, areas).map(({ file, reason }) => `${reason}: ${file}`);

  it('have one reason each, the strongest', () => {
    expect(find('src/a/b.ts')).toEqual([
      'mirror: test/a/b.test.ts',
      'distance 1: test/near.test.ts',
      'distance 2: test/far.test.ts',
      'area: test/acceptance/http/x.test.ts',
      'area: docs/a.md',
    ]);
  });

  it('are changed tests and pages themselves, but neither deleted tests nor parts of the tutorial', () => {
    expect(find('test/far.test.ts', 'test/gone.test.ts', 'docs/a.md', 'docs/tutorial/1-load.md')).toEqual([
      'changed: test/far.test.ts',
      'changed: docs/a.md',
    ]);
  });

  it('include those of a deleted file', () => {
    const without = new Map([...graph].filter(([file]) => file !== 'src/a/b.ts'));
    const found = findCandidates(['src/a/b.ts'], { ...project, graph: without }, areas);
    expect(found.map(({ file }) => file)).toContain('test/near.test.ts');
  });

  it('include the tests that read all sources first, and the area of the smallest folder', () => {
    const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
    const found = findCandidates(['src/server/scim/new.ts'], { files, graph: new Map(), read });
    expect(found[0]).toEqual({ file: 'test/architecture.test.ts', reason: 'rules', area: null });
    const [first] = found.filter(({ reason }) => reason === 'area');
    expect(first?.area).toBe('src/server/scim/');
    expect(first?.file).toContain('scim');
  });
});

describe('the choice of tests', () => {
  const candidate = (file: string, reason: Candidate['reason'], area: string | null = null) => ({
    file,
    reason,
    area,
  });
  const costs = (seconds: Readonly<Record<string, number>>, clusters: readonly string[] = []): Costs => ({
    secondsOf: (file) => seconds[file] ?? 3,
    clusterOf: (file) => (clusters.includes(file) ? 'one node' : null),
    clusterSeconds: 40,
  });
  const names = (all: readonly Candidate[]) => all.map(({ file }) => file).join(' ');

  it('is by reason, then the shortest first, as long as the budget lasts', () => {
    const all = [
      candidate('area', 'area', 'src/'),
      candidate('small area', 'area', 'src/a/'),
      candidate('two', 'distance 2'),
      candidate('one', 'distance 1'),
      candidate('quick one', 'distance 1'),
      candidate('own', 'changed'),
    ];
    const { chosen, leftOut, seconds } = chooseTests(
      all,
      20,
      costs({ own: 5, one: 8, 'quick one': 1, two: 9 }),
    );
    expect(names(chosen)).toBe('own quick one one small area area');
    expect(names(leftOut)).toBe('two');
    expect(seconds).toBe(20);
  });

  it('contains at least one', () => {
    const { chosen, leftOut } = chooseTests(
      [candidate('a', 'changed'), candidate('b', 'mirror')],
      10,
      costs({ a: 50 }),
    );
    expect([names(chosen), names(leftOut)]).toEqual(['a', 'b']);
  });

  it('counts the start of a cluster once, and takes its tests last unless they have changed', () => {
    const all = [
      candidate('x', 'mirror'),
      candidate('y', 'distance 1'),
      candidate('z', 'distance 1'),
      candidate('area', 'area', 'src/'),
    ];
    const { chosen, seconds } = chooseTests(all, 100, costs({}, ['x', 'y']));
    expect(names(chosen)).toBe('z area x y');
    expect(seconds).toBe(4 * 3 + 40);
    expect(names(chooseTests(all, 45, costs({}, ['x', 'y'])).leftOut)).toBe('x y');
    const changed = [candidate('z', 'mirror'), candidate('x', 'changed')];
    expect(names(chooseTests(changed, 100, costs({}, ['x'])).chosen)).toBe('x z');
  });

  it('is printed with the reasons, and with commands for the rest', () => {
    const choice = {
      chosen: [candidate('test/a/b.test.ts', 'mirror'), candidate('docs/a.md', 'area', 'src/a/')],
      leftOut: [candidate('test/c/d.test.ts', 'distance 2'), candidate('docs/b.md', 'area', 'src/a/')],
      seconds: 6,
    };
    expect(printChoice(choice, ['test/c/d.test.ts', 'test/c/e.test.ts', 'test/a/b.test.ts'])).toEqual([
      'tests: 2 files, about 6 s in one process',
      '  mirror: a/b',
      '  area src/a/: docs/a.md',
      'left out: 2 files of tests, which these commands run',
      '  npx vitest run test/c/d.test.ts',
      "  npx vitest run test/docs/docs -t ' docs/b.md'",
    ]);
  });

  it('runs pages in a second run, unless their own test runs', () => {
    expect(toRuns(['test/a.test.ts', 'docs/guides/ci.md', 'README.md'])).toEqual([
      ['run', 'test/a.test.ts'],
      ['run', 'test/docs/docs', '-t', ' docs/guides/ci.md| README.md'],
    ]);
    const guides = 'test/docs/docs-guides.test.ts';
    expect(toRuns([guides, 'docs/guides/ci.md'])).toEqual([['run', guides]]);
    expect(toRuns(['test/docs/docs.test.ts', 'README.md', 'docs/reference/tokens.md'])).toEqual([
      ['run', 'test/docs/docs.test.ts'],
      ['run', 'test/docs/docs', '-t', ' docs/reference/tokens.md'],
    ]);
    expect(toRuns([])).toEqual([]);
  });

  it('names a folder in place of all its tests', () => {
    const all = ['test/a/b.test.ts', 'test/a/c/d.test.ts', 'test/e/f.test.ts', 'test/e/g.test.ts'];
    expect(shorten(['test/a/c/d.test.ts', 'test/a/b.test.ts', 'test/e/f.test.ts'], all)).toEqual([
      'test/a/',
      'test/e/f.test.ts',
    ]);
  });
});

describe('the checks of changed files', () => {
  const graph = makeGraph({ 'web/a.tsx': 'type:src/b.ts', 'src/b.ts': 'src/c.ts', 'src/d.ts': '' });
  const plan = (...changed: readonly string[]) =>
    planChecks(changed, [...graph.keys(), 'src/c.ts', 'docs/a.md', 'package.json'], graph);
  const listNames = (...changed: readonly string[]) => plan(...changed).checks.map(({ name }) => name);

  it('are those that a change needs', () => {
    expect(listNames('src/d.ts')).toEqual(['style', 'spelling', 'types']);
    expect(listNames('src/c.ts')).toEqual(['style', 'spelling', 'types', 'types of web']);
    expect(listNames('src/gone.ts')).toEqual(['types']);
    expect(listNames('package.json')).toEqual(['style', 'spelling', 'types', 'types of web']);
    expect(plan('docs/a.md').checks.map(({ name }) => name)).toEqual(['spelling']);
    expect(plan('docs/a.md').skipped).toEqual(['style', 'types', 'types of web']);
  });

  it('read only files that exist', () => {
    const [style] = plan('src/d.ts', 'src/gone.ts').checks;
    expect(style?.args.filter((arg) => arg.startsWith('src/'))).toEqual(['src/d.ts']);
  });

  it('keep the output and the exit code of a program', async () => {
    const check = { name: 'style', program: 'biome', args: ['--no-such-option'] };
    const result = await runProgram(root, check);
    expect(result).toMatchObject({ name: 'style', passed: false });
    expect(result.output).toContain('no-such-option');
    expect(await runProgram(root, { ...check, args: ['--version'] })).toMatchObject({
      passed: true,
      exitCode: 0,
    });
  });

  it('find no banned construction in these files', () => {
    expect(checkWords(['test/runs/areas.ts', 'test/runs/near.ts'])).toEqual({
      name: 'words',
      passed: true,
      output: '',
    });
    expect(checkWords([]).passed).toBe(true);
  });
});

describe('the program', () => {
  it('refuses a revision that does not exist, and a second argument', () => {
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, ['--no-warnings', path.join(import.meta.dirname, 'near.ts'), ...args], {
        encoding: 'utf8',
      });
    expect(run('no-such-revision')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'error: unknown revision `no-such-revision`\nRun `git log --oneline` to list revisions\n',
    });
    expect(run('HEAD', 'HEAD~1')).toMatchObject({ status: 2, stderr: expect.stringContaining('`HEAD~1`') });
  });
});
