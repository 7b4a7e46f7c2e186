import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdministrator, type SessionUser } from '../../api/session.ts';
import { AdministrationIcon, FolderIcon, SqlIcon } from '../icons.tsx';

/** A page that the rail and the command palette offer. */
export interface NavigationLink {
  readonly to: NonNullable<LinkProps['to']>;
  /** The parameters of a path that has some. */
  readonly params?: { readonly _splat: string };
  readonly label: string;
  readonly icon: ReactNode;
  /** Whether the user may use it; absent if everyone may. The server decides what is allowed. */
  readonly mayUse?: (user: SessionUser) => boolean;
}

/** The pages in the order of the rail; only pages that exist. */
const SECTIONS: readonly NavigationLink[] = [
  { to: '/catalog/$', params: { _splat: '' }, label: 'Catalog', icon: <FolderIcon /> },
  { to: '/sql/$', params: { _splat: '' }, label: 'SQL', icon: <SqlIcon /> },
  {
    to: '/administration',
    label: 'Administration',
    icon: <AdministrationIcon />,
    mayUse: isAdministrator,
  },
];

/** The pages that a user may use. */
export function listSections(user: SessionUser): readonly NavigationLink[] {
  return SECTIONS.filter(({ mayUse }) => mayUse === undefined || mayUse(user));
}
