import { keepPreviousData, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query';

/** The rows of a response. */
export const PAGE = 100;

/** A list that the server searches, filters and sorts, as far as it is loaded. */
export interface List<Row> {
  /** Undefined before the first response. */
  readonly rows: readonly Row[] | undefined;
  /** The number of rows on all pages; undefined if the server does not count them. */
  readonly total: number | undefined;
  /** Why the list, or its next rows, could not be loaded. */
  readonly error: Error | null;
  readonly retry: () => void;
  /** Loads the next rows; does nothing while they are loading, and after the last one. */
  readonly loadMore: () => void;
}

/** A short list that the server sends whole. */
export function toList<Row>({
  data,
  error,
  refetch,
}: Pick<UseQueryResult<readonly Row[]>, 'data' | 'error' | 'refetch'>): List<Row> {
  return { rows: data, total: data?.length, error, retry: () => void refetch(), loadMore: () => {} };
}

interface ListOptions<Row> {
  /** The first parts of the query's key: what changes it loads the list again. */
  readonly key: readonly string[];
  /** Loads a page; `query` has the parameters of the URL. */
  readonly load: (query: string, signal: AbortSignal) => Promise<Page<Row>>;
  /** The parameters of the query; those without a value are left out. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** The value of `after` for the page after a row. */
  readonly toAfter: (row: Row) => string;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly total?: number | undefined;
}

/** Loads a list page by page; while the parameters change, the rows before stay. */
export function useList<Row>({ key, load, parameters, toAfter }: ListOptions<Row>): List<Row> {
  const query = useInfiniteQuery({
    queryKey: [...key, 'list', parameters],
    queryFn: ({ pageParam, signal }): Promise<Page<Row>> => {
      const all = { ...parameters, limit: String(PAGE), after: pageParam };
      const given = Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : []));
      return load(String(new URLSearchParams(given)), signal);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data }) => {
      const last = data.at(-1);
      return data.length < PAGE || last === undefined ? undefined : toAfter(last);
    },
    placeholderData: keepPreviousData,
  });
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage, isFetchNextPageError } = query;
  return {
    rows: data?.pages.flatMap((page) => page.data),
    total: data?.pages[0]?.total,
    error,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    loadMore: () => {
      // After a failure, the person decides.
      if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
    },
  };
}
