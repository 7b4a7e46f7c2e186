import { PAGES as ALL, readPage } from '../support/pages.ts';

/** The pages of users: not those of contributors, and not the page of the package. */
export const PAGES = ALL.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/adr/'));

/** The text of a page by its name. */
export const toPageText = (name: string) => readPage(`docs/${name}.md`);
