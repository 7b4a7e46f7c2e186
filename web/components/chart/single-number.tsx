import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
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
      <span className={classes.digits}>{text === null ? 'NULL' : breakAtCommas(groupDigits(text))}</span>
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

/** Lets a long number continue in the next line after a comma only: a group that is cut is misread. */
function breakAtCommas(text: string): ReactNode {
  return text.split(/(?<=,)/).map((group, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a number have no other identity.
    <Fragment key={i}>
      {group}
      <wbr />
    </Fragment>
  ));
}
