import { Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ComponentType, useState } from 'react';
import { SearchIcon } from '../icons.tsx';
import { IS_MAC } from '../is-mac.ts';
import { notifyFailure } from '../notify.ts';
import { printKeys, SHORTCUTS } from '../shortcuts/shortcuts.ts';
import classes from './palette-button.module.css';

/** The button of the command palette, which Ctrl K or ⌘ K opens too; the palette is loaded when it is first opened. */
export function PaletteButton() {
  const [Palette, setPalette] = useState<ComponentType | null>(null);
  const open = () => {
    import('./palette.tsx').then(
      (part) => {
        setPalette(() => part.Palette);
        part.openPalette();
      },
      () => notifyFailure('The command palette could not be loaded. Open it again.'),
    );
  };
  useHotkeys([[SHORTCUTS.palette.keys, open]], [], true);
  return (
    <>
      <UnstyledButton
        className={classes.button}
        onClick={open}
        aria-haspopup="dialog"
        aria-keyshortcuts={IS_MAC ? 'Meta+K' : 'Control+K'}
      >
        <SearchIcon />
        <span className={classes.text}>Search</span>
        <VisuallyHidden>{' pages, commands and the catalog'}</VisuallyHidden>
        <Kbd size="xs" className={classes.shortcut} aria-hidden>
          {printKeys(SHORTCUTS.palette)}
        </Kbd>
      </UnstyledButton>
      {Palette !== null && <Palette />}
    </>
  );
}
