import { Text } from '@mantine/core';
import type { RunMessage } from '../../../api/runs/run.ts';
import { CatalogLink } from '../../catalog/item/catalog-link.tsx';
import classes from './run.module.css';

/** An error or a warning with its place, and the lines around it. */
export function RunDiagnostic({ diagnostic }: { readonly diagnostic: RunMessage }) {
  const { message, file, line, column, frame } = diagnostic;
  return (
    <div>
      <Text size="sm" className={classes.message}>
        {message}
      </Text>
      {file !== undefined && line !== undefined && (
        <Text size="xs" c="dimmed" className={classes.message}>
          <Place file={file} line={line} column={column ?? 1} />
        </Text>
      )}
      {frame !== undefined && frame !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls long lines
        <section className={classes.frame} tabIndex={0} aria-label="Lines of the source">
          <pre>{frame}</pre>
        </section>
      )}
    </div>
  );
}

interface PlaceProps {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A place in a source; one in the catalog is a link. */
export function Place({ file, line, column }: PlaceProps) {
  const text = `${file}:${line}:${column}`;
  return file.startsWith('@') ? (
    <CatalogLink path={file} search={{ line }} className={classes.place}>
      {text}
    </CatalogLink>
  ) : (
    text
  );
}
