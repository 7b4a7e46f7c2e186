import { describePages } from './describe-pages.ts';

describePages('reference');
