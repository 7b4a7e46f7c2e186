import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { shareConsole, signIn } from '../console.ts';
import { visit } from '../visit.ts';
import { BUSY, eventually, openRunPage, startRun, waitForState } from './open-run.ts';

const shared = shareConsole({});

/** Starts a script that publishes tables with these bodies, in this order; the prefix makes their names unique. */
async function startPublishing(prefix: string, bodies: Readonly<Record<string, string>>): Promise<string> {
  const names = Object.keys(bodies);
  const blocks = Object.entries(bodies).map(
    ([name, body]) =>
      `#+src sql ${name}()\n#+meta { :publication { :type "table", :name "${prefix}_${name.toLowerCase()}" } }\n#+begin ${body} #+end\n`,
  );
  const content = `#+import "std/publication"\n${blocks.join('')}{{ publication.Run(blocks=[${names.join(', ')}]) }};\n`;
  const files = [{ path: 'x.sql', content }];
  return startRun(await signIn(shared.server.url), 'bundle', { what: 'run', path: 'x.sql', files });
}

describe.skipIf(chromiumPath === null)('the publications of a run', () => {
  it('appear while it runs, with action, rows and time', async () => {
    const id = await startPublishing('live', {
      First: 'SELECT 1 AS id',
      Second: 'FROM range(7)',
      Third: BUSY,
    });
    const { page, complaints } = await openRunPage(shared.server.url, id);
    const items = page.getByRole('list', { name: 'Publications' }).getByRole('listitem');
    await eventually(() => items.allInnerTexts()).toEqual([
      expect.stringMatching(/^Published live_first \(create, 1 row, \d+(\.\d)? m?s\)$/),
      expect.stringMatching(/^Published live_second \(create, 7 rows, \d+(\.\d)? m?s\)$/),
    ]);
    await waitForState(page, 'Running');
    await visit(page, 'results-publishing');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await waitForState(page, 'Cancelled');
    expect(await items.count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('name the one that has failed, with the reason', async () => {
    const id = await startPublishing('bad', {
      First: 'SELECT 1 AS id',
      Second: 'SELECT nope',
      Third: 'SELECT 3',
    });
    const { page, complaints } = await openRunPage(shared.server.url, id);
    await waitForState(page, 'Failed');
    await page.getByRole('tab', { name: '1 publication failed' }).waitFor();
    const items = page.getByRole('list', { name: 'Publications' }).getByRole('listitem');
    await eventually(() => items.allInnerTexts()).toEqual([
      expect.stringMatching(/^Published bad_first /),
      expect.stringMatching(/^Failed bad_second \(\d+ ms\)\s+.*nope/),
    ]);
    expect(await items.nth(1).locator('[data-kind=danger] svg').count()).toBe(1);
    await visit(page, 'results-publication-failed');
    expect(complaints).toEqual([]);
  });
});
