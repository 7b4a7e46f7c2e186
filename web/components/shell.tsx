import { Box, Container } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { Brand } from './brand.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import classes from './shell.module.css';

/** The frame of every page of a signed-in user. */
export function Shell() {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Container size="lg" className={classes.bar}>
          <Link to="/" className={classes.home} aria-label="Quern, start page">
            <Brand />
          </Link>
          <ProfileMenu user={session.user} />
        </Container>
      </header>
      <Box component="main" id="main" tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
      </Box>
    </>
  );
}
