import { TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { CloseIcon, SearchIcon } from '../icons.tsx';
import classes from './search-field.module.css';

interface SearchFieldProps {
  /** For screen readers, and in the empty field. */
  readonly label: string;
  /** The text that is searched; undefined for none. */
  readonly value: string | undefined;
  readonly onSearch: (text: string | undefined) => void;
  readonly className?: string | undefined;
}

/** A field whose text is searched shortly after the last key. */
export function SearchField({ label, value = '', onSearch, className = '' }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [sent, setSent] = useState(value);
  // The address follows what is typed a little later. Another value comes from Back, or from a button that clears the search.
  if (value !== shown) {
    setShown(value);
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  const search = (next: string) => {
    setSent(next);
    onSearch(next === '' ? undefined : next);
  };
  const searchSoon = useDebouncedCallback(search, 250);
  const clear = () => {
    setText('');
    search('');
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      className={className}
      leftSection={<SearchIcon size={16} />}
      rightSection={
        text !== '' && (
          <UnstyledButton aria-label="Clear the text" className={classes.clear} onClick={clear}>
            <CloseIcon size={14} />
          </UnstyledButton>
        )
      }
      value={text}
      maxLength={255}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => {
        setText(event.currentTarget.value);
        searchSoon(event.currentTarget.value.trim());
      }}
    />
  );
}
