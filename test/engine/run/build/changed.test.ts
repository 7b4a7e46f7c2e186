import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BuildChoice, openBuilds, type Packages, printBuildEvent } from './building.ts';

interface Parts {
  readonly deep?: string;
  readonly factor?: string;
  readonly orders?: string;
  readonly meta?: string;
}

/** `Spent` reaches `Deep` by two unpublished blocks; `Report` reads `Spent`, and `Log` is appended. */
function shop({ deep = 'SELECT 1 AS id', factor = '2', orders = '', meta = '' }: Parts = {}): Packages {
  return {
    main: `
#+const factor = ${factor}; #+end
#+macro Doubled(column) #+begin {{ factor }} * {{ column }} #+end
#+src sql Deep() #+begin ${deep} #+end
#+src sql Middle() #+begin SELECT * FROM {{ Deep() }} #+end
#+src sql Orders() #+begin SELECT {{ Doubled("id") }} AS id FROM {{ Middle() }} ${orders} #+end
#+src sql Spent()
#+meta { ${meta} :publication { :type "table", :name "spent" } }
#+begin SELECT id, $rate AS rate FROM {{ Orders() }} #+end
#+src sql Report()
#+meta { :publication { :type "view", :name "report" } }
#+begin SELECT id FROM {{ Spent() }} #+end
#+src sql Log()
#+meta { :publication { :type "table", :name "log", :incremental "append" } }
#+begin SELECT 1 AS id #+end
#+src sql File()
#+meta { :publication { :type "csv", :path "log.csv", :options { :overwrite true } } }
#+begin SELECT 1 AS id #+end
`,
  };
}

const params = { rate: 1, unused: 1 };

/** Opens a database with a complete build, and builds what has changed. */
async function openBuilt() {
  const builds = openBuilds();
  mkdirSync(builds.folder, { recursive: true });
  const { outcome } = await builds.build(shop(), { params });
  expect(outcome).toMatchObject({ status: 'done' });
  const buildChanged = async (packages: Packages, choice: BuildChoice = {}) => {
    const { outcome, events } = await builds.build(packages, { include: ['changed'], params, ...choice });
    if (outcome.status === 'failed') throw new Error(outcome.error.message);
    return events.map(printBuildEvent);
  };
  return { ...builds, buildChanged };
}

describe('`changed`', () => {
  it.each<[string, Parts, BuildChoice, readonly string[]]>([
    ['nothing', {}, {}, []],
    ['a comment and white space', { deep: 'SELECT  1 -- one\n AS id' }, {}, []],
    ['a description and a check', { meta: ':doc "Sums.", :checks [ { :unique "id" } ],' }, {}, []],
    ['a constant', { factor: '3' }, {}, ['PUBLISHED spent replace']],
    ['a block three calls away', { deep: 'SELECT 5 AS id' }, {}, ['PUBLISHED spent replace']],
    ['a parameter that it names', {}, { params: { rate: 2 } }, ['PUBLISHED spent replace']],
    ['a parameter that it does not name', {}, { params: { rate: 1, unused: 2 } }, []],
    [
      'what needs it',
      { orders: 'WHERE id > 0' },
      { include: ['changed+'] },
      ['PUBLISHED spent replace', 'PUBLISHED report replace'],
    ],
    [
      'all targets of another environment',
      {},
      { environment: { names: { schema: 'dev' } } },
      [
        'PUBLISHED dev/log.csv write',
        'PUBLISHED dev.log create',
        'PUBLISHED dev.spent create',
        'PUBLISHED dev.report create',
      ],
    ],
  ])('selects the targets that differ by %s', async (_, parts, choice, expected) => {
    const { buildChanged } = await openBuilt();
    expect(await buildChanged(shop(parts), choice)).toEqual(expected);
    expect(await buildChanged(shop(parts), choice)).toEqual([]);
  });

  it('selects the publication that has other keys', async () => {
    const { buildChanged } = await openBuilt();
    const main = String(shop()['main']).replace(':name "log", ', ':name "log", :primary_key ["id"], ');
    expect(await buildChanged({ main })).toEqual(['PUBLISHED log append']);
    expect(await buildChanged({ main })).toEqual([]);
  });

  it('selects what is not there', async () => {
    const { buildChanged, folder, query } = await openBuilt();
    await query('DROP VIEW report');
    rmSync(`${folder}/log.csv`);
    expect(await buildChanged(shop())).toEqual(['PUBLISHED log.csv write', 'PUBLISHED report create']);
  });

  it('selects what a build did not reach', async () => {
    const { build, buildChanged } = await openBuilt();
    const failing = shop({ orders: "WHERE id = CAST('x' AS INTEGER)" });
    const { events } = await build(failing, { params });
    expect(events.map(printBuildEvent)).toContain('SKIPPED report spent');
    expect(await buildChanged(shop())).toEqual(['PUBLISHED spent replace', 'PUBLISHED report replace']);
  });

  it('knows what scripts have published since', async () => {
    const { buildChanged, run } = await openBuilt();
    const changed = shop({ deep: 'SELECT 4 AS id' });
    const main = `#+import "std/publication"\n${changed['main']}\n{{ publication.Run(blocks=[Spent]) }};`;
    expect(await run({ main }, params)).toMatchObject({ status: 'done' });
    expect(await buildChanged(changed)).toEqual([]);
  });

  it('selects nothing of `--exclude changed`', async () => {
    const { buildChanged } = await openBuilt();
    const choice = { include: ['Spent', 'Log'], exclude: ['changed'] };
    expect(await buildChanged(shop({ factor: '3' }), choice)).toEqual(['PUBLISHED log append']);
  });

  it('counts all targets as changed where another table has the name of the state', async () => {
    const { buildChanged, build, query } = await openBuilt();
    await query('CREATE OR REPLACE TABLE quern_build AS SELECT 1 AS other');
    const { outcome } = await build(shop(), { params, include: ['Spent'] });
    expect(outcome.warnings?.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^the state of targets cannot be kept in `main.quern_build`, so they count as changed: /,
      ),
    ]);
    expect(await buildChanged(shop())).toHaveLength(3);
    expect(await query('SELECT * FROM quern_build')).toEqual([[1]]);
  });

  it('warns if the state of files cannot be written, and publishes them', async () => {
    const { build, folder } = await openBuilt();
    const state = `${folder}/.quern_build.json`;
    rmSync(state);
    mkdirSync(state);
    const { events, outcome } = await build(shop(), { params, include: ['Log', 'File'] });
    expect(outcome.warnings?.map(({ message }) => message)).toEqual([
      'the state of targets cannot be kept in `.quern_build.json`, so they count as changed: it is a folder',
    ]);
    expect(events.map(printBuildEvent)).toContain('PUBLISHED log.csv write');
    expect(readdirSync(folder).filter((name) => name.startsWith('.quern_build'))).toEqual([
      '.quern_build.json',
    ]);
  });
});
