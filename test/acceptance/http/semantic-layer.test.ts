import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, expectRefusal } from '../../support/http.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { rowsOf, runSql } from './executing.ts';
import { covers } from './rows.ts';
import { AGGREGATIONS, by, codegen, MODEL, metadata, refs, TABLES, toRef, where } from './semantic-shop.ts';

const shared = shareServer();
/** May use the connection `sales`, and no other semantic one. */
let analyst: Client;
let outsider: Client;

/** The rows of the SQL of a semantic query. */
async function ask(query: object): Promise<unknown> {
  const answer = await codegen(analyst, query);
  expect(answer.status, answer.text).toBe(200);
  expect(Object.keys(answer.body as object)).toEqual(['sql']);
  return rowsOf(await runSql(shared.admin, (answer.body as { sql: string }).sql));
}

beforeAll(async () => {
  const { admin, server } = shared;
  await runQuern(server.cwd, ['sql', '-'], TABLES);
  const addModel = (name: string, model: string, options: object = {}) =>
    admin.send('POST', '/manage/connections', {
      body: { name, kind: 'semantic', options: { model, ...options } },
    });
  await admin.make('assets', '@Shared/shop.json', { content: JSON.stringify(MODEL) });
  await addModel('sales', '@Shared/shop.json', { connection: 'duckdb' });
  await addModel('my sales: 100 %25 ä+?&', '@Shared/shop.json', { strict: 'true' });
  await addModel('nowhere', '@Shared/none.yaml');
  for (const name of ['analyst', 'outsider']) await runQuern(server.cwd, `user create ${name}`);
  await runQuern(server.cwd, 'grant add user:analyst use connection:sales');
  analyst = createClient(server.url, await createToken(server.cwd, 'analyst'));
  outsider = createClient(server.url, await createToken(server.cwd, 'outsider'));
});

describe('metadata', () => {
  const names = (of: unknown) => (of as readonly { name: string }[]).map(({ name }) => name);

  it(
    covers(
      'read metadata',
      'model root',
      'layer fields',
      'domain fields',
      'optional fields',
      'no extensions',
    ),
    async () => {
      const { status, body, text } = await metadata(analyst, 'sales');
      expect(status).toBe(200);
      const { version, layers } = body as typeof MODEL;
      expect([version, Object.keys(body as object)]).toEqual(['1.0', ['version', 'layers']]);
      const { domains, ...layer } = layers[0]!;
      expect(layer).toEqual({ name: 'shop', label: 'The shop', environment: { platform: 'duckdb' } });
      const { entities, ...domain } = domains[0]!;
      expect(domain).toEqual({ name: 'sales', label: 'Sales', description: 'Sold products' });
      expect(names(entities)).toEqual(['orders', 'customers', 'cards', 'payments']);
      expect(text).not.toContain('x_');
    },
  );

  it(
    covers(
      'entity fields',
      'table or query',
      'dimension fields',
      'dimension types',
      'measure fields',
      'measure types',
      'aggregations',
      'relationship fields',
      'join types',
    ),
    async () => {
      const { body } = await metadata(analyst, 'sales');
      const [orders, customers, cards] = (body as typeof MODEL).layers[0]!.domains[0]!.entities;
      const { dimensions, measures, relationships, ...entity } = orders!;
      expect(entity).toEqual({
        name: 'orders',
        label: 'Orders',
        description: 'One for each order',
        table_name: 'orders',
      });
      expect(dimensions![0]).toEqual({
        name: 'status',
        label: 'Status',
        data_type: 'TEXT',
        hidden: false,
        expr: 'status',
      });
      expect(dimensions!.find(({ name }) => name === 'id')).toMatchObject({ hidden: true });
      expect(names(dimensions)).toContain('at_month');
      const types = [...dimensions!, ...customers!.dimensions!].map(({ data_type }) => data_type);
      expect([...new Set(types)].toSorted()).toEqual(
        ['BOOLEAN', 'DATE', 'DATETIME', 'DECIMAL', 'FLOAT', 'INTEGER', 'NUMBER', 'TEXT'].toSorted(),
      );
      expect(measures![0]).toEqual({
        name: 'revenue',
        label: 'Revenue',
        data_type: 'DECIMAL',
        hidden: false,
        expr: 'amount',
        aggregation_type: 'SUM',
      });
      const aggregations = new Set(measures!.map(({ aggregation_type }) => aggregation_type));
      expect([...aggregations].toSorted()).toEqual([...AGGREGATIONS, 'CUSTOM'].toSorted());
      expect([...new Set(measures!.map(({ data_type }) => data_type))].toSorted()).toEqual(
        ['DECIMAL', 'FLOAT', 'INTEGER', 'NUMBER'].toSorted(),
      );
      expect(relationships).toEqual(MODEL.layers[0]!.domains[0]!.entities[0]!.relationships);
      expect(customers!.relationships!.map(({ join_type }) => join_type)).toEqual([
        'ONE_TO_ONE',
        'ONE_TO_MANY',
      ]);
      expect([customers!.query, 'table_name' in customers!]).toEqual(['SELECT * FROM customers', false]);
      expect(cards).toEqual({
        name: 'cards',
        table_name: 'customers',
        dimensions: [],
        measures: [],
        relationships: [],
      });
    },
  );

  it(covers('encoded connection name'), async () => {
    const { admin } = shared;
    expect((await metadata(admin, 'my sales: 100 %25 ä+?&')).status).toBe(200);
    for (const target of [
      'my%20sales:%20100%20%2525%20%C3%A4+%3F&',
      'my%20sales%3A%20100%20%2525%20%c3%a4%2B%3f%26',
    ]) {
      expect((await admin.send('GET', `/semantic-layer/metadata/${target}`)).status).toBe(200);
    }
    // Decoded once: this name has a percent sign instead of three characters.
    const once = await admin.send('GET', '/semantic-layer/metadata/my%20sales:%20100%20%25%20%C3%A4+%3F&');
    expectRefusal(once, 400, 'Connection not found');
  });

  it(
    covers('metadata: connection not found', 'metadata: no semantic model', 'metadata: no permission'),
    async () => {
      for (const name of ['sale', 'Sales', ' sales', 'a/b', '..', '__proto__', 'x'.repeat(3_000)]) {
        expectRefusal(await metadata(analyst, name), 400, 'Connection not found');
      }
      expectRefusal(await metadata(analyst, 'duckdb'), 400, 'No semantic model found for connection');
      expectRefusal(await metadata(shared.admin, 'nowhere'), 400, 'No semantic model found for connection');
      for (const [client, name] of [
        [outsider, 'sales'],
        [analyst, 'nowhere'],
      ] as const) {
        expectRefusal(
          await metadata(client, name),
          403,
          "You don't have permission to access this connection",
        );
      }
    },
  );
});

describe('a semantic query', () => {
  it(covers('generate sql', 'dimensions or measures', 'field alias'), async () => {
    expect(await ask({ measures: refs('orders.revenue', 'orders.count') })).toEqual([[100, 3]]);
    expect(await ask(by('customers.region'))).toEqual([['north'], ['south'], [null]]);
    const both = await codegen(analyst, {
      dimensions: refs('customers.region Gebiet'),
      measures: refs('orders.revenue'),
    });
    const { sql } = both.body as { sql: string };
    const { body } = await runSql(shared.admin, sql);
    const { result } = body as { result: { columns: { name: string }[]; data: unknown[][] } };
    expect(result.columns.map(({ name }) => name)).toEqual(['Gebiet', 'revenue']);
    expect(result.data.toSorted()).toEqual([
      ['north', 20],
      ['south', 80],
    ]);
  });

  it(covers('order spec', 'query limit'), async () => {
    const query = { dimensions: refs('orders.amount') };
    const order = (more: object) => [{ field: toRef('orders.amount'), ...more }];
    const all = [[7.5], [12.5], [80]];
    expect(await ask({ ...query, order_by: order({}) })).toEqual(all);
    expect(await ask({ ...query, order_by: order({ desc: false }) })).toEqual(all);
    const descending = { ...query, order_by: order({ desc: true }) };
    expect(await ask(descending)).toEqual(all.toReversed());
    expect(await ask({ ...descending, limit: { fetch: 1 } })).toEqual([[80]]);
    expect(await ask({ ...descending, limit: { fetch: 5, skip: 2 } })).toEqual([[7.5]]);
    expect(await ask({ ...descending, limit: { fetch: 1, skip: null } })).toEqual([[80]]);
  });

  it(covers('filter condition', 'filter groups', 'list operators', 'null operators'), async () => {
    const names = (...filters: object[]) => ask(by('customers.name', ...filters));
    const values = (...texts: string[]) => ({ values: texts });
    const [ada, edsger, grace] = [['Ada'], ['Edsger'], ['Grace']];
    expect(await names(where('customers.name', 'EQUALS', values('Ada', 'Grace')))).toEqual([ada, grace]);
    expect(await names(where('customers.name', 'EQUALS', values('ada')))).toEqual([]);
    expect(await names(where('customers.region', 'NOT_EQUALS', values('north')))).toEqual([edsger, grace]);
    expect(await names(where('customers.name', 'CONTAINS', values('RAC', 'ds')))).toEqual([edsger, grace]);
    expect(await names(where('customers.name', 'NOT_CONTAINS', values('a')))).toEqual([edsger]);
    expect(await names(where('customers.name', 'STARTS_WITH', values('a', 'e')))).toEqual([ada, edsger]);
    expect(await names(where('customers.name', 'NOT_STARTS_WITH', values('a')))).toEqual([edsger, grace]);
    expect(await names(where('customers.name', 'ENDS_WITH', values('a')))).toEqual([ada]);
    expect(await names(where('customers.name', 'NOT_ENDS_WITH', values('a', 'e')))).toEqual([edsger]);
    expect(await names(where('customers.region', 'IS_NULL'))).toEqual([edsger]);
    expect(await names(where('customers.region', 'IS_NOT_NULL'))).toEqual([ada, grace]);
    const group = {
      type: 'OR',
      filters: [
        where('customers.name', 'EQUALS', values('Edsger')),
        {
          type: 'AND',
          filters: [
            where('customers.region', 'IS_NOT_NULL'),
            where('customers.name', 'NOT_EQUALS', values('Grace')),
          ],
        },
      ],
    };
    expect(await names(group)).toEqual([ada, edsger]);
    expect(await names(group, where('customers.region', 'IS_NULL'))).toEqual([edsger]);
  });

  it(covers('comparison operators', 'range operators', 'date operators'), async () => {
    const amounts = (type: string, value: string) =>
      ask(by('orders.amount', where('orders.amount', type, { value })));
    expect(await amounts('GREATER_THAN', '12.5')).toEqual([[80]]);
    expect(await amounts('GREATER_THAN_OR_EQUAL', '12.50')).toEqual([[12.5], [80]]);
    expect(await amounts('LESS_THAN', '12.5')).toEqual([[7.5]]);
    expect(await amounts('LESS_THAN_OR_EQUAL', '12.5')).toEqual([[7.5], [12.5]]);
    const at = (type: string, operand: object) => ask(by('orders.amount', where('orders.at', type, operand)));
    const values = ['2026-03-01', '2026-04-11'];
    expect(await at('IN_DATE_RANGE', { values })).toEqual([[7.5], [12.5]]);
    expect(await at('NOT_IN_DATE_RANGE', { values })).toEqual([[80]]);
    const value = '2026-04-11';
    expect(await at('BEFORE_DATE', { value })).toEqual([[12.5]]);
    expect(await at('BEFORE_OR_ON_DATE', { value })).toEqual([[7.5], [12.5]]);
    expect(await at('AFTER_DATE', { value })).toEqual([[80]]);
    expect(await at('AFTER_OR_ON_DATE', { value })).toEqual([[7.5], [80]]);
  });

  it(covers('explain', 'strict asked', 'strict connection'), async () => {
    const finer = { dimensions: refs('orders.status'), measures: refs('customers.customers') };
    const plain = await codegen(analyst, finer, {}, '?strict=false&explain=false');
    expect(Object.keys(plain.body as object)).toEqual(['sql']);
    const { body } = await codegen(analyst, finer, {}, '?explain=true');
    expect(body).toEqual({
      sql: (plain.body as { sql: string }).sql,
      plan: expect.objectContaining({ dimensions: [{ name: 'status', dataType: 'TEXT' }] }),
      paths: [expect.stringContaining('orders')],
      warnings: ['Groups of orders.status overlap: a row of customers may be in several.'],
    });
    const overlap =
      'A row of customers can have several values of orders.status, so its groups overlap (strict mode)';
    expectRefusal(await codegen(analyst, finer, {}, '?strict=true'), 422, overlap);
    for (const search of ['', '?strict=false']) {
      const strict = { connection_name: 'my sales: 100 %25 ä+?&' };
      expectRefusal(await codegen(shared.admin, finer, strict, search), 422, overlap);
    }
    for (const search of ['?strict=', '?strict', '?strict=TRUE', '?strict=1', '?strict=true&strict=true']) {
      expectRefusal(await codegen(analyst, finer, {}, search), 400, 'Strict must be true or false');
    }
    expectRefusal(await codegen(analyst, finer, {}, '?explain=yes'), 400, 'Explain must be true or false');
  });
});

describe('a refused semantic query', () => {
  const revenue = { measures: refs('orders.revenue') };
  const refuse = async (query: unknown, detail: unknown, status = 400) =>
    expectRefusal(await codegen(analyst, query), status, detail);

  it(covers('query required', 'codegen: nothing asked'), async () => {
    for (const none of [undefined, null]) await refuse(none, 'Query is required');
    for (const wrong of ['SELECT 1', 7, [], true]) await refuse(wrong, 'Query must be an object');
    const nothing = 'At least one dimension or measure is required';
    for (const empty of [{}, { dimensions: [], measures: null }, { filters: [], limit: { fetch: 0 } }]) {
      await refuse(empty, nothing);
    }
    await refuse({ dimensions: {} }, 'Dimensions must be an array');
    await refuse({ measures: ['orders.revenue'] }, 'Measure must be an object');
    await refuse({ measures: [{ entity: 'orders' }] }, 'Field is required');
    await refuse({ dimensions: [{ entity: 7, field: 'x' }] }, 'Entity must be a string');
  });

  it(covers('codegen: unknown entity', 'codegen: unknown field', 'hidden field'), async () => {
    await refuse({ measures: refs('order.revenue') }, 'Entity not found: order');
    await refuse({ dimensions: refs('__proto__.x') }, 'Entity not found: __proto__');
    await refuse({ measures: refs('orders.profit') }, 'Field not found: profit in entity orders');
    await refuse({ measures: refs('orders.status') }, 'Field not found: status in entity orders');
    await refuse({ dimensions: refs('orders.id') }, 'Field not found: id in entity orders');
    await refuse(
      { ...revenue, filters: [where('orders.id', 'IS_NULL')] },
      'Field not found: id in entity orders',
    );
    await refuse({ ...revenue, order_by: [{ field: toRef('x.y') }] }, 'Entity not found: x');
  });

  it(covers('codegen: unknown operator', 'unknown filter type', 'empty groups', 'wrong values'), async () => {
    const filtered = (...filters: unknown[]) => ({ ...revenue, filters });
    await refuse(filtered(where('orders.status', 'LIKE', { value: 'x' })), 'Invalid operator type: LIKE');
    await refuse(filtered(where('orders.status', 'toString')), 'Invalid operator type: toString');
    await refuse(filtered({ type: 'NOT', filters: [] }), 'Invalid filter type: NOT');
    for (const type of ['AND', 'OR'])
      await refuse(filtered({ type, filters: [] }), 'Filters must not be empty');
    await refuse(
      filtered(where('orders.amount', 'EQUALS', { values: ["1' OR 1 = 1 --"] })),
      "Value '1' OR 1 = 1 --' of orders.amount is not a valid DECIMAL",
    );
    await refuse(
      filtered(where('orders.amount', 'CONTAINS', { values: ['1'] })),
      'Operator CONTAINS does not apply to orders.amount, which is DECIMAL',
    );
    await refuse(
      filtered(where('orders.status', 'EQUALS', { value: 'x' })),
      'Operator EQUALS takes one value or more',
    );
    let deep: object = where('orders.status', 'IS_NULL');
    for (let depth = 0; depth < 100; depth += 1) deep = { type: 'AND', filters: [deep] };
    await refuse(filtered(deep), 'Filters are nested more than 100 deep');
    const many = (count: number) => Array.from({ length: count }, () => where('orders.status', 'IS_NULL'));
    await refuse(filtered(...many(10_001)), 'A semantic query has at most 10000 conditions');
    await refuse(
      { measures: Array.from({ length: 1_001 }, (_, at) => toRef(`orders.revenue a${at}`)) },
      'A semantic query has at most 1000 fields',
    );
  });

  it(covers('codegen: fetch', 'limit: skip'), async () => {
    for (const fetch of [0, -1])
      await refuse({ ...revenue, limit: { fetch } }, 'Fetch must be greater than 0');
    await refuse({ ...revenue, limit: { fetch: 1, skip: -1 } }, 'Skip must be 0 or greater');
    await refuse({ ...revenue, limit: {} }, 'Fetch is required');
    for (const fetch of ['1', 1.5, 1e300, [1]]) {
      await refuse({ ...revenue, limit: { fetch } }, 'Fetch must be an integer');
    }
  });

  it(covers('two paths'), async () => {
    const query = { dimensions: refs('customers.region'), measures: refs('orders.revenue') };
    expect((await codegen(analyst, query)).status).toBe(200);
    const two = { dimensions: refs('payments.status'), measures: refs('customers.customers') };
    await refuse(
      two,
      expect.stringMatching(/^Several paths lead from customers to payments: .*paid.*booked|booked.*paid/),
      422,
    );
  });

  it(
    covers(
      'codegen: no permission',
      'codegen: no semantic model',
      'codegen: unknown connection',
      'no connection name',
      'only usable ones count',
      'several semantic connections',
    ),
    async () => {
      const on = (client: Client, connection_name: unknown) => codegen(client, revenue, { connection_name });
      const noModel = 'No semantic model found for connection';
      expectRefusal(await on(outsider, 'sales'), 403, "You don't have permission to access this connection");
      expectRefusal(await on(analyst, 'duckdb'), 400, noModel);
      expectRefusal(await on(shared.admin, 'nowhere'), 400, noModel);
      expectRefusal(await on(analyst, 'nothing'), 400, 'Connection not found');
      expectRefusal(await on(analyst, 7), 400, 'Connection name must be a string');
      for (const none of [undefined, null, '']) {
        expect((await on(analyst, none)).status).toBe(200);
        expectRefusal(await on(outsider, none), 400, noModel);
        expectRefusal(await on(shared.admin, none), 400, noModel);
      }
    },
  );

  it(covers('semantic: status 401'), async () => {
    const anonymous = createClient(shared.server.url);
    for (const answer of [await metadata(anonymous, 'sales'), await codegen(anonymous, 'no question')]) {
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    }
  });

  it(covers('order of refusals'), async () => {
    const all = {
      measures: refs('orders.profit'),
      filters: [where('orders.amount', 'EQUALS', { values: ['x'] })],
      limit: { fetch: 0 },
    };
    const { limit: _, ...names } = all;
    const { measures: __, ...values } = { ...names, dimensions: refs('orders.status') };
    const on = (query: object) => codegen(outsider, query);
    expectRefusal(await on(all), 400, 'Fetch must be greater than 0');
    expectRefusal(await on(names), 403, "You don't have permission to access this connection");
    await refuse(names, 'Field not found: profit in entity orders');
    await refuse(values, "Value 'x' of orders.amount is not a valid DECIMAL");
  });
});
