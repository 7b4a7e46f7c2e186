import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { CatalogSearch } from '../../../api/catalog/catalog-search.ts';
import { SearchIcon } from '../../icons.tsx';

interface SearchBoxProps {
  /** The path of the shown item, to which the page returns. */
  readonly path: string;
  readonly search: CatalogSearch;
}

/** The server's limit of a searched text. */
const MAX_LENGTH = 200;
const PAUSE_MS = 300;

/** Searches the catalog while the person types. The address keeps the search. */
export function SearchBox({ path, search }: SearchBoxProps) {
  const navigate = useNavigate();
  const [text, setText] = useState(search.q ?? '');
  const [before, setBefore] = useState(search.q);
  if (before !== search.q) {
    setBefore(search.q);
    // The address changes while the person types on, which must not change the text.
    if (search.q === undefined) setText('');
  }
  const find = (q: string, where = search.in) => {
    void navigate({
      to: '/catalog/$',
      params: { _splat: path },
      search: q === '' ? {} : { q, in: where },
      replace: search.q !== undefined,
    });
  };
  const findLater = useDebouncedCallback((q: string) => find(q), PAUSE_MS);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    find(text);
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Stack gap={6}>
          <TextInput
            type="search"
            size="sm"
            aria-label="Search the catalog"
            placeholder="Search the catalog"
            leftSection={<SearchIcon size={16} />}
            maxLength={MAX_LENGTH}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              findLater(event.currentTarget.value);
            }}
          />
          {text !== '' && (
            <NativeSelect
              size="xs"
              aria-label="Search in"
              data={[
                { value: 'name', label: 'In names' },
                { value: 'content', label: 'In the text of scripts' },
              ]}
              value={search.in ?? 'name'}
              onChange={(event) =>
                find(text, event.currentTarget.value === 'content' ? 'content' : undefined)
              }
            />
          )}
        </Stack>
      </form>
    </search>
  );
}
