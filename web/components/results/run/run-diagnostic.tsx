import { Text, UnstyledButton } from '@mantine/core';
import { use } from 'react';
import type { RunMessage } from '../../../api/runs/run.ts';
import { CatalogLink } from '../../catalog/item/catalog-link.tsx';
import { showDirections } from '../../catalog/item/show-directions.ts';
import { PlaceContext, type Place as SourcePlace } from './place-context.ts';
import classes from './run.module.css';

/** An error or a warning with its place, and the lines around it. */
export function RunDiagnostic({ diagnostic }: { readonly diagnostic: RunMessage }) {
  const { message, file, line, column, frame } = diagnostic;
  return (
    <div>
      <Text size="sm" className={classes.message}>
        {showDirections(message)}
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

/** A place in a source; one in the catalog is a link, or a button that shows it. */
export function Place({ file, line, column }: SourcePlace) {
  const show = use(PlaceContext);
  const text = showDirections(`${file}:${line}:${column}`);
  if (file.startsWith('@') && show !== null) {
    return (
      <UnstyledButton className={classes.place} fz="inherit" onClick={() => show({ file, line, column })}>
        {text}
      </UnstyledButton>
    );
  }
  return file.startsWith('@') ? (
    <CatalogLink path={file} search={{ line }} className={classes.place}>
      {text}
    </CatalogLink>
  ) : (
    text
  );
}
