import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAppearance } from './appearance.ts';

/** The minified build, which each page parses faster. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The folder of the screenshots; without it, none are made. */
const SHOTS = process.env.QUERN_SHOTS;
/** In CSS pixels. */
const LAPTOP = { width: 1280, height: 800 };
const TELEPHONE = { width: 390, height: 844 };
/** In the order in which the page changes least. */
const LOOKS = [
  [LAPTOP, 'light'],
  [LAPTOP, 'dark'],
  [TELEPHONE, 'dark'],
  [TELEPHONE, 'light'],
] as const;
/** The sizes at which no page may scroll sideways; the last one is the widest of the sizes that the console supports. */
const SIZES = [TELEPHONE, { width: 720, height: 450 }, LAPTOP, { width: 2560, height: 1440 }];
/** All rules, also those that are best practices or experimental. */
const RULES: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'],
};

/** The rules whose results depend on the colours. */
const COLOUR_RULES: RunOptions = {
  resultTypes: ['violations'],
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** The list of completions: the arrow keys move in it while the text has the focus. */
const COMPLETIONS = 'aria-label="Completions"';

/** Fails when axe finds something serious or critical on the page as it is now. */
export async function expectAccessible(page: Page, rules = RULES): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const findings = await page.evaluate<readonly string[]>(`
    axe.run(document, ${JSON.stringify(rules)}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, impact, nodes }) => nodes
        .filter(({ html }) => id !== 'scrollable-region-focusable' || !html.includes('${COMPLETIONS}'))
        .map(({ html, failureSummary }) =>
        [impact + ' ' + id, html, failureSummary].join('\\n'))))
  `);
  expect(findings).toEqual([]);
}

/**
 * Fails when axe finds something serious or critical on the page as it is now, light or dark, wide or narrow, or when it
 * breaks a rule of its appearance. Keeps
 * screenshots of the four (`NAME-dark-390.png`) if `QUERN_SHOTS` names a folder. Also fails when the page scrolls sideways at
 * one of four sizes. The page has its size again afterwards.
 */
export async function visit(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const [size, scheme] of LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    if (SHOTS !== undefined) await takeShot(page, SHOTS, `${name}-${scheme}-${size.width}.png`);
    await expectAppearance(page);
    await expectAccessible(page, scheme === 'light' ? RULES : COLOUR_RULES);
  }
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectNoScrolling(page);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
  if (before !== null) await page.setViewportSize(before);
}

/** Fails when the page scrolls sideways; grids and code have their scrollbars. */
async function expectNoScrolling(page: Page): Promise<void> {
  const widths = await page.evaluate<readonly [number, number, number]>(
    '[document.documentElement.scrollWidth, document.body.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(Math.max(widths[0], widths[1]), `the width of ${page.url()}`).toBeLessThanOrEqual(widths[2]);
}

async function takeShot(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, name) });
}
