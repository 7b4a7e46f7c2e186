import { Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import classes from './card-page.module.css';
import { Millstone } from './millstone.tsx';

interface CardPageProps {
  /** The first part of the title of the browser's tab. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A page with one card, outside of the shell. */
export function CardPage({ title, children }: CardPageProps) {
  return (
    <main className={classes.page}>
      <title>{`${title} · Quern`}</title>
      <Millstone className={classes.stone} />
      <Paper className={classes.card} withBorder shadow="xl" radius="lg" p={{ base: 'lg', xs: 36 }}>
        <Stack gap="lg">
          <Brand size={36} />
          {children}
        </Stack>
      </Paper>
    </main>
  );
}
