import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, rem } from '@mantine/core';

const grain: MantineColorsTuple = [
  '#fbf5e9',
  '#f3e7cd',
  '#e8d2a3',
  '#dcbb74',
  '#d1a64d',
  '#c08f2f',
  '#a3741f',
  '#855c16',
  '#684711',
  '#4d340c',
];

const stone: MantineColorsTuple = [
  '#fafaf9',
  '#f5f5f4',
  '#e7e5e4',
  '#d6d3d1',
  '#c2bdb9',
  '#8c857f',
  '#625b56',
  '#44403c',
  '#292524',
  '#1c1917',
];

const night: MantineColorsTuple = [
  '#e3dfda',
  '#c9c4be',
  '#a8a29b',
  '#6f6963',
  '#4a4541',
  '#3b3633',
  '#322e2b',
  '#1d1b19',
  '#171513',
  '#0a0908',
];

/** With white text, the shades from 7 have a contrast of at least 4.5. */
const brick: MantineColorsTuple = [
  '#fdf1f0',
  '#fadedc',
  '#f4b9b5',
  '#ee918b',
  '#e66f68',
  '#d94a43',
  '#c8352f',
  '#b42a25',
  '#8f211d',
  '#6b1916',
];

/** Otherwise, screen readers take the `<header>` of a dialog for the banner of the page. */
const NO_BANNER = { header: { role: 'presentation' } };

/** Dialogs and menus, above the page: in the dark, they are lighter. */
const RAISED = { backgroundColor: 'var(--quern-surface-raised)' };

/** The console's theme: colours of grain and stone, light and dark, with system fonts. */
export const theme = createTheme({
  colors: { grain, gray: stone, dark: night, red: brick },
  primaryColor: 'grain',
  primaryShade: 7,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: rem(26), lineHeight: '1.25' },
      h2: { fontSize: rem(18), lineHeight: '1.35' },
      h3: { fontSize: rem(16), lineHeight: '1.4' },
    },
  },
  components: {
    Badge: { defaultProps: { tt: 'none', fw: 600 } },
    // Its element that takes the first focus is not a menu item, which screen readers do not expect.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false }, styles: { dropdown: RAISED } },
    Popover: { styles: { dropdown: RAISED } },
    Combobox: { styles: { dropdown: RAISED } },
    Table: { defaultProps: { borderColor: 'var(--quern-row-line)' } },
    Modal: {
      defaultProps: {
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: NO_BANNER,
      },
      styles: {
        content: RAISED,
        header: RAISED,
        title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' },
      },
    },
    Drawer: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { backgroundOpacity: 0.45 },
        attributes: NO_BANNER,
      },
      styles: { title: { fontWeight: 650 } },
    },
  },
});

/**
 * Replaces dark colours: those of the variant `light` are nearly black by default, and errors are hard to read. Surfaces
 * differ by their lightness, so that they have no borders.
 */
export const resolveVariables: CSSVariablesResolver = ({ colors }) => {
  const dark = Object.keys(colors).flatMap((name) => {
    const mix = (share: number) =>
      `color-mix(in srgb, var(--mantine-color-${name}-9) ${share}%, var(--mantine-color-body))`;
    return [
      [`--mantine-color-${name}-light`, mix(55)],
      [`--mantine-color-${name}-light-hover`, mix(75)],
      [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-2)`],
    ];
  });
  const errors = ['--mantine-color-error', 'var(--quern-danger-text)'];
  const borders = ['--mantine-color-default-border', 'transparent'];
  return { variables: {}, light: {}, dark: Object.fromEntries([...dark, errors, borders]) };
};
