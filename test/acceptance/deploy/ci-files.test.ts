import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../support/quern.ts';
import { hasTools, readBlocks, readRootFile, runTool } from './tools.ts';

/** Pages with configuration files that have a schema, and what makes such a file wrong. */
const FILES = [
  ['docs/guides/ci.md', '.github/workflows/tests.yml', 'github-workflows', 'runs-on:', 'run-on:'],
  ['docs/guides/ci.md', '.gitlab-ci.yml', 'gitlab-ci', 'when: always', 'when: sometimes'],
  ['docs/guides/deploy-docker.md', 'compose.yaml', 'compose-spec', 'mem_limit:', 'memory_limit:'],
] as const;

/** Writes a file to a new folder, and returns its path. */
function write(name: string, text: string): string {
  const file = path.join(makeFolder(), name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe.skipIf(!hasTools)('examples of configuration', () => {
  it.each(FILES)('%s shows a valid %s', (page, name, schema, part, by) => {
    const blocks = readBlocks(page, `yaml ${name}`);
    expect(blocks).toHaveLength(1);
    const check = (text: string) =>
      runTool('check-jsonschema', '--builtin-schema', `vendor.${schema}`, write(name, text));
    expect(check(blocks[0]!)).toMatchObject({ status: 0 });
    expect(blocks[0]).toContain(part);
    expect(check(blocks[0]!.replace(part, by)).status).toBe(1);
  });

  it('includes an action that GitHub can read', () => {
    const check = (file: string) =>
      runTool('check-jsonschema', '--builtin-schema', 'vendor.github-actions', file);
    expect(check('action.yml')).toMatchObject({ status: 0 });
    expect(check(write('action.yml', readRootFile('action.yml').replace('runs:', 'run:'))).status).toBe(1);
  });

  it('leaves no way for an input or a pull request to run commands', () => {
    const [workflow = ''] = readBlocks('docs/guides/ci.md', 'yaml .github/workflows/tests.yml');
    // The rules know no repository of this name.
    const pinned = workflow.replace('OWNER/quern@COMMIT', `acme/quern@${'0123456789'.repeat(4)}`);
    const audit = (file: string) => runTool('zizmor', '--offline', '--no-config', '--quiet', file);
    expect(audit('action.yml')).toMatchObject({ status: 0 });
    expect(audit(write('.github/workflows/tests.yml', pinned))).toMatchObject({ status: 0 });
    const spliced = readRootFile('action.yml').replace(
      'run: bash "$GITHUB_ACTION_PATH/deploy/action/test.sh"',
      `run: quern test \${{ inputs.select }}`,
    );
    expect(audit(write('action.yml', spliced))).toMatchObject({
      status: expect.not.toSatisfy((status: unknown) => status === 0),
      output: expect.stringContaining('template-injection'),
    });
  });
});
