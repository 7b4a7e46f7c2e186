import { Link } from '@tanstack/react-router';
import {
  CONNECTION_LEVELS,
  ITEM_LEVELS,
  type MatrixCell,
  type MatrixLevel,
  type MatrixRow,
} from '../../../api/administration/permissions.ts';
import { printSubject } from '../../catalog/access/print-reason.ts';
import classes from './matrix.module.css';
import type { CollectedChanges } from './use-changes.ts';

interface LevelCellProps {
  readonly row: MatrixRow;
  readonly subject: string;
  readonly cell: MatrixCell;
  readonly changes: CollectedChanges;
  /** Called when the person asks why the level applies. */
  readonly onExplain: () => void;
}

/** The level of a subject on a target: an own one strong, an inherited one pale, a chosen one marked. */
export function LevelCell(props: LevelCellProps) {
  const { row, subject, cell, changes, onExplain } = props;
  const { target, type } = row;
  const { own, level } = cell;
  const name = printSubject(subject);
  const change = changes.find(target, subject);
  const value = change?.level ?? own ?? 'NONE';
  const levels = type === 'CONNECTION' ? CONNECTION_LEVELS : ITEM_LEVELS;
  const choose = (text: string) => {
    const chosen = levels.find((one) => one === text) ?? 'NONE';
    changes.put({ target, subject, level: chosen }, chosen === (own ?? 'NONE'));
  };
  return (
    <div className={classes.cell}>
      <select
        className={classes.level}
        aria-label={`Level of ${name} on ${target}${change === undefined ? '' : ', changed'}`}
        data-own={value === 'NONE' ? undefined : true}
        data-changed={change === undefined ? undefined : true}
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="NONE">{printNone(own, level)}</option>
        {levels.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      {own !== null && own !== level && change === undefined && (
        <span className={classes.why}>has {level}</span>
      )}
      {subject.startsWith('user:') && (
        <Link
          from="/administration/permissions"
          to="/administration/permissions"
          search={(before) => ({ ...before, show: 'explain', user: name, target })}
          className={classes.why}
          onClick={onExplain}
          aria-label={`Why? ${name} on ${target}`}
        >
          Why?
        </Link>
      )}
    </div>
  );
}

/** The text of a cell without a grant: what applies instead. */
function printNone(own: MatrixLevel | null, level: MatrixLevel): string {
  if (own !== null) return 'Not granted here';
  return level === 'NONE' ? 'No access' : `${level}, inherited`;
}
