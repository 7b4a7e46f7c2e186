import { type Static, Type } from 'typebox';
import { type Fields, fieldErrors, getString } from '../../errors/fields.ts';
import { isDecimal, toDecimalText } from '../../text/decimal.ts';
import type { BundleTarget } from '../../workspace/api/target.ts';
import type { WorkRequest } from '../../workspace/api/workspace-api.ts';
import { defineFields, type Field, type FieldValues } from '../fields/define-fields.ts';
import { filledText, flag, text } from '../fields/kinds.ts';
import { files } from './bundle-files.ts';
import { execErrors } from './errors.ts';
import { args, connection, params } from './fields.ts';

/** The operations on a bundle. */
const BUNDLE_USES = ['run', 'tests', 'check', 'compile', 'symbols'] as const;

type Use = (typeof BUNDLE_USES)[number];

/** Maximum tests that run at the same time. */
const MAX_PARALLEL = 16;
/** Maximum test selectors. */
const MAX_SELECTORS = 1_000;

const what = {
  schema: Type.Enum([...BUNDLE_USES]),
  read(fields, key) {
    const text = getString(fields, key, 'What');
    const use = BUNDLE_USES.find((name) => name === text);
    if (use === undefined) throw fieldErrors.notOneOf('What', BUNDLE_USES);
    return use;
  },
} satisfies Field<Use>;

const parallel = {
  schema: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PARALLEL,
      description: 'Number of tests that run at the same time',
    }),
  ),
  read(fields, key) {
    const number = fields[key] ?? 1;
    // JSON Schema counts 2.0 as an integer.
    const value = isDecimal(number) ? Number(toDecimalText(number.units, Number(number.scale))) : number;
    const isCount = typeof value === 'number' && Number.isInteger(value);
    if (!isCount || value < 1 || value > MAX_PARALLEL) {
      throw execErrors.notBetween('Parallel', 1, MAX_PARALLEL);
    }
    return value;
  },
} satisfies Field<number>;

/** An empty string counts as absent. */
const declared = {
  what,
  base: filledText(
    'Base',
    Type.String({
      description:
        'Folder of the catalog. The files replace its scripts, or are added to them, and all paths start there',
      examples: ['@Shared/reports'],
    }),
  ),
  files,
  path: filledText(
    'Path',
    Type.String({
      description:
        'Script to run or compile, or whose names are listed; script or folder to check. Without it, `check` covers all files',
    }),
  ),
  block: filledText('Block', Type.String({ description: 'Name of the block to run, instead of a script' })),
  package: filledText(
    'Package',
    Type.String({
      description: 'Folder of the block, or its import path. Defaults to the folder of the bundle',
    }),
  ),
  args,
  include: selectors('Include', 'Tests to run. Defaults to all tests'),
  exclude: selectors('Exclude'),
  parallel,
  fail_fast: flag('Fail fast'),
  connection,
  params,
  environment: text(
    'Environment',
    Type.String({ description: 'Environment of the project. Defaults to the project’s default environment' }),
  ),
};

/** The body of `POST /exec/bundle`. */
export const bundleBody = defineFields(declared);
export type BundleRunBody = Static<typeof bundleBody.schema>;

/** Reads `what` alone, first, because the required permission depends on it. */
export const bundleUse = defineFields({ what });

/** Throws 400. */
export function readBundleBody(body: unknown): WorkRequest<BundleTarget> {
  const { connection: reference, params: values, environment, ...fields } = bundleBody.read(body);
  const use = USES[fields.what](fields);
  return {
    target: { kind: 'bundle', base: fields.base, files: fields.files, use },
    ...reference,
    params: values,
    environment,
  };
}

type UseFields = Omit<FieldValues<typeof declared>, 'connection' | 'params' | 'environment'>;

const USES: Readonly<Record<Use, (fields: UseFields) => BundleTarget['use']>> = {
  run({ path, block, package: name = '.', args: values }) {
    if (path !== undefined && block !== undefined) throw execErrors.pathAndBlock();
    if (block !== undefined) return { kind: 'block', package: name, block, args: values };
    if (path === undefined) throw fieldErrors.required('Path or block');
    return { kind: 'script', path };
  },
  tests: ({ include, exclude, parallel: atOnce, failFast = false }) => ({
    kind: 'tests',
    include,
    exclude,
    parallel: atOnce,
    failFast,
  }),
  check: ({ path = '.' }) => ({ kind: 'check', path }),
  compile({ path }) {
    if (path === undefined) throw fieldErrors.required('Path');
    return { kind: 'compile', path };
  },
  symbols({ path }) {
    if (path === undefined) throw fieldErrors.required('Path');
    return { kind: 'symbols', path };
  },
};

/** Test selectors; an empty list when absent. */
function selectors(label: string, description?: string) {
  const options = { maxItems: MAX_SELECTORS, ...(description === undefined ? {} : { description }) };
  return {
    schema: Type.Optional(Type.Array(Type.String(), options)),
    read: (fields, key) => readTexts(fields, key, label),
  } satisfies Field<readonly string[]>;
}

function readTexts(fields: Fields, key: string, label: string): readonly string[] {
  const value = fields[key] ?? [];
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
    throw fieldErrors.mustBeStrings(label);
  }
  if (value.length > MAX_SELECTORS) throw execErrors.tooManyValues(label, MAX_SELECTORS);
  return value;
}
