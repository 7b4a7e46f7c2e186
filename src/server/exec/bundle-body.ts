import { type Fields, fieldErrors, getString, readFlag, readString, toFields } from '../../errors/fields.ts';
import type { BundleTarget } from '../../workspace/api/target.ts';
import { readSettings, readValues } from './body.ts';
import { readFiles } from './bundle-files.ts';
import { execErrors } from './errors.ts';
import type { RequestedExecution } from './execution-response.ts';

/** What can be done with a bundle. */
export const BUNDLE_USES = ['run', 'tests', 'check', 'compile'] as const;

type Use = (typeof BUNDLE_USES)[number];

/** How many tests may run at once. */
const MAX_PARALLEL = 16;
/** How many selectors of tests there may be. */
export const MAX_SELECTORS = 1_000;

/** What a body wants of its bundle; which comes first, since not everybody may run something. Throws 400. */
export function readUse(body: unknown): Use {
  const what = getString(toFields(body), 'what', 'What');
  const use = BUNDLE_USES.find((own) => own === what);
  if (use === undefined) throw execErrors.notOneOf('What', BUNDLE_USES);
  return use;
}

/** The body of `POST /exec/bundle`. Throws 400. */
export function readBundleBody(body: unknown, what: Use): RequestedExecution {
  const fields = toFields(body);
  const files = readFiles(fields);
  const use = USES[what](readGiven(fields));
  const environment = readString(fields, 'environment', 'Environment');
  return { target: { kind: 'bundle', files, use }, ...readSettings(fields), environment };
}

/** What a body may say about any use of a bundle; an empty text is as good as none. */
function readGiven(fields: Fields) {
  return {
    path: readString(fields, 'path', 'Path') || undefined,
    block: readString(fields, 'block', 'Block') || undefined,
    package: readString(fields, 'package', 'Package') || '.',
    args: readValues(fields, 'args', 'Args') as Readonly<Record<string, never>>,
    include: readTexts(fields, 'include', 'Include'),
    exclude: readTexts(fields, 'exclude', 'Exclude'),
    parallel: readParallel(fields),
    failFast: readFlag(fields, 'fail_fast', 'Fail fast') ?? false,
  };
}

const USES: Readonly<Record<Use, (given: ReturnType<typeof readGiven>) => BundleTarget['use']>> = {
  run({ path, block, package: name, args }) {
    if (path !== undefined && block !== undefined) throw execErrors.pathAndBlock();
    if (block !== undefined) return { kind: 'block', package: name, block, args };
    if (path === undefined) throw fieldErrors.required('Path or block');
    return { kind: 'script', path };
  },
  tests: ({ include, exclude, parallel, failFast }) => ({
    kind: 'tests',
    include,
    exclude,
    parallel,
    failFast,
  }),
  check: ({ path = '.' }) => ({ kind: 'check', path }),
  compile({ path }) {
    if (path === undefined) throw fieldErrors.required('Path');
    return { kind: 'compile', path };
  },
};

function readTexts(fields: Fields, key: string, label: string): readonly string[] {
  const value = fields[key] ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
    throw fieldErrors.mustBeStrings(label);
  }
  if (value.length > MAX_SELECTORS) throw execErrors.tooManyValues(label, MAX_SELECTORS);
  return value;
}

function readParallel(fields: Fields): number {
  const value = fields.parallel ?? 1;
  const isCount = typeof value === 'number' && Number.isInteger(value);
  if (!isCount || value < 1 || value > MAX_PARALLEL) throw execErrors.notBetween('Parallel', 1, MAX_PARALLEL);
  return value;
}
