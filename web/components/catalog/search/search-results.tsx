import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Found, foundQuery } from '../../../api/catalog/catalog-find.ts';
import { getParentPath } from '../../../api/catalog/catalog-paths.ts';
import { ErrorAlert } from '../../error-alert.tsx';
import { SearchIcon } from '../../icons.tsx';
import { MessagePart } from '../../message-page.tsx';
import { SkeletonRows } from '../../skeleton-rows.tsx';
import { CatalogLink } from '../item/catalog-link.tsx';
import { ItemIcon } from '../item/item-icon.tsx';
import { showDirections } from '../item/show-directions.ts';
import { printCount, printCounted } from '../view/print-size.ts';
import classes from './search.module.css';

interface SearchResultsProps {
  readonly text: string;
  readonly where: 'name' | 'content';
  /** The path of the item to return to. */
  readonly path: string;
}

/** The items that a search finds, with links. */
export function SearchResults({ text, where, path }: SearchResultsProps) {
  const { data, error, refetch } = useQuery(foundQuery(text, where));
  return (
    <>
      <title>{`${text} · Search · Quern`}</title>
      <Group justify="space-between" px={{ base: 'md', sm: 'lg' }} pt="md" pb="sm">
        <Stack gap={2}>
          <Title order={1} fz={22}>
            Search results
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {data === undefined ? 'Searching…' : printFound(data.data.length, data.is_complete)}
          </Text>
        </Stack>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => (
            <CatalogLink {...props} path={path}>
              {props.children}
            </CatalogLink>
          )}
        >
          Close the search
        </Button>
      </Group>
      {data === undefined && error !== null && (
        <Box p="lg">
          <ErrorAlert title="The search failed" error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {data === undefined && error === null && (
        <Box p="lg">
          <SkeletonRows label="Searching" />
        </Box>
      )}
      {data?.data.length === 0 && <Nothing text={text} where={where} path={path} />}
      {data !== undefined && data.data.length > 0 && (
        <ul className={classes.results} aria-label="Found items">
          {data.data.map((result) => (
            <li key={result.path}>
              <Result result={result} text={text} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Result({ result, text }: { readonly result: Found; readonly text: string }) {
  const { path, name, type, line, excerpt } = result;
  return (
    <CatalogLink path={path} className={classes.result} search={line === undefined ? {} : { line }}>
      <span className={classes.name}>
        <ItemIcon type={type} />
        <bdi>{line === undefined ? <MarkedText text={name} match={text} /> : showDirections(name)}</bdi>
      </span>
      <div className={classes.path}>{showDirections(getParentPath(path))}</div>
      {excerpt !== undefined && (
        <code className={classes.excerpt}>
          <span className={classes.line}>Line {line}</span>
          <MarkedText text={excerpt.trimStart()} match={text} />
        </code>
      )}
    </CatalogLink>
  );
}

function Nothing({ text, where, path }: SearchResultsProps) {
  const { data: lines } = useQuery({ ...foundQuery(text, 'content'), enabled: where === 'name' });
  const count = lines?.data.length ?? 0;
  return (
    <MessagePart
      icon={<SearchIcon size={24} />}
      title="Nothing found"
      text={`${where === 'name' ? 'No name contains' : 'No line of a script contains'} “${showDirections(text)}”. The search covers the items that you may view, without regard to case.`}
    >
      {where === 'name' && lines !== undefined && count > 0 && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <CatalogLink {...props} path={path} search={{ q: text, in: 'content' }}>
              {props.children}
            </CatalogLink>
          )}
        >
          {lines.is_complete && count === 1
            ? 'Show the text that contains it'
            : `Show ${lines.is_complete ? '' : 'the first '}${printCounted(count, 'text')} that contain it`}
        </Button>
      )}
    </MessagePart>
  );
}

function printFound(count: number, isComplete: boolean): string {
  if (isComplete) return printCounted(count, 'item');
  return `The first ${printCount(count)} items. There are more: search for a longer text.`;
}

interface MarkedTextProps {
  readonly text: string;
  /** The searched text. */
  readonly match: string;
}

/** A text in which the first match of a search is marked. */
function MarkedText({ text, match }: MarkedTextProps) {
  const hit = new RegExp(match.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu').exec(text);
  if (hit === null) return showDirections(text);
  const end = hit.index + hit[0].length;
  return (
    <>
      {showDirections(text.slice(0, hit.index))}
      <mark className={classes.mark}>{showDirections(hit[0])}</mark>
      {showDirections(text.slice(end))}
    </>
  );
}
