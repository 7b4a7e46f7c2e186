import { Container } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from './brand.tsx';

/** The frame of a page outside the shell: the product's name and the content. */
export function PublicPage({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <Container component="header" size="xs" pt="xl">
        <Brand />
      </Container>
      <main>{children}</main>
    </>
  );
}
