import { elementAt } from '../../invariants/must.ts';
import { suggest } from '../../text/suggest.ts';
import { type Diagnostic, DiagnosticError } from '../text/diagnostic.ts';
import type { Source } from '../text/source.ts';
import { splitNames } from './import-path.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { getField, listFields, readToml, type TomlField, type TomlFields } from './read-toml.ts';

/** The content of a `project.toml` (docs/reference/projects.md#the-manifest). */
export interface Manifest {
  readonly general: {
    /** The prefix of imports of its folders. */
    readonly name: string;
    readonly description?: string | undefined;
    readonly version?: string | undefined;
  };
  /** The version of each project that this project can import, by name. */
  readonly dependencies: ReadonlyMap<string, string>;
  readonly environments: Choices<Environment>;
  /** The values of parameters that the caller of a run does not set. */
  readonly parameters: Parameters;
  readonly semantic: Choices<SemanticModel>;
  /** Warnings about unknown keys; omitted if there are no warnings. */
  readonly warnings?: readonly Diagnostic[];
}

/** Choices by key, and the key of the default choice. */
interface Choices<Choice> {
  readonly default: string | null;
  readonly byKey: ReadonlyMap<string, Choice>;
}

/** The schemas and folders in which an environment keeps its targets (docs/reference/environments.md#names). */
export type EnvironmentNames = { readonly schema: string } | { readonly prefix: string };

/** The connection on which a project runs, the names of its targets there, and its values of parameters. */
interface Environment {
  readonly name?: string | undefined;
  /** Null: targets have the names in their metadata. */
  readonly names: EnvironmentNames | null;
  readonly connection: { readonly name: string; readonly overrides: Readonly<Record<string, string>> };
  readonly parameters: Parameters;
}

/** A semantic model of a project. */
export interface SemanticModel {
  readonly name?: string | undefined;
  /** The folder of its files, inside the project. */
  readonly path: string;
  /** The key of the environment that it reads from. */
  readonly environment?: string | undefined;
}

/** A manifest, or all its errors. */
export type ManifestReading =
  | { readonly manifest: Manifest; readonly errors?: undefined }
  | { readonly manifest?: undefined; readonly errors: readonly Diagnostic[] };

/** Parses a `project.toml`; ignores unknown keys, with warnings. Throws DiagnosticError with all errors. */
export function parseManifest(source: Source): Manifest {
  const { manifest, errors } = readManifest(source);
  if (errors !== undefined) throw new DiagnosticError(errors);
  return manifest;
}

/** As `parseManifest`, but never throws. */
export function readManifest(source: Source): ManifestReading {
  const { value, warnings, errors } = readToml(source, toManifest);
  if (errors !== undefined) return { errors };
  return { manifest: warnings.length === 0 ? value : { ...value, warnings } };
}

/** The values of parameters in an environment of a project; without one, if it is null or unknown. */
export function findParameters(
  { parameters, environments }: Manifest,
  environment: string | null,
): Parameters {
  const chosen = environment === null ? undefined : environments.byKey.get(environment);
  return { ...parameters, ...chosen?.parameters };
}

/** The known keys of a table; `*` stands for names that the author chooses. */
interface KnownKeys {
  readonly [key: string]: KnownKeys;
}

const PARAMETERS: KnownKeys = { '*': {} };

const KEYS: KnownKeys = {
  general: { name: {}, description: {}, version: {} },
  dependencies: { '*': { version: {} } },
  environment: {
    default: {},
    '*': {
      name: {},
      schema: {},
      schema_prefix: {},
      connection: { name: {}, overrides: { '*': {} } },
      parameters: PARAMETERS,
    },
  },
  parameters: PARAMETERS,
  semantic: { default: {}, '*': { name: {}, path: {}, environment: {} } },
};

function checkKnownKeys(fields: TomlFields, table: TomlField, knownKeys: KnownKeys): void {
  if (Object.keys(knownKeys).length === 0) return;
  for (const field of listFields(table)) {
    const key = elementAt(field.path, -1);
    const inner = Object.hasOwn(knownKeys, key) ? knownKeys[key] : knownKeys['*'];
    if (inner !== undefined) {
      checkKnownKeys(fields, field, inner);
      continue;
    }
    const near = suggest(key, Object.keys(knownKeys));
    const hint = near === undefined ? '' : `, did you mean \`${near}\`?`;
    const fieldText = listFields(field).length > 0 ? `table \`[${field.path.join('.')}]\`` : `key \`${key}\``;
    fields.warn(field.path, `unknown ${fieldText}${hint}`);
  }
}

function toManifest(fields: TomlFields, root: TomlField): Manifest {
  checkKnownKeys(fields, root, KEYS);
  const general = getField(root, 'general');
  const environments = readChoices(fields, getField(root, 'environment'), (field) =>
    readEnvironment(fields, field),
  );
  const semantic = readChoices(fields, getField(root, 'semantic'), (field) => readSemantic(fields, field));
  for (const [key, { environment }] of semantic.byKey) {
    checkChoice(
      fields,
      { path: ['semantic', key, 'environment'], value: environment },
      environments,
      'environment',
    );
  }
  return {
    general: {
      name: readProjectName(fields, general),
      description: fields.text(getField(general, 'description')),
      version: fields.text(getField(general, 'version')),
    },
    dependencies: readDependencies(fields, getField(root, 'dependencies')),
    environments,
    parameters: readParameters(fields, getField(root, 'parameters')),
    semantic,
  };
}

function readProjectName(fields: TomlFields, general: TomlField): string {
  const field = getField(general, 'name');
  if (general.value !== undefined && !fields.isTable(general)) return '';
  const name = fields.neededText(field);
  if (name !== undefined) checkProjectName(fields, field.path, name);
  return name ?? '';
}

function checkProjectName(fields: TomlFields, path: readonly string[], name: string): void {
  const names = splitNames(name);
  if (names === null) {
    fields.refuse(
      path,
      `a project's name cannot have an empty, \`.\` or \`..\` part between slashes: \`${name}\``,
    );
  } else if (names[0] === 'std') {
    fields.refuse(path, "a project's name cannot start with `std`, which is the standard library");
  }
}

function readDependencies(fields: TomlFields, field: TomlField): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const dependency of fields.table(field)) {
    const name = elementAt(dependency.path, -1);
    checkProjectName(fields, dependency.path, name);
    if (!fields.isTable(dependency)) continue;
    versions.set(name, fields.neededText(getField(dependency, 'version')) ?? '');
  }
  return versions;
}

function readChoices<Choice>(
  fields: TomlFields,
  field: TomlField,
  read: (field: TomlField) => Choice,
): Choices<Choice> {
  const byKey = new Map<string, Choice>();
  for (const choice of fields.table(field)) {
    const key = elementAt(choice.path, -1);
    if (key !== 'default' && fields.isTable(choice)) byKey.set(key, read(choice));
  }
  const preset = getField(field, 'default');
  const choices = { default: fields.text(preset) ?? null, byKey };
  checkChoice(fields, { ...preset, value: choices.default ?? undefined }, choices, elementAt(field.path, -1));
  return choices;
}

function checkChoice(
  fields: TomlFields,
  { path, value }: TomlField,
  { byKey }: Choices<unknown>,
  table: string,
): void {
  if (typeof value !== 'string' || byKey.has(value)) return;
  const near = suggest(value, byKey.keys());
  const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
  fields.refuse(path, `\`[${table}.${value}]\` is not defined${hint}`);
}

function readEnvironment(fields: TomlFields, field: TomlField): Environment {
  const connection = getField(field, 'connection');
  if (connection.value === undefined) fields.missing(connection);
  const target = fields.isTable(connection) ? fields.neededText(getField(connection, 'name')) : undefined;
  const overrides = fields.table(getField(connection, 'overrides')).map((override) => {
    return [elementAt(override.path, -1), fields.text(override) ?? ''] as const;
  });
  return {
    name: fields.text(getField(field, 'name')),
    names: readNames(fields, field),
    connection: { name: target ?? '', overrides: Object.fromEntries(overrides) },
    parameters: readParameters(fields, getField(field, 'parameters')),
  };
}

/** The names of an environment's targets, from `schema` or `schema_prefix`. */
function readNames(fields: TomlFields, field: TomlField): EnvironmentNames | null {
  const [schema, prefix] = ['schema', 'schema_prefix'].map((key) => {
    const named = getField(field, key);
    const text = fields.text(named);
    if (text === undefined || /^(?!\.+$)[^/\\\p{Cc}]+$/u.test(text)) return text;
    const message = `\`${text}\` is not a name of a schema and a folder; write one such as \`${key === 'schema' ? 'dev' : 'dev_'}\``;
    fields.refuse(named.path, message);
    return undefined;
  });
  if (schema !== undefined && prefix !== undefined) {
    fields.refuse([...field.path, 'schema_prefix'], 'use either `schema` or `schema_prefix`');
  }
  if (schema !== undefined) return { schema };
  return prefix === undefined ? null : { prefix };
}

function readSemantic(fields: TomlFields, field: TomlField): SemanticModel {
  const pathField = getField(field, 'path');
  const path = fields.neededText(pathField);
  if (path !== undefined && splitNames(path) === null) {
    fields.refuse(
      pathField.path,
      `\`${path}\` is not a folder inside the project; write a path such as \`models\` or \`models/all\``,
    );
  }
  return {
    name: fields.text(getField(field, 'name')),
    path: path ?? '',
    environment: fields.text(getField(field, 'environment')),
  };
}
