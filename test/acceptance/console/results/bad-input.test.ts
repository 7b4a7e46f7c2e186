import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { makeAdminHome, serve } from '../../../support/server.ts';
import { openSignedIn } from '../browser.ts';
import { setPassword, shareConsole, signIn } from '../console.ts';
import { visit } from '../visit.ts';
import {
  BUSY,
  eventually,
  openRun,
  openRunPage,
  readActiveCell,
  readColumn,
  startRun,
  waitForState,
} from './open-run.ts';

const shared = shareConsole({ eve: {} });

describe.skipIf(chromiumPath === null)('the results of a run, with difficult values', () => {
  it('can have 5,000 columns', async () => {
    const list = Array.from({ length: 5_000 }, (_, i) => `i + ${i} AS c${i}`).join(', ');
    const { page, complaints } = await openRun(shared.server, `SELECT ${list} FROM range(300) r(i)`);
    await page.getByText('300 rows · 5,000 columns', { exact: true }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+End');
    await eventually(() => readActiveCell(page)).toBe('5298');
    expect(await page.getByRole('columnheader').count()).toBeLessThan(40);
    await page.getByRole('columnheader', { name: /^c4999/ }).waitFor();
    await visit(page, 'results-wide');
    expect(complaints).toEqual([]);
  });

  it('are sorted next to the page, and the arrow in the header changes with them', async () => {
    const sql = "SELECT i, 'n' || lpad((i * 7919 % 200000)::VARCHAR, 6, '0') AS name FROM range(200000) r(i)";
    const { page, complaints } = await openRun(shared.server, sql);
    await page.getByText('200,000 rows · 2 columns', { exact: true }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/compute-worker*', async (route) => {
      await held.promise;
      await route.continue();
    });
    const header = page.getByRole('columnheader', { name: /^name/ });
    await header.getByText('name', { exact: true }).click();
    await page.getByLabel('Arranging the rows').waitFor();
    expect(await header.getAttribute('aria-sort')).toBe('none');
    expect((await readColumn(page, 0)).slice(0, 2)).toEqual(['0', '1']);
    await page.getByRole('gridcell', { name: '1', exact: true }).click();
    await page.keyboard.press('ArrowDown');
    await eventually(() => readActiveCell(page)).toBe('2');
    held.resolve();
    await eventually(() => header.getAttribute('aria-sort')).toBe('ascending');
    expect((await readColumn(page, 1)).slice(0, 2)).toEqual(['n000000', 'n000001']);
    expect(complaints).toEqual([]);
  });

  it('say that further ones are coming, where the last one is asked for', async () => {
    const held = Promise.withResolvers<void>();
    const id = await startRun(await signIn(shared.server.url), 'sql', {
      sql: "SELECT i, repeat('x', 100) AS text FROM range(200000) r(i)",
    });
    const { page, complaints } = await openSignedIn(shared.server.url, 'admin');
    await page.route(/results\/0\?from=[1-9]/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${shared.server.url}/runs/${id}`);
    const grid = page.getByRole('grid');
    await grid.focus();
    await eventually(() => readActiveCell(page)).toBe('0');
    const message = page.getByText('Rows are still coming: this is the last one so far');
    await page.keyboard.press('ArrowDown');
    expect(await message.count()).toBe(0);
    await page.keyboard.press('Control+End');
    await message.waitFor();
    held.resolve();
    await page.getByText('200,000 rows · 2 columns', { exact: true }).waitFor();
    await message.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Home');
    await eventually(() => readActiveCell(page)).toBe('199999');
    expect(await message.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('stay as they were when the browser ends the sorting, and can be sorted again', async () => {
    const { page } = await openRun(shared.server, 'SELECT -i AS i FROM range(50000) r(i)');
    await page.getByText('50,000 rows · 1 column', { exact: true }).waitFor();
    await page.route('**/compute-worker*', (route) => route.abort());
    const header = page.getByRole('columnheader', { name: /^i/ });
    await header.getByText('i', { exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'The rows could not be arranged' });
    await alert.getByText('The browser ended the computation, perhaps for lack of memory.').waitFor();
    expect(await header.getAttribute('aria-sort')).toBe('none');
    expect((await readColumn(page, 0)).slice(0, 2)).toEqual(['0', '-1']);
    await header.locator('[data-menu]').click();
    await page.getByRole('menuitem', { name: 'Summary' }).click();
    const summary = page.getByRole('complementary', { name: 'Summary of i' });
    await summary.getByText('The column could not be summarized').waitFor();
    await page.unroute('**/compute-worker*');
    await summary.getByRole('button', { name: 'Try again' }).click();
    await summary.getByRole('row', { name: 'Median -24999.5' }).waitFor();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => (await readColumn(page, 0)).slice(0, 2)).toEqual(['-49999', '-49998']);
    await alert.waitFor({ state: 'detached' });
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
  });

  it('stay as they were when the worker dies while it sorts, and can be sorted again', async () => {
    const { page, complaints } = await openRun(shared.server, 'SELECT -i AS i FROM range(50000) r(i)');
    await page.getByText('50,000 rows · 1 column', { exact: true }).waitFor();
    await page.getByRole('img', { name: 'from -49,999 to 0' }).waitFor();
    await page.route('**/compute-worker*', async (route) => {
      const response = await route.fetch();
      // Instead of its result, the worker ends, without an error of a script.
      const dying = `{
        const say = self.postMessage.bind(self);
        self.postMessage = (message) => (message === 'started' ? say(message) : self.close());
      }`;
      await route.fulfill({ response, body: `${dying}\n${await response.text()}` });
    });
    const header = page.getByRole('columnheader', { name: /^i/ });
    await header.getByText('i', { exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'The rows could not be arranged' });
    await alert.getByText('Close other tabs of the browser, or filter the rows, and try again.').waitFor();
    expect(await header.getAttribute('aria-sort')).toBe('none');
    expect((await readColumn(page, 0)).slice(0, 2)).toEqual(['0', '-1']);
    await visit(page, 'results-not-sorted');
    await page.unroute('**/compute-worker*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => (await readColumn(page, 0)).slice(0, 2)).toEqual(['-49999', '-49998']);
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    expect(complaints).toEqual([]);
  });

  it('can have a value of a megabyte, JSON, nested values and bytes, which are shown as a whole', async () => {
    const { page, complaints } = await openRun(
      shared.server,
      `SELECT repeat('0123456789', 100000) || 'the end' AS long, '{"a": [1, 12345678901234567890.10]}'::JSON AS json,
              {'list': [1, NULL], 'text': 'x'} AS nested, '\\x00\\xFFabc'::BLOB AS bytes, 'a' || chr(10) || 'b' AS two`,
    );
    await page.getByText('1 row · 5 columns', { exact: true }).waitFor();
    const grid = page.getByRole('grid');
    await grid.focus();
    const open = async (name: string) => {
      await page.keyboard.press('Enter');
      const panel = page.getByRole('complementary', { name });
      await panel.waitFor();
      return panel;
    };
    const close = async () => {
      await page.keyboard.press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      await grid.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('ArrowRight');
    };
    const long = await open('long, row 1');
    await long.getByText('string · 976.6 KB as text').waitFor();
    const value = long.getByRole('region', { name: 'Value of long' });
    expect((await value.textContent())?.length).toBe(1_000_007);
    await value.focus();
    await page.keyboard.press('End');
    await value.getByText('the end').waitFor();
    await visit(page, 'results-long');
    await close();
    const json = await open('json, row 1');
    await json.getByText('12345678901234567890.10').waitFor();
    expect(await json.getByRole('region').textContent()).toBe(
      '{\n  "a": [\n    1,\n    12345678901234567890.10\n  ]\n}',
    );
    await visit(page, 'results-json');
    await close();
    await (await open('nested, row 1')).getByText("text: 'x'").waitFor();
    await close();
    const bytes = await open('bytes, row 1');
    await bytes.getByText('00000000  00 ff 61 62 63').waitFor();
    await bytes.getByRole('switch', { name: 'As in the grid' }).click();
    await bytes.getByText('\\x00\\xFFabc').waitFor();
    await visit(page, 'results-bytes');
    await close();
    await eventually(() => readColumn(page, 4)).toEqual(['a⏎b']);
    expect(complaints).toEqual([]);
  });

  it('can have numbers of more digits, and times, than Arrow has', async () => {
    const largest = '170141183460469231731687303715884105727';
    const digits = '1234567890'.repeat(6);
    const values: readonly (readonly [sql: string, shown: string])[] = [
      [`${largest}::HUGEINT`, largest],
      [`-${largest}::HUGEINT`, `-${largest}`],
      ["'340282366920938463463374607431768211455'::UHUGEINT", '340282366920938463463374607431768211455'],
      [`'${digits}'::BIGNUM`, digits],
      [`'-${'9'.repeat(36)}.99'::DECIMAL(38, 2)`, `-${'9'.repeat(36)}.99`],
      [`[${largest}::HUGEINT, NULL]`, `[${largest}, NULL]`],
      [`{'a': -${largest}::HUGEINT}`, `{'a': -${largest}}`],
      [`MAP {'k': '${digits}'::BIGNUM}`, `{k=${digits}}`],
      ["'24:00:00'::TIME", '24:00:00'],
    ];
    const list = values.map(([sql], i) => `${sql} AS c${i}`).join(', ');
    const { page, complaints } = await openRun(shared.server, `SELECT ${list}`);
    await page.getByText(`1 row · ${values.length} columns`, { exact: true }).waitFor();
    await page.getByRole('grid').focus();
    for (const [, shown] of values) {
      await eventually(() => readActiveCell(page)).toBe(shown);
      await page.keyboard.press('ArrowRight');
    }
    expect(complaints).toEqual([]);
  });

  it('can have duplicate names, and no rows', async () => {
    const { page, complaints } = await openRun(shared.server, "SELECT 1 AS a, 'x' AS a WHERE false");
    await page.getByText('0 rows · 2 columns', { exact: true }).waitFor();
    await page.getByText('The result has no rows.').waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Row', 'ainteger', 'astring']);
    await page.getByRole('grid').focus();
    await eventually(() => readActiveCell(page)).toBe('ainteger');
    await visit(page, 'results-no-rows');
    expect(complaints).toEqual([]);
  });

  it('can be nothing at all', async () => {
    const { page, complaints } = await openRun(shared.server, '-- nothing');
    await page.getByText('sql has no statement, so nothing ran').waitFor();
    await visit(page, 'results-nothing');
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(chromiumPath === null)('a run that did not succeed', () => {
  it('shows the error with its place, and what came before', async () => {
    const { page, complaints } = await openRun(shared.server, 'SELECT 1 AS a;\nSELECT b FROM nowhere');
    await waitForState(page, 'Failed');
    const alert = page.getByRole('alert');
    await alert.getByText('nowhere').first().waitFor();
    await alert.getByText('sql:2:15').waitFor();
    await alert.getByText('2 | SELECT b FROM nowhere').waitFor();
    await page.getByRole('gridcell', { name: '1' }).waitFor();
    const failed = page.getByRole('tab', { name: 'failed' });
    expect(await failed.allInnerTexts()).toEqual([expect.stringMatching(/^2 SELECT/)]);
    await visit(page, 'results-failed');
    expect(complaints).toEqual([]);
  });

  it('shows tests with their reasons, and messages', async () => {
    const content = `#+import "std/publication"
#+import "std/test"
#+src sql Kept()
#+meta { :publication { :type "table", :name "kept" } }
#+begin
  SELECT 'a' AS b
#+end
#+test sql Negative()
#+begin
  SELECT 'north' AS region, -12 AS amount
#+end
#+test sql Empty()
#+begin
  SELECT 1 WHERE false
#+end
SELECT 1 AS a;
{{ publication.Run(blocks=[Kept]) }};
{{ test.Run(tests=[Negative, Empty], onFailure=test.Continue) }};
`;
    const { url } = shared.server;
    const body = { what: 'run', path: 'x.sql', files: [{ path: 'x.sql', content }] };
    const { page, complaints } = await openRunPage(url, await startRun(await signIn(url), 'bundle', body));
    await page.getByText('2 tests: 1 passed, 1 failed').waitFor();
    const state = page.getByRole('status').filter({ hasText: '1 of 2 tests failed' });
    expect(await state.getAttribute('data-kind')).toBe('danger');
    await page.getByRole('cell', { name: '-12' }).waitFor();
    await visit(page, 'results-tests');
    await page.getByRole('tab', { name: /^Messages/ }).click();
    await page.getByText(/^Published kept \(create, 1 row, /).waitFor();
    await visit(page, 'results-messages');
    expect(complaints).toEqual([]);
  });

  it('can be loaded again after a damaged response', async () => {
    const { url } = shared.server;
    const id = await startRun(await signIn(url), 'sql', { sql: 'SELECT 42 AS answer' });
    const { page, complaints } = await openSignedIn(url, 'admin');
    const damage = async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: Buffer.from(await response.body()).fill(7, 0, 4) });
    };
    await page.route('**/results/0?*', damage, { times: 1 });
    await page.goto(`${url}/runs/${id}`);
    await page.getByText('The rows arrived damaged').waitFor();
    await visit(page, 'results-damaged');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows the elapsed time by the clock of the server', async () => {
    const { url } = shared.server;
    const visitor = await signIn(url);
    const id = await startRun(visitor, 'sql', { sql: BUSY });
    const { page, complaints } = await openSignedIn(url, 'admin');
    await page.addInitScript('const { now } = Date; Date.now = () => now() + 7_200_000;');
    await page.goto(`${url}/runs/${id}`);
    await waitForState(page, 'Running');
    await page.getByText(/^\d+(\.\d)? m?s$/).waitFor();
    await visitor.send('DELETE', `executions/${id}`);
    await waitForState(page, 'Cancelled');
    expect(complaints).toEqual([]);
  });

  it('is failed, and nothing else, if its statement fails before the first row', async () => {
    const { page, complaints } = await openRun(
      shared.server,
      "SELECT CASE WHEN i > 5 THEN error('too late') ELSE i END AS i FROM range(10) t(i)",
    );
    await waitForState(page, 'Failed');
    await page.getByText('too late').first().waitFor();
    const text = await page.getByRole('main').innerText();
    // The state, and the title of the error.
    expect(text.match(/failed/gi)).toEqual(['Failed', 'failed']);
    expect(text).not.toMatch(/\b0 rows|no rows|rows are missing/i);
    await visit(page, 'results-failed-late');
    expect(complaints).toEqual([]);
  });

  it('is not found if another user started it, or if it does not exist', async () => {
    const { url } = shared.server;
    const id = await startRun(await signIn(url), 'sql', { sql: 'SELECT 1' });
    const { page, complaints } = await openRunPage(url, id, 'eve');
    await page.getByRole('heading', { name: 'Run not found' }).waitFor();
    await visit(page, 'results-not-found');
    await page.goto(`${url}/runs/no-such-run`);
    await page.getByRole('heading', { name: 'Run not found' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(chromiumPath === null)('a server that restarts during a run', () => {
  it('leaves a page that says what happened, and works again', async () => {
    const { cwd } = await makeAdminHome();
    await setPassword(cwd, 'admin');
    const first = await serve(cwd);
    const { page } = await openRun(first, `SELECT 42 AS answer; ${BUSY}`);
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    const { port } = new URL(first.url);
    await first.kill();
    await page.getByText('The server cannot be reached', { exact: false }).first().waitFor();
    await page.getByRole('gridcell', { name: '42' }).waitFor();
    const second = await serve(cwd, ['--port', port]);
    try {
      await page.getByRole('heading', { name: 'Run not found' }).waitFor({ timeout: 60_000 });
      await page.getByText('The server has restarted since').waitFor();
      const again = await openRun(second, 'SELECT 7');
      await again.page.getByRole('gridcell', { name: '7' }).waitFor();
    } finally {
      await second.kill();
    }
  });
});
