import { present } from '../../../invariants/must.ts';
import type { DataType, JoinType } from '../../model/model.ts';
import type { DimensionDocument, LayerDocument } from '../../model/model-schema.ts';
import { readModelExpression } from '../../model/read-model-expression.ts';
import { DIALECTS } from '../../sql/dialects.ts';
import {
  addEntity,
  addMoment,
  createDraft,
  type ForeignFile,
  findSqlError,
  type ModelDraft,
  type ReadOptions,
  toFieldKeys,
  toName,
} from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import { ForeignMap } from '../draft/foreign-map.ts';
import { isColumn, listForeignTokens, readName } from '../draft/foreign-sql.ts';
import type { Foreign } from '../draft/read-foreign.ts';
import type { Cube, CubeMember, CubeScope } from './cube-scope.ts';
import { readCubeMeasure } from './read-cube-measure.ts';
import { readDimensionSql, resolveJoinSql } from './resolve-cube-sql.ts';

/** Reads the cubes of a Cube data model in YAML. */
export function readCube(files: readonly ForeignFile[], { platform = 'duckdb' }: ReadOptions): ModelDraft {
  const draft = createDraft();
  const scope: CubeScope = {
    draft,
    platform,
    lexicalRules: DIALECTS[platform].lexicalRules,
    cubes: new Map(),
    lost: new Map(),
    dimensionSql: new WeakMap(),
    aggregates: new WeakMap(),
  };
  const layer: LayerDocument = {
    name: 'cube',
    environment: { platform },
    domains: [{ name: 'cube', entities: [] }],
  };
  draft.layers.push(layer);
  for (const { root: fileRoot, losses } of files) {
    const root = toSnakeKeys(fileRoot);
    if (root.kind === 'map') readFile(new ForeignMap(root, 'the file', losses), layer, scope);
  }
  for (const cube of scope.cubes.values()) readCubeParts(cube, scope);
  for (const cube of scope.cubes.values()) readJoins(cube, scope);
  for (const [name, map] of scope.lost) noteLostJoins(name, map, scope);
  for (const cube of scope.cubes.values()) finishCube(cube);
  return draft;
}

function readFile(file: ForeignMap, layer: LayerDocument, scope: CubeScope): undefined {
  if (!file.has('cubes') && !file.has('views')) return file.drop(importMessages.noPart('Cube'));
  for (const map of file.maps('cubes', 'a cube')) {
    const source = map.text('data_source') ?? 'default';
    scope.dataSource ??= source;
    if (source !== scope.dataSource) map.drop(importMessages.otherSource(source));
    else if (addCube(map, layer, scope)) continue;
    scope.lost.set(map.text('name') ?? '', map);
  }
  for (const view of file.maps('views', 'a view')) view.drop(importMessages.nothingLike());
  file.finish();
}

/** Adds the entity of a cube; undefined, with a warning, if it is left out. */
function addCube(map: ForeignMap, layer: LayerDocument, scope: CubeScope): true | undefined {
  const name = map.text('name');
  if (name === undefined) return map.drop(importMessages.missing('name'));
  map.subject = `the cube ${name}`;
  if (scope.cubes.has(name)) return map.drop(importMessages.otherName(name));
  if (map.has('extends')) return map.drop(importMessages.extends(), map.place('extends'));
  const [table, query] = [map.text('sql_table'), map.text('sql')];
  const source = table ?? query;
  if (source === undefined) return map.drop(importMessages.missing('sql_table'));
  const template = /\{+[^}]*\}*/.exec(source)?.[0];
  const error =
    template === undefined ? findSqlError(source, scope.lexicalRules) : importMessages.template(template);
  if (error !== null) return map.drop(error);
  const { label } = toFieldKeys({ label: map.text('title') });
  const description = map.text('description');
  const entity = addEntity(
    scope.draft,
    layer,
    {
      name: toName(name, map.origin),
      ...(label === undefined ? {} : { label }),
      ...(description === undefined ? {} : { description }),
      ...(table === undefined ? { query: source } : { table_name: source }),
    },
    map.origin,
  );
  const isHidden = map.flag('public') === false || map.flag('shown') === false;
  const dimensions = readMembers(map, 'dimensions', name);
  const measures = readMembers(map, 'measures', name);
  scope.cubes.set(name, { name, map, entity, isHidden, dimensions, measures });
  return true;
}

function readMembers(
  map: ForeignMap,
  key: 'dimensions' | 'measures',
  cube: string,
): ReadonlyMap<string, CubeMember> {
  const what = key.slice(0, -1);
  const members = new Map<string, CubeMember>();
  for (const item of map.maps(key, `a ${what} of ${map.subject}`)) {
    const name = item.text('name');
    if (name === undefined) {
      item.drop(importMessages.missing('name'));
      continue;
    }
    item.subject = `the ${what} ${cube}.${name}`;
    if (members.has(name)) item.drop(importMessages.otherName(name));
    else
      members.set(name, {
        map: item,
        name,
        type: toSnakeCase(item.text('type') ?? ''),
        sql: item.text('sql'),
      });
  }
  return members;
}

function readCubeParts(cube: Cube, scope: CubeScope): void {
  readDimensions(cube, scope);
  for (const member of cube.measures.values()) {
    const measure = readCubeMeasure(member, cube, scope);
    if (measure === undefined) continue;
    cube.entity.measures.push(measure);
    scope.draft.origins.set(measure, member.map.origin);
  }
}

function readDimensions(cube: Cube, scope: CubeScope): void {
  const { entity } = cube;
  const keys: string[] = [];
  let isKnown = true;
  for (const member of cube.dimensions.values()) {
    const isKey = member.map.flag('primary_key') === true;
    const dimension = readDimension(member, cube, isKey, scope);
    if (isKey) {
      isKnown &&= dimension !== undefined && isColumn(dimension.expr, scope.lexicalRules);
      keys.push(dimension?.expr ?? '');
    }
    if (dimension === undefined) continue;
    entity.dimensions.push(dimension);
    if (dimension.data_type === 'DATETIME') addMoment(scope.draft, entity, dimension.expr);
    scope.draft.origins.set(dimension, member.map.origin);
  }
  if (!isKnown) cube.map.approximate(importMessages.keyOfExpression());
  else if (keys.length > 0) entity.x_primary_key = keys;
}

const TYPES: Readonly<Record<string, DataType>> = {
  string: 'TEXT',
  number: 'NUMBER',
  boolean: 'BOOLEAN',
  time: 'DATETIME',
};

/** Keys that make a dimension depend on more than its row. */
const OTHER_GRAINS = ['sub_query', 'multi_stage', 'time_shift'];

function readDimension(
  member: CubeMember,
  cube: Cube,
  isKey: boolean,
  scope: CubeScope,
): DimensionDocument | undefined {
  const { map, name, type } = member;
  if (type === 'geo' || type === 'switch') return map.drop(importMessages.noType(type));
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known === undefined) return map.drop(importMessages.unknownType(type));
  const other = OTHER_GRAINS.find((key) => map.has(key) && map.flagOf(key) !== false);
  if (other !== undefined) return map.drop(importMessages.otherGrain(other));
  const read = readDimensionSql(member, cube, scope);
  if ('why' in read) return map.drop(read.why);
  const label = map.text('title');
  const isPublic = map.flag('public') ?? map.flag('shown');
  const isHidden = cube.isHidden || isPublic === false || (isKey && isPublic !== true);
  const description = map.text('description');
  map.finish({ format: importMessages.forReadersOnly() });
  return {
    name: toName(name, map.origin),
    ...toFieldKeys({ label, description, hidden: isHidden }),
    data_type: known,
    expr: read.sql,
    ...(type === 'time' ? { x_grains: ['day', 'week', 'month', 'quarter', 'year'] } : {}),
  };
}

const JOIN_TYPES: Readonly<Record<string, JoinType>> = {
  one_to_one: 'ONE_TO_ONE',
  has_one: 'ONE_TO_ONE',
  hasOne: 'ONE_TO_ONE',
  one_to_many: 'ONE_TO_MANY',
  has_many: 'ONE_TO_MANY',
  hasMany: 'ONE_TO_MANY',
  many_to_one: 'MANY_TO_ONE',
  belongs_to: 'MANY_TO_ONE',
  belongsTo: 'MANY_TO_ONE',
};

function readJoins(cube: Cube, scope: CubeScope): void {
  for (const map of cube.map.maps('joins', `a join of ${cube.map.subject}`)) {
    const name = map.text('name');
    if (name === undefined) {
      map.drop(importMessages.missing('name'));
      continue;
    }
    map.subject = `the join of ${cube.name} with ${name}`;
    readJoin(map, name, cube, scope);
  }
}

/** Records the joins of a cube that was left out: paths of other entities could go through it. */
function noteLostJoins(from: string, map: ForeignMap, { draft, cubes }: CubeScope): void {
  if (cubes.has(from)) return;
  for (const join of map.maps('joins', `a join of ${map.subject}`)) {
    const name = join.text('name') ?? '';
    const joinType = findJoinType(join.text('relationship') ?? '');
    draft.lostJoins.push({ from, to: cubes.get(name)?.entity ?? name, joinType, reason: map.subject });
  }
}

function findJoinType(relationship: string): JoinType | null {
  return Object.hasOwn(JOIN_TYPES, relationship) ? present(JOIN_TYPES[relationship]) : null;
}

function readJoin(map: ForeignMap, name: string, cube: Cube, scope: CubeScope): undefined {
  const other = scope.cubes.get(name);
  const relationship = map.text('relationship') ?? '';
  const joinType = findJoinType(relationship);
  const drop = (why: string, key?: string) => {
    const [from, to] = [cube.entity, other?.entity ?? name];
    const reason = `${map.subject}: ${why}`;
    scope.draft.lostJoins.push({ from, to, joinType, reason });
    return map.drop(why, key === undefined ? map.span : map.place(key));
  };
  if (other === cube) return map.drop(importMessages.selfJoin());
  if (other === undefined) {
    return drop(scope.lost.has(name) ? importMessages.lostEntity(name) : importMessages.unknownEntity(name));
  }
  if (joinType === null) return drop(importMessages.unknownType(relationship), 'relationship');
  const read = resolveJoinSql(map.text('sql') ?? '', cube, other, scope);
  if ('why' in read) return drop(read.why);
  const bare = findBareName(read.sql, scope);
  if (bare !== undefined) return drop(importMessages.uncertain(bare));
  map.finish();
  if (isInverse(joinType, read.sql, cube, other, scope)) return;
  const document = {
    name: toName(name, map.origin),
    join_type: joinType,
    to_entity: other.entity.name,
    expr: read.sql,
  };
  cube.entity.relationships.push(document);
  scope.draft.origins.set(document, map.origin);
}

const WORDS =
  /^(and|or|not|is|null|true|false|between|in|like|case|when|then|else|end|as|interval|date|timestamp)$/i;

/** Finds a name in a condition that does not clearly belong to one side. */
function findBareName(sql: string, { lexicalRules }: CubeScope): string | undefined {
  const words = listForeignTokens(sql, lexicalRules);
  return words.find((word, at) => {
    const isNamed = words[at - 1]?.text === '.' || ['.', '('].includes(words[at + 1]?.text ?? '');
    return readName(word) !== null && !isNamed && !WORDS.test(word.text);
  })?.text;
}

const INVERSE: Readonly<Record<JoinType, JoinType>> = {
  ONE_TO_ONE: 'ONE_TO_ONE',
  ONE_TO_MANY: 'MANY_TO_ONE',
  MANY_TO_ONE: 'ONE_TO_MANY',
};

/** Whether the other cube declares the same join: one direction is enough here. */
function isInverse(
  joinType: JoinType,
  sql: string,
  cube: Cube,
  other: Cube,
  { lexicalRules }: CubeScope,
): boolean {
  const toPairs = (expr: string) =>
    readModelExpression(expr, [cube.entity.name, other.entity.name], lexicalRules)
      .equalities?.map(({ left, right }) => `${left}=${right}`.toLowerCase())
      .sort()
      .join();
  const pairs = toPairs(sql);
  return other.entity.relationships.some(
    ({ to_entity, join_type, expr }) =>
      to_entity === cube.entity.name &&
      join_type === INVERSE[joinType] &&
      pairs !== undefined &&
      toPairs(expr) === pairs,
  );
}

function finishCube({ map }: Cube): void {
  map.finish({
    pre_aggregations: importMessages.forSpeed(),
    refresh_key: importMessages.forSpeed(),
    access_policy: importMessages.accessPolicy(),
    segments: importMessages.segments(),
  });
}

/** Converts a Cube word to snake case: Cube accepts both `rolling_window` and `rollingWindow`. */
function toSnakeCase(word: string): string {
  return word.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts all keys of a value to snake case. */
function toSnakeKeys(value: Foreign): Foreign {
  if (value.kind === 'list') return { ...value, items: value.items.map(toSnakeKeys) };
  if (value.kind === 'scalar') return value;
  const entries = new Map(value.entries);
  for (const [key, entry] of value.entries) {
    const name = toSnakeCase(key);
    // If a key appears in both cases, the second one keeps its spelling and is reported as unknown.
    const isTaken = name !== key && value.entries.has(name);
    if (!isTaken) entries.delete(key);
    entries.set(isTaken ? key : name, { ...entry, value: toSnakeKeys(entry.value) });
  }
  return { ...value, entries };
}
