import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../api/use-session.ts';
import { CollapseIcon } from '../icons.tsx';
import classes from './rail.module.css';
import { listSections } from './sections.tsx';

interface RailLinksProps {
  /** Whether only icons are visible. */
  readonly isCollapsed: boolean;
  readonly onFollow?: () => void;
}

/** The links to the pages that the user may use. */
export function RailLinks({ isCollapsed, onFollow }: RailLinksProps) {
  const { user } = useSession();
  return (
    <nav aria-label="Pages">
      <ul className={classes.list}>
        {listSections(user).map(({ to, params = {}, label, icon }) => (
          <li key={to}>
            <Tooltip label={label} position="right" disabled={!isCollapsed}>
              <Link to={to} params={params} className={classes.item} onClick={onFollow}>
                {icon}
                <Label text={label} isHidden={isCollapsed} />
              </Link>
            </Tooltip>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface CollapseButtonProps {
  readonly isCollapsed: boolean;
  readonly onToggle: () => void;
}

/** Reduces the rail to icons, or restores it. */
export function CollapseButton({ isCollapsed, onToggle }: CollapseButtonProps) {
  const label = isCollapsed ? 'Expand sidebar' : 'Collapse sidebar';
  return (
    <Tooltip label={label} position="right" disabled={!isCollapsed}>
      <UnstyledButton className={classes.item} onClick={onToggle}>
        <CollapseIcon />
        <Label text={label} isHidden={isCollapsed} />
      </UnstyledButton>
    </Tooltip>
  );
}

function Label({ text, isHidden }: { readonly text: string; readonly isHidden: boolean }) {
  return isHidden ? <VisuallyHidden>{text}</VisuallyHidden> : <span className={classes.label}>{text}</span>;
}

/** Whether the rail shows only icons, which this browser remembers, and a function that changes it. */
export function useCollapsed(): readonly [boolean, () => void] {
  const [isCollapsed, setCollapsed] = useLocalStorage({
    key: 'quern-sidebar-collapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return [isCollapsed, () => setCollapsed(!isCollapsed)];
}
