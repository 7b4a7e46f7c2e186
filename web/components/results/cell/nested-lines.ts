import type { ColumnType, ColumnValue } from '../../../../src/engine/result/columns/column.ts';
import { createNestedText } from '../../../../src/engine/result/columns/nested-text.ts';

/** Lays out a nested value in lines, a part in each; parts that are not nested have the text that CSV has. */
export function layOutNested(type: ColumnType, value: ColumnValue, indent = ''): string {
  if (value === null) return 'NULL';
  const inner = `${indent}  `;
  switch (type.kind) {
    case 'list':
      return enclose(
        '[]',
        indent,
        toArray(value).map((part) => layOutNested(type.element, part, inner)),
      );
    case 'struct': {
      const parts = toArray(value);
      const lines = type.fields.map(({ name, type: fieldType }, i) => {
        const text = layOutNested(fieldType, parts[i] ?? null, inner);
        return name === '' ? text : `${name}: ${text}`;
      });
      return enclose('{}', indent, lines);
    }
    case 'map': {
      const lines = toArray(value).map((pair) => {
        const [key = null, value = null] = toArray(pair);
        return `${layOutNested(type.key, key, inner)} = ${layOutNested(type.value, value, inner)}`;
      });
      return enclose('{}', indent, lines);
    }
    default: {
      const text = createNestedText(type)(value);
      return type.kind === 'text' && type.label === 'STRING' ? `'${text.replaceAll("'", "''")}'` : text;
    }
  }
}

function toArray(value: ColumnValue): readonly ColumnValue[] {
  return Array.isArray(value) ? value : [];
}

function enclose(brackets: '[]' | '{}', indent: string, parts: readonly string[]): string {
  if (parts.length === 0) return brackets;
  const lines = parts.map((part) => `${indent}  ${part}`);
  return `${brackets.charAt(0)}\n${lines.join(',\n')}\n${indent}${brackets.charAt(1)}`;
}
