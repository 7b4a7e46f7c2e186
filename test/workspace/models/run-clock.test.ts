import { expect, it, onTestFinished, vi } from 'vitest';
import type { Principal } from '../../../src/identity/principal/principal.ts';
import { createLocalSemantic } from '../../../src/workspace/models/local-models.ts';
import type { ModelSource } from '../../../src/workspace/models/semantic.ts';
import { never } from '../../engine/connection/results.ts';

const MODEL = `version: "1.0"
layers:
- name: l
  x_timezone: America/New_York
  environment: { platform: duckdb }
  domains:
  - name: d
    entities:
    - name: e
      table_name: t
      dimensions:
      - { name: ts, data_type: DATETIME, expr: ts }
`;

const source: ModelSource = {
  id: 'model',
  isStored: false,
  listFiles: () => [
    { name: 'm.yaml', revision: '1', read: () => ({ source: { name: 'm.yaml', text: MODEL } }) },
  ],
  checkModel: () => undefined,
  strict: false,
  connection: null,
  findRunner: () => {
    throw new Error('nothing runs');
  },
};

/** Stops the clock at a moment; the result moves it to another one. */
function stopClock(moment: string): (next: string) => void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(moment) });
  onTestFinished(() => void vi.useRealTimers());
  return (next) => void vi.setSystemTime(new Date(next));
}

const { prepareTranslation, codegenSql } = createLocalSemantic(() => source);
const ada: Principal = { userId: 'ada', userName: 'ada', superUser: false, viewsOnly: false };
const target = { kind: 'connection', name: 'shop' } as const;

it('a run that passes midnight keeps the day of its start for all statements', async () => {
  const move = stopClock('2026-03-15T03:59:59.500Z');
  const translate = await prepareTranslation(ada, target);
  const text = 'SELECT CURRENT_DATE AS d, NOW() AS n, LOCALTIMESTAMP AS l';
  const first = await translate(text, never);
  expect(first).toMatchObject({
    sql: `SELECT
  DATE '2026-03-14' AS "d",
  TIMESTAMP '2026-03-15 03:59:59.5' AS "n",
  TIMESTAMP '2026-03-14 23:59:59.5' AS "l"`,
    clock: { start: 7, end: 19 },
  });
  move('2026-03-15T04:00:01Z');
  expect(await translate(text, never)).toEqual(first);
  expect(
    await translate("SELECT ts FROM e WHERE ts < CURRENT_TIMESTAMP - INTERVAL '1 day'", never),
  ).toMatchObject({
    sql: expect.stringContaining("ts < TIMESTAMP '2026-03-14 03:59:59.5'"),
  });
  const next = await prepareTranslation(ada, target);
  expect(await next('SELECT CURRENT_DATE AS d', never)).toMatchObject({
    sql: `SELECT DATE '2026-03-15' AS "d"`,
  });
});

it('a statement without the current time has no position of it', async () => {
  const translate = await prepareTranslation(ada, target);
  expect(await translate('SELECT ts FROM e', never)).toMatchObject({ status: 'done', clock: null });
});

it('the generated SQL has the time at which it was generated', async () => {
  stopClock('2026-03-15T12:00:00Z');
  const text = { source: { name: 'sql', text: 'SELECT CURRENT_DATE AS d' }, params: {}, strict: false };
  expect(await codegenSql(ada, target, text)).toEqual([
    { sql: `SELECT DATE '2026-03-15' AS "d"`, plans: [], paths: [], warnings: [] },
  ]);
});
