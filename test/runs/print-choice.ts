import { findPart } from '../support/pages.ts';
import { type Candidate, type Choice, REASONS, shorten } from './choose-tests.ts';

/** The beginning of the paths of the tests that run the examples of pages. */
const PAGES_TESTS = 'test/docs/docs';

const isPage = (file: string) => file.endsWith('.md');

/** The test that runs the examples of a page. */
function toPagesTest(page: string): string {
  const part = findPart(page);
  return `${PAGES_TESTS}${part === 'others' ? '' : `-${part}`}.test.ts`;
}

/** The arguments of the runs of vitest for tests, and for pages, whose tests need a pattern of titles. */
export function toRuns(names: readonly string[]): readonly (readonly string[])[] {
  const tests = names.filter((name) => !isPage(name));
  const pages = names.filter((name) => isPage(name) && !tests.includes(toPagesTest(name)));
  // The titles are `the documentation (PART) PAGE shows …`.
  const pattern = pages.map((page) => ` ${page}`).join('|');
  return [
    ...(tests.length > 0 ? [['run', ...tests]] : []),
    ...(pages.length > 0 ? [['run', PAGES_TESTS, '-t', pattern]] : []),
  ];
}

/** The lines that say which tests run, why, and which do not. */
export function printChoice(
  { chosen, leftOut, seconds }: Choice,
  tests: readonly string[],
): readonly string[] {
  const left = leftOut.map(({ file }) => file);
  const shortened = [
    ...shorten(
      left.filter((name) => !isPage(name)),
      tests,
    ),
    ...left.filter(isPage),
  ];
  return [
    `tests: ${chosen.length} files, about ${Math.round(seconds)} s in one process`,
    ...REASONS.flatMap((reason) => printReason(chosen.filter((own) => own.reason === reason))),
    ...(left.length > 0 ? [`left out: ${left.length} files of tests, which these commands run`] : []),
    ...toRuns(shortened).map((args) => `  npx vitest ${args.map(quote).join(' ')}`),
  ];
}

const quote = (arg: string) => (/^[\w./-]+$/.test(arg) ? arg : `'${arg}'`);

/** A line for each reason, or each area. */
function printReason(candidates: readonly Candidate[]): readonly string[] {
  const groups = Map.groupBy(candidates, ({ reason, area }) =>
    area === null ? reason : `${reason} ${area}`,
  );
  return [...groups].map(([label, own]) => `  ${label}: ${own.map(({ file }) => toShort(file)).join(', ')}`);
}

const toShort = (file: string) => file.replace(/^test\/(.*)\.test\.ts$/, '$1');
