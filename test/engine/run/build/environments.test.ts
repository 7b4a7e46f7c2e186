import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BuildChoice, openBuilds, type Packages, printBuildEvent } from './building.ts';

const PREFIX = { names: { prefix: 'dev_' } } as const;
const SCHEMA = { names: { schema: 'dev' } } as const;

/** A table of a schema, one of the session's schema, and a file; `from` is the FROM clause of `Spent`. */
function shop(from = '{{ Orders() }}', id = '1'): Packages {
  return {
    main: `
#+src sql Orders()
#+meta { :publication { :type "table", :schema "raw", :name "orders" }, :checks [ { :unique "id" } ] }
#+begin SELECT ${id} AS id #+end
#+src sql Spent()
#+meta { :publication { :type "table", :name "spent" } }
#+begin SELECT count(*) AS n FROM ${from} #+end
#+src sql File()
#+meta { :publication { :type "csv", :path "./out/n.csv", :options { :overwrite true } } }
#+begin SELECT n FROM {{ Spent() }} #+end
`,
  };
}

const COLUMNS = 'SELECT table_schema, table_name FROM information_schema.tables';

async function openShop() {
  const builds = openBuilds();
  const build = async (packages: Packages, choice: BuildChoice = {}) => {
    const { outcome, events } = await builds.build(packages, choice);
    if (outcome.status === 'failed') {
      const { message, diagnostics } = outcome.error;
      return [diagnostics[0]?.message ?? message];
    }
    return events.map(printBuildEvent);
  };
  return { ...builds, build };
}

describe('an environment with schemas of its targets', () => {
  it.each([
    ['a prefix', PREFIX, ['dev_raw.orders', 'dev_main.spent', 'dev_out/n.csv']],
    ['one schema', SCHEMA, ['dev.orders', 'dev.spent', 'dev/out/n.csv']],
  ] as const)(
    'publishes with %s, and leaves all other tables and files equal',
    async (_, environment, names) => {
      const { build, folder, query } = await openShop();
      await build(shop());
      const readOthers = async () => {
        const file = createHash('sha256')
          .update(readFileSync(`${folder}/out/n.csv`))
          .digest('hex');
        return [file, await query('FROM raw.orders'), await query('FROM main.spent')];
      };
      const before = await readOthers();
      const [orders, spent, file] = names;
      expect(await build(shop('{{ Orders() }}', '7'), { environment })).toEqual([
        `PUBLISHED ${orders} create`,
        'PASSED Orders.unique(id)',
        `PUBLISHED ${spent} create`,
        `PUBLISHED ${file} write`,
      ]);
      expect(await query(`FROM ${orders}`)).toEqual([[7]]);
      expect(readFileSync(`${folder}/${file}`, 'utf8')).toBe('1\n');
      expect(await readOthers()).toEqual(before);
    },
  );

  it('has a place of each target', async () => {
    const { build, query } = await openShop();
    const other = String(shop()['main'])
      .replace(':schema "raw"', ':schema "main"')
      .replace('"orders"', '"SPENT"');
    const [message] = await build({ main: other }, { environment: SCHEMA });
    expect(message).toMatch(
      /^in this environment `spent` is `dev.spent`, and so is `main.SPENT` of the block `Orders` \(main\/all.sql:3\): give one/,
    );
    expect(await query(`${COLUMNS} WHERE table_schema = 'dev'`)).toEqual([]);
  });

  it.each([
    ['raw.orders', '{{ Orders() }}'],
    ['Raw . "ORDERS" AS o', '{{ Orders() }}'],
    ['range(3), raw.orders', '{{ Orders() }}'],
    ['range(3) CROSS JOIN raw.orders', '{{ Orders() }}'],
    ['(SELECT * FROM raw.orders) AS o', '{{ Orders() }}'],
    ['own.main.spent', '{{ publication.Target() }}'],
  ])('refuses the name of a target by hand: FROM %s', async (from, call) => {
    const { build, query } = await openShop();
    const [message] = await build(shop(from), { environment: PREFIX });
    const placed = call === '{{ Orders() }}' ? 'dev_raw.orders' : 'dev_main.spent';
    expect(message).toBe(
      `this is not the table of this environment, which is \`${placed}\`: write \`${call}\``,
    );
    expect(await query(COLUMNS)).toEqual([]);
  });

  it.each([
    ['a comment', '{{ Orders() }} -- FROM raw.orders\n'],
    ['a text', "{{ Orders() }} WHERE 'FROM raw.orders' <> ''"],
    ['a column', '{{ Orders() }} AS raw, (SELECT 1 AS orders) AS o WHERE raw.id = o.orders'],
    ['a function', '{{ Orders() }} WHERE id IN (SELECT 1)'],
  ])('accepts names elsewhere: %s', async (_, from) => {
    const { build } = await openShop();
    const names = await build(shop(from), { environment: PREFIX });
    expect(names).toContain('PUBLISHED dev_main.spent create');
  });

  it('reads what is not selected from the environment that it defers to', async () => {
    const { build, query } = await openShop();
    await build(shop());
    const environment = { ...PREFIX, deferred: { names: null } };
    expect(await build(shop(), { include: ['Spent'], environment })).toEqual([
      'PUBLISHED dev_main.spent create',
    ]);
    expect(await query(`${COLUMNS} WHERE table_schema LIKE 'dev%' ORDER BY ALL`)).toEqual([
      ['dev_main', 'quern_build'],
      ['dev_main', 'spent'],
    ]);
    expect(await build(shop(), { include: ['Orders.unique(id)'], environment })).toEqual([
      'PASSED Orders.unique(id)',
    ]);
  });

  it('refuses a file outside of its folder', async () => {
    const { build } = await openShop();
    const main = String(shop()['main']).replace('./out/n.csv', 'out/../../n.csv');
    expect(await build({ main }, { environment: PREFIX })).toEqual([
      '`out/../../n.csv` would leave `dev_…`, the folder of this environment: write a path below it, without `..`',
    ]);
  });
});
