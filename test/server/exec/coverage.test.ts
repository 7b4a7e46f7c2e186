import { describeCoverage } from '../../support/covered-rows.ts';
import { covers, ROWS } from './rows.ts';

describeCoverage(import.meta.dirname, ROWS, covers);
