import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The folder of the screenshots; without it, none are made. */
const SHOTS = process.env.QUERN_SHOTS;
const SCHEMES = ['light', 'dark'] as const;
/** In CSS pixels: a laptop and a telephone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
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

/** Fails when axe finds something serious or critical on the page as it is now. */
export async function expectAccessible(page: Page, rules = RULES): Promise<void> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const findings = await page.evaluate<readonly string[]>(`
    axe.run(document, ${JSON.stringify(rules)}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
        [impact + ' ' + id, html, failureSummary].join('\\n'))))
  `);
  expect(findings).toEqual([]);
}

/**
 * Fails when axe finds something serious or critical on the page as it is now, light or dark, wide or narrow. Keeps
 * screenshots of the four (`NAME-dark-390.png`) if `QUERN_SHOTS` names a folder. The page has its size again afterwards.
 */
export async function visit(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      if (SHOTS !== undefined) await takeShot(page, SHOTS, `${name}-${scheme}-${size.width}.png`);
      await expectAccessible(page, scheme === 'light' ? RULES : COLOUR_RULES);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' });
  if (before !== null) await page.setViewportSize(before);
}

async function takeShot(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, name) });
}
