import { Text } from '@mantine/core';
import { printCounted } from '../catalog/view/print-size.ts';
import type { ResultSource } from '../results/source/result-source.ts';
import classes from './chart.module.css';

interface SingleNumberProps {
  readonly source: ResultSource;
  readonly column: number;
}

/** The value of the first row, with all its digits. */
export function SingleNumber({ source, column }: SingleNumberProps) {
  const text = source.getText(0, column);
  return (
    <div className={classes.number}>
      <span className={classes.digits}>{text === null ? 'NULL' : groupDigits(text)}</span>
      {source.rowCount > 1 && (
        <Text size="sm" c="dimmed">
          the first of {printCounted(source.rowCount, 'row')}
        </Text>
      )}
    </div>
  );
}

/** Separates the thousands of a number; no digit is lost, as it would be in a double. */
function groupDigits(text: string): string {
  const [, sign = '', whole, rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  return whole === undefined ? text : `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}
