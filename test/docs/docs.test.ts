import { describePages } from './describe-pages.ts';

/** Pages with another file of tests; `tutorial.test.ts` types the parts of the tutorial in order. */
const OTHERS = /^docs\/(?:guides|reference|tutorial)\//;

describePages('other pages', (page) => !OTHERS.test(page));
