import { ActionIcon, Button, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import {
  folderLevelsQuery,
  LEVELS,
  loadLevels,
  type MatrixRow,
} from '../../../api/administration/permissions.ts';
import { getParentPath } from '../../../api/catalog/catalog-paths.ts';
import { printSubject } from '../../catalog/access/print-reason.ts';
import { ChevronIcon, CloseIcon, DocumentIcon, FolderIcon, SqlIcon } from '../../icons.tsx';
import { LoadError } from '../../load-error.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { useList } from '../../table/use-list.ts';
import { LevelCell } from './level-cell.tsx';
import classes from './matrix.module.css';
import type { CollectedChanges } from './use-changes.ts';

/** What all rows of the matrix share. */
interface MatrixProps {
  readonly subjects: readonly string[];
  readonly changes: CollectedChanges;
  readonly opened: readonly string[];
  readonly onToggle: (target: string) => void;
  readonly onRemove: (subject: string) => void;
  readonly onExplain: () => void;
  /** The folder whose content is shown, or `connections`; undefined for the namespaces and the connections. */
  readonly under: string | undefined;
}

/** The value of `under` for all connections. */
export const CONNECTIONS = 'connections';

/** Subjects as columns, and targets as rows that open downwards. */
export function Matrix(props: MatrixProps) {
  const { subjects, onRemove, under } = props;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it
    <div className={classes.box} onKeyDown={(event) => moveBetweenRows(event)}>
      <table className={classes.table} aria-label="Levels">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Restricted</th>
            {subjects.map((subject) => (
              <th key={subject} scope="col">
                <div className={classes.subject}>
                  <span title={subject}>{printSubject(subject)}</span>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="sm"
                    aria-label={`Remove ${printSubject(subject)}`}
                    onClick={() => onRemove(subject)}
                  >
                    <CloseIcon size={14} />
                  </ActionIcon>
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {under !== undefined && under !== CONNECTIONS && <FolderRow {...props} under={under} />}
          <ChildRows {...props} depth={under === undefined || under === CONNECTIONS ? 0 : 1} />
          {under === undefined && <ConnectionRows {...props} />}
        </tbody>
      </table>
    </div>
  );
}

/** Up and down move between the names of rows; right opens one, and left closes it. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-name]')];
  const at = names.indexOf(event.target as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at === -1) return;
  if (step !== undefined) {
    event.preventDefault();
    names[at + step]?.focus();
    return;
  }
  const isExpanded = names[at]?.getAttribute('aria-expanded');
  if (event.key === 'ArrowRight' && isExpanded === 'false') names[at]?.click();
  if (event.key === 'ArrowLeft' && isExpanded === 'true') names[at]?.click();
}

/** The row of the folder whose content is shown. */
function FolderRow(props: MatrixProps & { readonly under: string }) {
  const { data } = useQuery(folderLevelsQuery(props.subjects, props.under));
  return data === undefined || data === null ? null : <TargetRow {...props} row={data} depth={0} isOpen />;
}

interface ChildRowsProps extends MatrixProps {
  readonly depth: number;
}

/** The rows of a folder's content, loaded page by page. */
function ChildRows(props: ChildRowsProps) {
  const { subjects, under, depth } = props;
  const { rows, total, error, retry, loadMore } = useList<MatrixRow>({
    key: [...LEVELS, ...subjects],
    load: (query, signal) => loadLevels(subjects, query, signal),
    parameters: { under },
    toAfter: ({ name }) => name,
  });
  return (
    <>
      {rows?.map((row) => (
        <TargetRow key={row.target} {...props} row={row} />
      ))}
      {rows === undefined && error === null && (
        <WideRow {...props}>
          <SkeletonRows label="Loading the levels" count={depth === 0 ? 4 : 1} height={36} />
        </WideRow>
      )}
      {error !== null && (
        <WideRow {...props}>
          <LoadError title="The levels cannot be shown" error={error} onRetry={retry} />
        </WideRow>
      )}
      {rows?.length === 0 && (
        <WideRow {...props}>
          <Text size="sm" c="dimmed">
            {under === CONNECTIONS ? 'There are no connections.' : 'This folder is empty.'}
          </Text>
        </WideRow>
      )}
      {rows !== undefined && total !== undefined && rows.length < total && error === null && (
        <WideRow {...props}>
          <Button size="xs" variant="default" onClick={loadMore}>
            Show more of {total.toLocaleString()}
          </Button>
        </WideRow>
      )}
    </>
  );
}

/** A row that has one cell. */
function WideRow({ subjects, depth, children }: ChildRowsProps & { readonly children: ReactNode }) {
  return (
    <tr>
      <td colSpan={subjects.length + 2} style={{ paddingInlineStart: 24 + depth * 20 }}>
        {children}
      </td>
    </tr>
  );
}

/** The connections, as a row that opens. */
function ConnectionRows(props: MatrixProps) {
  const isOpen = props.opened.includes(CONNECTIONS);
  return (
    <>
      <tr>
        <th scope="row">
          <div className={classes.target}>
            <Toggle {...props} name="Connections" target={CONNECTIONS} isOpen={isOpen} />
            <span className={classes.name}>Connections</span>
          </div>
        </th>
        <td colSpan={props.subjects.length + 1} />
      </tr>
      {isOpen && <ChildRows {...props} under={CONNECTIONS} depth={1} />}
    </>
  );
}

interface ToggleProps extends Pick<MatrixProps, 'onToggle'> {
  readonly name: string;
  readonly target: string;
  readonly isOpen: boolean;
}

function Toggle({ name, target, isOpen, onToggle }: ToggleProps) {
  return (
    <UnstyledButton
      className={classes.toggle}
      data-row-name
      aria-expanded={isOpen}
      aria-label={`Content of ${name}`}
      onClick={() => onToggle(target)}
    >
      <ChevronIcon size={16} />
    </UnstyledButton>
  );
}

interface RowProps extends ChildRowsProps {
  readonly row: MatrixRow;
  /** Whether the rows of its content are shown without a toggle. */
  readonly isOpen?: boolean;
}

/** A target with its levels, and the rows of its content while it is open. */
function TargetRow(props: RowProps) {
  const { row, depth, subjects, changes, opened, isOpen = false } = props;
  const { target, name, type, has_children } = row;
  const mayOpen = has_children && !isOpen;
  const isOpened = mayOpen && opened.includes(target);
  return (
    <>
      <tr data-row={target}>
        <th scope="row">
          <div className={classes.target} style={{ paddingInlineStart: depth * 20 }}>
            {mayOpen ? (
              <Toggle {...props} name={name} target={target} isOpen={isOpened} />
            ) : (
              <span className={classes.toggle} />
            )}
            <TypeIcon type={type} />
            <RowName row={row} mayOpen={mayOpen} />
          </div>
        </th>
        <td>
          <RestrictedCell row={row} changes={changes} />
        </td>
        {subjects.map((subject) => {
          const cell = row.cells[subject];
          return (
            <td key={subject}>
              {cell !== undefined && <LevelCell {...props} subject={subject} cell={cell} />}
            </td>
          );
        })}
      </tr>
      {isOpened && <ChildRows {...props} under={target} depth={depth + 1} />}
    </>
  );
}

function TypeIcon({ type }: { readonly type: string }) {
  if (type === 'CONNECTION') return <SqlIcon size={16} />;
  return /FOLDER|PROJECT$/.test(type) ? <FolderIcon size={16} /> : <DocumentIcon size={16} />;
}

/** The name; that of a folder leads to its content alone. */
function RowName({ row: { name, target }, mayOpen }: { readonly row: MatrixRow; readonly mayOpen: boolean }) {
  if (!mayOpen) return <span className={classes.name}>{name}</span>;
  return (
    <Link
      from="/administration/permissions"
      to="/administration/permissions"
      search={(before) => ({ ...before, under: target, open: undefined })}
      className={classes.name}
    >
      {name}
    </Link>
  );
}

/** Whether grants on the folders above do not count; namespaces and connections are at the top. */
function RestrictedCell({ row, changes }: { readonly row: MatrixRow; readonly changes: CollectedChanges }) {
  const { target, type, restricted } = row;
  const parent = getParentPath(target);
  if (type === 'CONNECTION' || parent === '') return null;
  const change = changes.find(target);
  const isRestricted = change?.restricted ?? restricted;
  const isByNature = parent === '@Project Hub';
  return (
    <label
      className={classes.restricted}
      data-changed={change === undefined ? undefined : true}
      title={isByNature ? 'Items directly in @Project Hub are always restricted' : undefined}
    >
      <input
        type="checkbox"
        aria-label={`Restrict ${target}${change === undefined ? '' : ', changed'}`}
        checked={isRestricted}
        disabled={isByNature}
        onChange={(event) => {
          const chosen = event.currentTarget.checked;
          changes.put({ target, restricted: chosen }, chosen === restricted);
        }}
      />
      {isRestricted ? 'Restricted' : ''}
    </label>
  );
}
