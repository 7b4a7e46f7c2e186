import { createTheme, type MantineColorsTuple } from '@mantine/core';

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
  '#3a3632',
  '#2b2825',
  '#1d1b19',
  '#171513',
  '#110f0e',
];

/** The console's theme: colours of grain and stone, light and dark, with system fonts. */
export const theme = createTheme({
  colors: { grain, gray: stone, dark: night },
  primaryColor: 'grain',
  primaryShade: 7,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Badge: { defaultProps: { tt: 'none', fw: 600 } },
    Modal: {
      defaultProps: { radius: 'lg', padding: 'lg', overlayProps: { backgroundOpacity: 0.45, blur: 3 } },
      styles: { title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } },
    },
  },
});
