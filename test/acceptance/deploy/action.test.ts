import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeFiles } from '../../support/quern.ts';
import { copyCheckout } from './copy-checkout.ts';
import { hasProgram, readRootFile, runProgram } from './tools.ts';

/** An installation from the registry and a build take long on a busy machine. */
const INSTALL_MS = 900_000;

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** What a run of the action's steps on a runner leaves behind. */
interface Ran {
  /** The exit code of the last step that has run. */
  readonly status: number | null;
  readonly output: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

const action: Action = parse(readRootFile('action.yml'));
const hasRegistry = hasProgram(
  'npm',
  ['ping', '--fetch-retries=0', '--loglevel=silent'],
  'the action for GitHub',
);
const hasXmllint = hasProgram('xmllint', ['--version'], "the action's report by its schema");

const PASSING = '#+test sql Passes()\n#+begin SELECT id FROM orders WHERE id < 0 #+end\n';
const PROJECT = {
  'shop/project.toml': '[general]\nname = "acme.io/shop"\nversion = "1.0.0"\n',
  'shop/orders.csv': 'id,amount\n1,12.50\n2,-3.00\n',
  'shop/good/good.sql': PASSING,
  'shop/bad/bad.sql': '#+test sql Fails()\n#+begin\nSELECT id, amount FROM orders WHERE amount < 0\n#+end\n',
};

describe.skipIf(!hasRegistry)('the action for GitHub', () => {
  const folder = mkdtempSync('/var/tmp/quern-action-');
  const checkout = path.join(folder, 'action');
  const temporary = path.join(folder, 'temp');
  let repository = path.join(folder, 'repository');
  let first: Ran;

  beforeAll(() => {
    copyCheckout(checkout);
    mkdirSync(temporary);
    writeFiles(repository, PROJECT);
    first = run({ project: 'shop', prepare: 'quern load orders.csv' });
  }, INSTALL_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the steps with a script, as a runner of GitHub does; the first step that fails is the last one. */
  function run(inputs: Readonly<Record<string, string>>): Ran {
    const steps = new Map<string, Readonly<Record<string, string>>>();
    const evaluate = (text: string) =>
      text.replaceAll(
        /\$\{\{ (inputs|steps)\.([\w-]+)(?:\.outputs\.(\w+))? \}\}/g,
        (_all, kind, name, output) =>
          kind === 'inputs'
            ? (inputs[name] ?? action.inputs[name]!.default)
            : (steps.get(name)?.[output] ?? ''),
      );
    rmSync(path.join(temporary, 'quern-home'), { recursive: true, force: true });
    const files = Object.fromEntries(
      ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map((name) => [name, path.join(temporary, name)]),
    );
    const { QUERN_HOME: _, ...own } = process.env;
    let status: number | null = 0;
    let output = '';
    writeFileSync(files.GITHUB_STEP_SUMMARY!, '');
    for (const step of action.runs.steps.filter(({ run: script }) => script !== undefined)) {
      writeFileSync(files.GITHUB_OUTPUT!, '');
      const variables = Object.entries(step.env ?? {}).map(([name, value]) => [name, evaluate(value)]);
      const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', evaluate(step.run!)], {
        cwd: repository,
        encoding: 'utf8',
        env: {
          ...own,
          ...files,
          HOME: folder,
          GITHUB_ACTION_PATH: checkout,
          GITHUB_WORKSPACE: repository,
          RUNNER_TEMP: temporary,
          RUNNER_OS: 'Linux',
          RUNNER_ARCH: 'X64',
          ...Object.fromEntries(variables),
        },
      });
      status = ran.status;
      output += `${ran.stdout}${ran.stderr}`;
      const written = readFileSync(files.GITHUB_OUTPUT!, 'utf8').trim().split('\n').filter(Boolean);
      if (step.id)
        steps.set(step.id, Object.fromEntries(written.map((line) => line.split(/=(.*)/s).slice(0, 2))));
      if (status !== 0) break;
    }
    const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluate(value)]);
    const summary = readFileSync(files.GITHUB_STEP_SUMMARY!, 'utf8');
    return {
      status,
      output,
      summary,
      outputs: Object.fromEntries([
        ...outputs,
        ...(steps.get('key') ? Object.entries(steps.get('key')!) : []),
      ]),
    };
  }

  it('installs its own version, and fails with an annotation of the failed test', () => {
    expect(first.output).toContain(
      '::error file=shop/bad/bad.sql,line=1,col=12,title=acme.io/shop/bad.Fails::Test returned a non-empty recordset (1 row)\n2 tests: 1 passed, 1 failed\n',
    );
    expect(first.status).toBe(1);
    expect(first.output).toMatch(/^Quern \d+\.\d+\.\d+$/m);
    expect(first.summary).toContain('| acme.io/shop/bad.Fails |');
  });

  it.skipIf(!hasXmllint)('leaves a valid JUnit report, whose path is its output', () => {
    const report = first.outputs.junit!;
    expect(report).toBe(path.join(repository, 'shop/quern-tests.xml'));
    const schema = path.resolve(import.meta.dirname, '../../support/junit.xsd');
    expect(runProgram('xmllint', ['--noout', '--schema', schema, report])).toMatchObject({ status: 0 });
    expect(readFileSync(report, 'utf8')).toContain('<failure message="Test returned');
  });

  it('uses the installation of the cache, and runs selected tests only', () => {
    const again = run({
      project: 'shop',
      prepare: 'quern load orders.csv',
      select: 'good\n\n  \nacme.io/shop/good.Passes\r\n',
    });
    expect(again).toMatchObject({ status: 0, output: expect.stringContaining('from the cache') });
    expect(again.output).toContain('1 test: 1 passed, 0 failed');
    expect(again.outputs.key).toBe(first.outputs.key);
  });

  it('has another key of the cache for another package', () => {
    const keyOf = (name: string) => run({ package: name, project: 'shop', select: 'good' }).outputs.key;
    const archive = path.join(folder, 'one.tgz');
    writeFileSync(archive, 'one');
    const one = keyOf(archive);
    writeFileSync(archive, 'two');
    const keys = [first.outputs.key, one, keyOf(archive), keyOf('quern@1.0.0')];
    expect(new Set(keys).size).toBe(4);
    for (const key of keys) expect(key).toMatch(/^quern-Linux-X64-nodev[\d.]+-[0-9a-f]{32}$/);
  });

  it('says which input is wrong, and that no test has run', () => {
    expect(run({ project: 'none' })).toMatchObject({
      status: 2,
      output: expect.stringContaining('::error title=Quern::the input `project` is not a folder'),
    });
    expect(run({ project: 'shop', junit: 'a.xml\nother=1' })).toMatchObject({
      status: 2,
      output: expect.stringContaining('::error title=Quern::the input `junit` must be the name of one file'),
    });
    const prepare = 'quern load orders.csv';
    expect(run({ project: 'shop', prepare, select: 'nothing' })).toMatchObject({
      status: 2,
      output: expect.stringContaining('::error title=Quern::no test has run: the log of this step'),
    });
    expect(run({ project: 'shop', prepare: 'quern load none.csv' }).status).not.toBe(0);
    const wrong = path.join(repository, 'shop/bad/wrong.sql');
    writeFileSync(wrong, '#+src sql Wrong()\n#+begin SELECT {{ none() }} #+end\n');
    expect(run({ project: 'shop', prepare })).toMatchObject({
      status: 3,
      output: expect.stringContaining('bad/wrong.sql:2:19: error: unknown name `none`'),
    });
    rmSync(wrong);
  });

  it('never runs the value of another input than `prepare`', () => {
    const proof = path.join(repository, 'proof');
    const values = ['$(touch proof)', '`touch proof`', '; touch proof', '\' "; touch proof #'];
    const prepare = 'quern load orders.csv';
    for (const value of values) {
      for (const name of ['project', 'select']) {
        expect(run({ project: 'shop', prepare, [name]: value })).toMatchObject({ status: 2 });
      }
      expect(run({ project: 'shop', prepare, junit: value }).outputs.junit).toBe(
        `${repository}/shop/${value}`,
      );
    }
    const installed = path.join(temporary, 'quern');
    renameSync(installed, `${installed}-kept`);
    for (const value of [...values, '--version']) {
      expect(run({ package: value })).toMatchObject({ output: expect.stringContaining('npm error') });
      expect(existsSync(path.join(installed, 'node_modules'))).toBe(false);
    }
    rmSync(installed, { recursive: true });
    renameSync(`${installed}-kept`, installed);
    expect([existsSync(proof), existsSync(path.join(repository, 'shop/proof'))]).toEqual([false, false]);
  });

  it('works in a folder whose name has characters of the shell', () => {
    repository = path.join(folder, `a 'folder" $(touch proof)`);
    writeFiles(repository, PROJECT);
    expect(run({ project: 'shop', prepare: 'quern load orders.csv' }).status).toBe(1);
    expect(existsSync(path.join(repository, 'proof'))).toBe(false);
  });
});
