import { Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useLocation, useParams } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { noteOpened } from '../../api/opened.ts';
import { useSession } from '../../api/use-session.ts';
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
  useNotedItems();
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

/** Notes what is opened, which the palette then offers. */
function useNotedItems(): void {
  const { user_name: user } = useSession().user;
  const { pathname } = useLocation();
  const { _splat: path = '' } = useParams({ strict: false });
  const place = /^\/(catalog|sql)\//.exec(pathname)?.[1];
  useEffect(() => noteOpened(user, place, path), [user, place, path]);
}
