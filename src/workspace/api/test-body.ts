export { printTestBody } from '../../engine/run/outcome/test-report.ts';
