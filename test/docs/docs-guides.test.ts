import { describePages } from './describe-pages.ts';

describePages('guides', (page) => page.startsWith('docs/guides/'));
