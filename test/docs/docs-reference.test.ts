import { describePages } from './describe-pages.ts';

describePages('reference', (page) => page.startsWith('docs/reference/'));
