import { ActionIcon, Group } from '@mantine/core';
import { CloseIcon } from '../../icons.tsx';
import { type Filter, hasOperand } from '../compute/filters.ts';
import type { ResultColumn } from '../source/result-source.ts';
import classes from './run.module.css';

interface FilterChipsProps {
  readonly filters: readonly Filter[];
  readonly columns: readonly ResultColumn[];
  readonly onRemove: (filter: Filter) => void;
}

/** The conditions that the shown rows meet. */
export function FilterChips({ filters, columns, onRemove }: FilterChipsProps) {
  return (
    <Group gap={6} role="group" aria-label="Filters">
      {filters.map((filter) => {
        const text = printFilter(filter, columns);
        return (
          <span key={`${filter.column} ${filter.operator}`} className={classes.chip}>
            <span className={classes.chipText}>{text}</span>
            <ActionIcon
              size={20}
              variant="transparent"
              color="inherit"
              aria-label={`Remove the filter ${text}`}
              onClick={() => onRemove(filter)}
            >
              <CloseIcon size={14} />
            </ActionIcon>
          </span>
        );
      })}
    </Group>
  );
}

function printFilter({ column, operator, operand }: Filter, columns: readonly ResultColumn[]): string {
  const name = columns[column]?.name || `column ${column + 1}`;
  return hasOperand(operator) ? `${name} ${operator} ${operand}` : `${name} ${operator}`;
}
