import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './api/client.ts';
import { nonce } from './api/nonce.ts';
import { watchPointer } from './pointer.ts';
import { createAppRouter } from './router.tsx';
import { resolveVariables, theme } from './theme.ts';

// react-remove-scroll, which the dialogs use, reads the nonce only from here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

// Without its style sheet a page cannot be used, so that one that has failed is requested once more.
addEventListener('load', () => {
  if (getComputedStyle(document.documentElement).getPropertyValue('--quern-bar-height') !== '') return;
  for (const link of document.querySelectorAll('link[rel=stylesheet]')) link.replaceWith(link.cloneNode());
});

const client = createClient();
const router = createAppRouter(client);
// The parts of the page are evaluated while the session is requested.
const [matched] = router.getMatchedRoutes(router.latestLocation.pathname);
for (const route of matched) {
  router.loadRouteChunk(route)?.catch(() => undefined);
}

watchPointer(document.documentElement);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element `root`');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
