import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../api/use-session.ts';
import { Brand } from '../brand.tsx';
import { MenuIcon } from '../icons.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import classes from './shell.module.css';

interface TopBarProps {
  /** Opens the rail as a drawer; null where the rail is visible. */
  readonly onOpenRail: (() => void) | null;
}

/** The bar at the top of every page of a signed-in user. */
export function TopBar({ onOpenRail }: TopBarProps) {
  const { user } = useSession();
  return (
    <header className={classes.bar}>
      {onOpenRail !== null && (
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open sidebar" onClick={onOpenRail}>
          <MenuIcon />
        </ActionIcon>
      )}
      <Link to="/" className={classes.home} aria-label="Quern, start page">
        <Brand />
      </Link>
      <div className={classes.space} />
      <PaletteButton />
      <div className={`${classes.space} ${classes.trailing}`} />
      <ProfileMenu user={user} />
    </header>
  );
}
