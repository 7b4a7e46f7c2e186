import { Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';
import classes from './card-page.module.css';

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

/** The furrows of a millstone, as a decorative background. */
function Millstone({ className }: { readonly className: string | undefined }) {
  const sectors = Array.from({ length: 12 }, (_, sector) => sector * 30);
  return (
    <svg
      className={className}
      viewBox="-200 -200 400 400"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      <circle r="22" strokeWidth="0.35" />
      <circle r="196" strokeWidth="0.7" />
      {sectors.map((angle) => (
        <g key={angle} transform={`rotate(${angle})`}>
          <path d="M0-24V-194M16-58V-190M34-102V-186M52-140V-181" strokeWidth="0.35" />
        </g>
      ))}
    </svg>
  );
}
