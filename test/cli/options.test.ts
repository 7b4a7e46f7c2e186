import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { OptionValues } from '../../src/cli/context/command.ts';
import type { CliContext } from '../../src/cli/context/context.ts';
import { LOADERS, type Loaders } from '../../src/cli/loaders.ts';
import { runProgram } from '../../src/cli/program.ts';
import { COMMANDS, type CommandName, type OptionsOf } from '../../src/cli/table/commands.ts';
import { TOPICS } from '../../src/cli/table/topics.ts';
import { KIND_NAMES } from '../../src/engine/connection/contract/kind.ts';

const context = { stdout: { write: async () => {} }, stderr: { write: async () => {} } };

/** Runs a command line with a replaced command, and returns the options that the command gets. */
async function readOptions(name: CommandName, args: readonly string[]): Promise<Record<string, unknown>> {
  const given: Record<string, unknown>[] = [];
  const run = async (_: unknown, { options }: { readonly options: object }) => {
    given.push({ ...options });
    return 0 as const;
  };
  const loaders: Loaders = { ...LOADERS, [name]: async () => ({ run }) };
  const argv = [...name.split(' '), ...args];
  expect(await runProgram(argv, '1.2.3', () => context as unknown as CliContext, loaders)).toBe(0);
  return given[0]!;
}

describe('the options of a command', () => {
  it('have the types of their flags, and values of these types', async () => {
    const declared = [
      { flags: '-l, --long', summary: '' },
      { flags: '--no-overrides', summary: '' },
      { flags: '--header', summary: '' },
      { flags: '--no-header', summary: '' },
      { flags: '--if-match <revision>', summary: '' },
      { flags: '--max-sessions <number>', summary: '', reader: 'positive' },
      { flags: '--from <a|b>', summary: '', reader: 'list' },
    ] as const;
    expectTypeOf<OptionValues<typeof declared>>().toEqualTypeOf<{
      readonly long: boolean;
      readonly overrides: boolean;
      readonly header: boolean | undefined;
      readonly ifMatch: string | undefined;
      readonly maxSessions: number | undefined;
      readonly from: readonly string[];
    }>();
    expectTypeOf<OptionsOf<'catalog rm'>>().toEqualTypeOf<{
      readonly ifMatch: string | undefined;
      readonly recursive: boolean;
      readonly forever: boolean;
      readonly yes: boolean;
    }>();
    expect(await readOptions('catalog rm', ['x'])).toEqual({ recursive: false, forever: false, yes: false });
    // @ts-expect-error: a command has only the options of the table
    expectTypeOf<OptionsOf<'catalog rm'>['force']>();
  });

  it.each([
    [[], { long: false, json: false, utc: false }],
    [['-l', '--json'], { long: true, json: true, utc: false }],
  ])('are false for switches that are not given: %j', async (flags, options) => {
    expect(await readOptions('catalog ls', flags)).toEqual(options);
  });

  it.each([
    [[], { header: undefined, replace: false, null: [], types: [], delimiter: undefined }],
    [['--header'], { header: true }],
    [['--no-header'], { header: false }],
    [['--null', 'a', '--null', 'b'], { null: ['a', 'b'] }],
  ])('of `load` are undefined when they are not given: %j', async (flags, options) => {
    const read = await readOptions('load', ['a.csv', ...flags]);
    for (const [name, value] of Object.entries(options)) expect(read[name]).toEqual(value);
  });

  it.each([
    [[], true],
    [['--no-overrides'], false],
  ])('can be on by default: %j', async (flags, overrides) => {
    expect((await readOptions('connection create', ['x', ...flags])).overrides).toBe(overrides);
  });
});

describe('a command', () => {
  it('has one file with its name', () => {
    const files = readdirSync(path.resolve(import.meta.dirname, '../../src/cli/commands'));
    expect(COMMANDS.map(({ name }) => `${name.replaceAll(' ', '-')}.ts`).sort()).toEqual(files.sort());
    expect(Object.keys(LOADERS).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });
});

it('the help of connections names every kind', () => {
  const find = (wanted: CommandName) => COMMANDS.find(({ name }) => name === wanted)!;
  const texts = [
    find('connection create').options!.find(({ flags }) => flags.startsWith('--kind'))!.summary,
    find('connection show').args![0]!.summary,
    TOPICS.find(({ name }) => name === 'connections')!.text,
  ];
  for (const text of texts) expect(KIND_NAMES.filter((kind) => !text.includes(kind))).toEqual([]);
});
