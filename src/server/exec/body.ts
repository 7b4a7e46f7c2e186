import { type Static, Type } from 'typebox';
import { getString } from '../../errors/fields.ts';
import type { ServedTarget } from '../../workspace/api/target.ts';
import type { WorkRequest } from '../../workspace/api/workspace-api.ts';
import { defineFields, type Field } from '../fields/define-fields.ts';
import { requiredText } from '../fields/kinds.ts';
import { projectVersion } from '../fields/project-version.ts';
import { execErrors } from './errors.ts';
import { args, connection, params, requiredConnection } from './fields.ts';

/** SQL: a string of well-formed Unicode. */
const sql = {
  schema: Type.String({ minLength: 1 }),
  read(fields, key) {
    const text = getString(fields, key, 'SQL query');
    if (!text.isWellFormed()) throw execErrors.notUnicode('SQL query');
    return text;
  },
} satisfies Field<string>;

const scripted = { connection, params, project_version: projectVersion };

/** The body of `POST /exec/script` (docs/reference/exec.md#bodies). */
export const scriptBody = defineFields({
  path: requiredText('Path', Type.String({ minLength: 1, examples: ['@Shared/reports/monthly'] })),
  ...scripted,
});

export type ScriptRunBody = Static<typeof scriptBody.schema>;

/** The body of `POST /exec/block` (docs/reference/exec.md#bodies). */
export const blockBody = defineFields({
  package: requiredText(
    'Package',
    Type.String({ minLength: 1, description: 'The path of a folder', examples: ['@Shared/reports'] }),
  ),
  block_name: requiredText('Block name', Type.String({ minLength: 1 })),
  args,
  ...scripted,
});

export type BlockRunBody = Static<typeof blockBody.schema>;

/** The body of `POST /exec/sql` (docs/reference/exec.md#bodies). */
export const sqlBody = defineFields({ sql, connection: requiredConnection, params });

export type SqlRunBody = Static<typeof sqlBody.schema>;

/** Throws 400. */
export function readScriptBody(body: unknown): WorkRequest<ServedTarget> {
  const given = scriptBody.read(body);
  const { path, projectVersion: version } = given;
  return {
    target: { kind: 'script', path, projectVersion: version },
    ...given.connection,
    params: given.params,
  };
}

/** Throws 400. */
export function readBlockBody(body: unknown): WorkRequest<ServedTarget> {
  const {
    package: name,
    blockName: block,
    args: values,
    projectVersion: version,
    ...given
  } = blockBody.read(body);
  return {
    target: { kind: 'block', package: name, block, args: values, projectVersion: version, disk: null },
    ...given.connection,
    params: given.params,
  };
}

/** Throws 400. */
export function readSqlBody(body: unknown): WorkRequest<ServedTarget> {
  const given = sqlBody.read(body);
  const source = { name: 'sql', text: given.sql };
  return { target: { kind: 'sql', source }, ...given.connection, params: given.params };
}
