import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

/** A home with one of every kind of object that can be deleted. */
async function makeFullHome(): Promise<string> {
  const cwd = await makeHome();
  for (const line of [
    'user create ada',
    'group create analysts',
    'group add-member analysts ada',
    'grant add group:analysts view @Shared',
    'token create --name nightly',
    'token create --name hers --user ada',
    'connection create shop --kind duckdb --set file=shop.duckdb',
    'catalog mkdir -p @Shared/sales/old',
    'catalog mkdir @Shared/empty',
  ]) {
    expect(await quern(line.split(' '), { cwd }), line).toMatchObject({ exitCode: 0 });
  }
  for (const target of ['@Shared/sales/old/one', '@Shared/single', '@Personal/mine']) {
    const input = 'select 1';
    expect((await quern(['catalog', 'put', '-', target], { cwd, input })).exitCode).toBe(0);
  }
  return cwd;
}

/** All objects of the home, as the commands list them. */
async function listAll(cwd: string): Promise<readonly string[]> {
  const listings = [
    'user ls',
    'group ls',
    'grant ls',
    'token ls',
    'token ls --user ada',
    'connection ls',
    'catalog ls @Shared',
    'catalog ls @Shared/sales/old',
  ].map(async (line) => String((await quern(line.split(' '), { cwd })).stdout));
  return Promise.all(listings);
}

/** A command, and the output with `--yes`. */
const DELETIONS: readonly (readonly [line: string, printed: string])[] = [
  ['connection rm shop', 'the connection shop'],
  ['user rm ADA', "the user ada, the user's tokens, and everything in the user's @Personal"],
  ['group rm Analysts', 'the group analysts'],
  ['token rm nightly', 'the token nightly of admin'],
  ['token rm hers --user ada', 'the token hers of ada'],
  ['catalog rm @Shared/single', '@Shared/single'],
  ['catalog rm /@Shared/empty/', '@Shared/empty'],
  ['catalog rm -r @Shared/empty', '@Shared/empty'],
  ['catalog rm -r @Shared/sales', '@Shared/sales with 2 items in it'],
  ['catalog rm -r @Shared/single', '@Shared/single'],
];

describe('a command that deletes', () => {
  it('deletes nothing without --yes where it cannot ask, and names the option', async () => {
    const cwd = await makeFullHome();
    const before = await listAll(cwd);
    for (const [line] of DELETIONS) {
      const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd });
      expect({ exitCode, stdout, stderr }, line).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: 'error: not deleted: without a terminal, confirm with --yes\n',
      });
    }
    expect(await listAll(cwd)).toEqual(before);
  });

  it.each(DELETIONS)('prints the deleted objects: %s', async (line, printed) => {
    const cwd = await makeFullHome();
    const { exitCode, stdout, stderr } = await quern([...line.split(' '), '-y'], { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '', stderr: `deleted ${printed}\n` });
    const again = await quern([...line.split(' '), '--yes'], { cwd });
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^error: .*not found: /) });
  });

  it('reports other errors before it reports that it cannot ask', async () => {
    const cwd = await makeFullHome();
    const wrong: readonly (readonly [line: string, message: string])[] = [
      ['connection rm shpo', 'error: Connection not found: shpo, did you mean `shop`?\n'],
      ['catalog rm @Shared/none', 'error: Path not found: @Shared/none\n'],
      ['catalog rm @Shared/sales', 'error: Folder is not empty\nhint: use -r to delete its contents\n'],
      [
        'catalog rm -r @Shared',
        'error: Path not found: @Shared\nhint: @Shared is a namespace; only what is in it can be deleted\n',
      ],
      [
        'catalog rm @Personal',
        'error: Path not found: @Personal\nhint: @Personal is a namespace; only what is in it can be deleted\n',
      ],
    ];
    for (const [line, message] of wrong) {
      expect(await quern(line.split(' '), { cwd }), line).toMatchObject({ exitCode: 1, stderr: message });
    }
  });
});
