import type { Platform } from '../../../src/semantic/model/model.ts';
import { printValue } from './compare.ts';
import type { Case } from './shrink.ts';
import { printSource, toModel } from './world.ts';

/** Prints a case for people: the model, the rows of the used columns, and the query. */
export function printCase({ world, question }: Case, platform: Platform): string {
  const model = toModel(world, platform);
  const entities = model.layers.flatMap(({ domains }) => domains.flatMap((domain) => domain.entities));
  const texts = JSON.stringify(entities);
  const tables = world.entities.map((entity) => {
    const columns = entity.columns.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(texts));
    const rows = entity.rows.map((row) =>
      columns.map(({ name }) => printValue(row[name] ?? null)).join(' | '),
    );
    const names = columns.map(({ name, type }) => `${name} ${type}`).join(' | ');
    return [`${printSource(entity, platform)}: ${names}`, ...rows.map((row) => `  ${row}`)].join('\n');
  });
  const fields = entities.map(({ name, primaryKey, dimensions, measures, relationships }) =>
    [
      `${name}${primaryKey === null ? '' : ` key ${primaryKey.join(', ')}`}`,
      ...dimensions.map((one) => {
        const grain = one.grain === null ? '' : ` by ${one.grain}`;
        return `  ${one.name} ${one.dataType} = ${one.expr}${grain}${one.caseSensitive ? ' case-sensitive' : ''}`;
      }),
      ...measures.map((one) => {
        const filter = one.filter === null ? '' : ` where ${one.filter}`;
        return `  ${one.name} ${one.dataType} = ${one.aggregation} ${one.expr}${filter}`;
      }),
      ...relationships.map((one) => `  ${one.name} ${one.joinType} ${one.toEntity} on ${one.expr}`),
    ].join('\n'),
  );
  const asked = `${JSON.stringify(question.query)}${question.strict ? ' strict' : ''}`;
  return [...fields, '', ...tables, '', asked].join('\n');
}
