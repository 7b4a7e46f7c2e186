// A heading, with the libraries of the console and nothing else: the least that a page with them can cost.
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import '@mantine/core/styles/Title.css';
import { MantineProvider, Title } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const routeTree = createRootRoute({ component: () => createElement(Title, null, 'Empty page') });
const router = createRouter({ routeTree });
const pages = createElement(RouterProvider, { router });
const client = createElement(QueryClientProvider, { client: new QueryClient() }, pages);
createRoot(document.getElementById('root')).render(createElement(MantineProvider, null, client));
