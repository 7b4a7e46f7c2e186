import { Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdministrator } from '../../api/session.ts';
import { useSession } from '../../api/use-session.ts';
import { LockIcon } from '../icons.tsx';
import { MessagePage } from '../message-page.tsx';
import { PanelPage } from '../panel/panel-page.tsx';
import classes from './administration-page.module.css';

interface AdministrationPageProps {
  /** The heading, and the first part of the title of the browser's tab. */
  readonly title: string;
  /** The buttons of the page. */
  readonly actions?: ReactNode;
  /** The side panel. */
  readonly panel?: ReactNode;
  readonly children: ReactNode;
}

/** The pages of administrators, by subject; only pages that exist. */
const SECTIONS = [
  {
    name: 'People',
    pages: [
      { to: '/administration/users', label: 'Users' },
      { to: '/administration/groups', label: 'Groups' },
      { to: '/administration/permissions', label: 'Permissions' },
    ],
  },
  { name: 'Data', pages: [{ to: '/administration/connections', label: 'Connections' }] },
  {
    name: 'Sign-in',
    pages: [
      { to: '/administration/single-sign-on', label: 'Single sign-on' },
      { to: '/administration/provisioning', label: 'Provisioning' },
    ],
  },
  {
    name: 'Server',
    pages: [
      { to: '/administration/api-keys', label: 'API keys' },
      { to: '/administration/audit', label: 'Audit' },
      { to: '/administration/server', label: 'Server' },
      { to: '/administration/settings', label: 'Settings' },
    ],
  },
] as const;

/** All pages of administrators. */
export const ADMINISTRATION_PAGES = SECTIONS.flatMap(({ pages }) => [...pages]);

/** A page of administrators: the sections on the left, a list, and the panel of what is open. */
export function AdministrationPage({ title, actions, panel, children }: AdministrationPageProps) {
  const { user } = useSession();
  if (!isAdministrator(user)) {
    return (
      <MessagePage
        icon={<LockIcon size={24} />}
        title="Only for administrators"
        text="An administrator manages users, groups and settings. Ask one if you need something here."
      />
    );
  }
  return (
    <PanelPage
      id="administration"
      label="Administration"
      openLabel="Sections"
      renderPanel={(close) => <Sections onShow={close} />}
    >
      <title>{`${title} · Quern`}</title>
      <div className={classes.main}>
        <div className={classes.head}>
          <Title order={1} fz={22}>
            {title}
          </Title>
          <div className={classes.actions}>{actions}</div>
        </div>
        {children}
      </div>
      {panel}
    </PanelPage>
  );
}

function Sections({ onShow }: { readonly onShow: () => void }) {
  return SECTIONS.map(({ name, pages }) => (
    <div key={name}>
      <p className={classes.section}>{name}</p>
      <ul className={classes.links}>
        {pages.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className={classes.link} onClick={onShow}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}
