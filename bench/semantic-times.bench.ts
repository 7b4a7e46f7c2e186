import { loadDriver } from '../src/engine/connection/drivers.ts';
import { readModel } from '../src/semantic/model/load/read-model.ts';
import { prepareParser } from '../src/semantic/syntax/parse-statements.ts';
import { answerStatements } from '../src/semantic/translate/answer-statements.ts';
import { never, query } from '../test/engine/connection/results.ts';
import type { Bench } from './bench.ts';
import { compareSql, readOwnCpu } from './compare-sql.ts';

// Compares the run time of common questions about dates and medians with the best SQL by hand, on DuckDB.
const ROWS = 1_500_000;
/** One row every 84 seconds: four years that begin in 2021. */
const TABLE = `CREATE TABLE events AS SELECT TIMESTAMP '2021-01-01' + to_seconds(i * 84) AS ts, i % 12 AS kind,
  CAST((i * 7919 + i // 13 * 83) % 1000000 / 100.0 AS DECIMAL(12, 2)) AS amount FROM range(${ROWS}) AS r(i)`;

const printModel = (timezone: string) => `version: "1.0"
layers:
- name: web
  environment: { platform: duckdb }
  x_timezone: ${timezone}
  domains:
  - name: traffic
    entities:
    - name: events
      table_name: events
      dimensions:
      - { name: ts, data_type: DATETIME, expr: ts, x_grains: [month] }
      - { name: kind, data_type: INTEGER, expr: kind }
      measures:
      - { name: events, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }
      - { name: amount, data_type: DECIMAL, aggregation_type: SUM, expr: amount }
      - { name: middle, data_type: DECIMAL, aggregation_type: MEDIAN, expr: amount }
`;

interface Question {
  readonly name: string;
  readonly timezone: string;
  readonly text: string;
  readonly byHand: Readonly<Record<string, string>>;
  readonly most: number;
}

const LOCAL = (ts: string) =>
  `CAST(date_trunc('month', ${ts} AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin') AS DATE)`;

const QUESTIONS: readonly Question[] = [
  {
    name: 'a month in UTC',
    timezone: 'UTC',
    text: "SELECT events FROM events WHERE ts_month = DATE '2023-04-01'",
    byHand: {
      'a range by hand':
        "SELECT COUNT(*) FROM events WHERE ts >= TIMESTAMP '2023-04-01' AND ts < TIMESTAMP '2023-05-01'",
    },
    most: 1.2,
  },
  {
    name: 'a month in Europe/Berlin',
    timezone: 'Europe/Berlin',
    text: "SELECT events FROM events WHERE ts_month = DATE '2023-04-01'",
    byHand: {
      'a range by hand':
        "SELECT COUNT(*) FROM events WHERE ts >= TIMESTAMP '2023-03-31 22:00' AND ts < TIMESTAMP '2023-04-30 22:00'",
    },
    most: 1.2,
  },
  {
    name: 'the months in Europe/Berlin',
    timezone: 'Europe/Berlin',
    text: 'SELECT ts_month, amount FROM events',
    byHand: {
      'each row by hand': `SELECT ${LOCAL('ts')}, SUM(amount) FROM events GROUP BY 1`,
      'quarters of an hour by hand': `SELECT ${LOCAL('quarter')}, SUM(amount) FROM (SELECT
        time_bucket(INTERVAL '15 minutes', ts) AS quarter, SUM(amount) AS amount FROM events GROUP BY 1) t GROUP BY 1`,
    },
    most: 1.5,
  },
  {
    name: 'MEDIAN of a DECIMAL in 12 groups',
    timezone: 'UTC',
    text: 'SELECT kind, middle FROM events',
    byHand: {
      'two percentiles by hand':
        'SELECT kind, 0.5 * quantile_disc(amount, 0.5) - 0.5 * quantile_disc(-amount, 0.5) FROM events GROUP BY 1',
      'a wider type by hand': 'SELECT kind, median(CAST(amount AS DECIMAL(13, 3))) FROM events GROUP BY 1',
    },
    most: 1.2,
  },
];

async function listBenches(): Promise<readonly Bench[]> {
  const driver = await loadDriver('duckdb');
  const options = { file: ':memory:' };
  const connection = await driver.connect({ name: 'web', kind: 'duckdb', options, overrides: {} }, never);
  await query(connection, TABLE);
  const parse = await prepareParser();
  const benches: Bench[] = [];
  for (const { name, timezone, text, byHand, most } of QUESTIONS) {
    const { model, index } = readModel([{ name: 'web.yaml', text: printModel(timezone) }]);
    const [answer] = answerStatements({ model: model!, index: index! }, parse(text), { strict: false });
    benches.push(
      await compareSql(
        { connection, readCpu: readOwnCpu },
        { name: `${name}, DuckDB ÷ the best SQL by hand`, sql: answer!.sql, byHand, most },
      ),
    );
  }
  return benches;
}

export const benches: readonly Bench[] = await listBenches();
