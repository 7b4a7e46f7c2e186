import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Fails when the page, as it is now, breaks a rule of its appearance: the primary action is the last of its group, names in
 * tables weigh 500 and other facts are muted, and dark surfaces have no lines around them.
 */
export async function expectAppearance(page: Page): Promise<void> {
  // The borders of fields change slowly with the colours.
  await expect
    .poll(() => page.evaluate(listBreaches), { message: `the appearance of ${page.url()}` })
    .toEqual([]);
}

/** Runs in the page. */
function listBreaches(): readonly string[] {
  const isVisible = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';
  const print = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.className} ${element.textContent.slice(0, 40)}`;
  const findAll = (selector: string, root: ParentNode = document) =>
    [...root.querySelectorAll(selector)].filter(isVisible);
  const readColour = (value: string) => {
    const probe = document.body.appendChild(document.createElement('span'));
    probe.style.color = value;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };

  /** Buttons after a filled one of the same group. */
  const listButtons = () =>
    findAll('.mantine-Button-root[data-variant="filled"]').flatMap((primary) => {
      const group = primary.closest('.mantine-Group-root') ?? primary.parentElement!;
      const others = findAll('.mantine-Button-root, .mantine-ActionIcon-root', group);
      const after = others.slice(others.indexOf(primary) + 1);
      return after
        .filter((other) => other.getAttribute('data-variant') !== 'filled')
        .map((other) => `after the primary action: ${print(other)}`);
    });

  /** Names that are not stronger than the other facts of a row. */
  const listNames = () => {
    const [text, muted] = [
      readColour('var(--mantine-color-text)'),
      readColour('var(--quern-text-muted)'),
    ] as const;
    // A matrix has other rows.
    return findAll('tr[data-row]:not([aria-current], :has(th))').flatMap((row) => {
      const cells = findAll('td', row).filter((cell) => cell.querySelector('[type=checkbox]') === null);
      const [first, ...facts] = cells;
      const name = first?.querySelector('a') ?? first;
      const style = name === undefined ? undefined : getComputedStyle(name);
      const isName = style?.fontWeight === '500' && style.color === text;
      const loud = facts.filter((cell) => {
        const { color, fontWeight } = getComputedStyle(cell);
        return color !== muted || fontWeight !== '400';
      });
      return [
        ...(isName ? [] : [`not a name: ${print(first ?? row)}`]),
        ...loud.map((cell) => `not muted: ${print(cell)}`),
      ];
    });
  };

  /** Grey lines, longer than a control, that are brighter than those between rows; not those between parts of a list. */
  const listLines = () => {
    if (document.documentElement.dataset.mantineColorScheme !== 'dark') return [];
    const allowed = readColour('var(--quern-row-line)');
    const sides = ['top', 'right', 'bottom', 'left'] as const;
    return findAll(
      'body *:not(svg *, kbd, .mantine-Menu-divider, .mantine-Divider-root, .mantine-Divider-root *)',
    ).flatMap((element) => {
      const style = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      const drawn = sides.filter((side) => {
        const length = side === 'top' || side === 'bottom' ? width : height;
        const colour = style.getPropertyValue(`border-${side}-color`);
        const [red = 0, , blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
        return (
          length >= 120 &&
          style.getPropertyValue(`border-${side}-style`) === 'solid' &&
          style.getPropertyValue(`border-${side}-width`) !== '0px' &&
          alpha > 0 &&
          Math.abs(red - blue) < 16 &&
          colour !== allowed
        );
      });
      return drawn.length === 0 ? [] : [`a line at the ${drawn.join(', ')} of ${print(element)}`];
    });
  };

  return [...listButtons(), ...listNames(), ...listLines()];
}
