import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { makeFolder, quern } from '../../support/quern.ts';
import { openTab } from './browser.ts';
import { startUi } from './start-ui.ts';
import { visit } from './visit.ts';

/** The README's picture; `UPDATE_PICTURES=1` makes it again. */
const PICTURE = path.resolve(import.meta.dirname, '../../../docs/images/console.png');

it.skipIf(chromiumPath === null)(
  'the sample project opens on a script with its result as a chart',
  async () => {
    const cwd = makeFolder();
    expect((await quern(['demo'], { cwd })).exitCode).toBe(0);
    const ui = startUi(cwd, ['--no-open']);
    const file = await ui.find(/^(.+\.html)$/m);
    expect(ui.text()).toContain('using the sample project in quern-demo\n');
    const { page, complaints } = await openTab('', pathToFileURL(file).href, {
      viewport: { width: 1280, height: 960 },
    });
    await page.getByRole('button', { name: 'Later' }).click();
    const chart = page.getByRole('img', { name: 'Lines: flights by month' });
    await chart.locator('[data-mark=line] path').first().waitFor();
    await page.getByText('How did punctuality change from month to month?').waitFor();
    expect(new URL(page.url()).pathname).toBe('/sql/@Shared/flights/delays_by_month');
    await page.reload();
    await chart.waitFor();
    if (process.env.UPDATE_PICTURES === '1') await page.screenshot({ path: PICTURE });
    await visit(page, 'demo');
    const size = readFileSync(PICTURE).subarray(16, 24);
    expect([size.readUInt32BE(0), size.readUInt32BE(4)]).toEqual([1280, 960]);
    expect(complaints).toEqual([]);
    expect(await ui.interrupt()).toBe(0);
  },
);
