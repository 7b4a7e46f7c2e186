export { printTestBody } from '../engine/run/test-report.ts';
