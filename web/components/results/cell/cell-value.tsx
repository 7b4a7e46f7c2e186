import { Button, CopyButton, Group, Stack, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ColumnType, ColumnValue } from '../../../../src/engine/result/columns/column.ts';
import { showDirections } from '../../catalog/item/show-directions.ts';
import { measureText, printSize } from '../../catalog/view/print-size.ts';
import { CheckIcon, CopyIcon } from '../../icons.tsx';
import type { ResultSource } from '../source/result-source.ts';
import classes from './cell.module.css';
import { printHexLines } from './hex-lines.ts';
import { layOutNested } from './nested-lines.ts';
import { layOutJson } from './pretty-json.ts';

interface CellValueProps {
  readonly source: ResultSource;
  readonly row: number;
  readonly column: number;
}

/** The maximum bytes of a value that is laid out. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A whole value: JSON and nested values in lines, bytes in hexadecimal, and long texts. */
export function CellValue({ source, row, column }: CellValueProps) {
  const { name = '', type = '', valueType } = source.columns[column] ?? {};
  const text = useMemo(() => source.getText(row, column), [source, row, column]);
  const laidOut = useMemo(
    () => (valueType === undefined ? null : layOut(valueType, source.getValue(row, column), text)),
    [source, row, column, valueType, text],
  );
  const [isPlain, setPlain] = useState(false);
  const shown = laidOut === null || isPlain ? text : laidOut;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {type.toLowerCase()}
          {text !== null && ` · ${printSize(measureText(text))} as text`}
        </Text>
        <Group gap="sm">
          {laidOut !== null && (
            <Switch
              size="sm"
              label="As in the grid"
              checked={isPlain}
              onChange={({ currentTarget }) => setPlain(currentTarget.checked)}
            />
          )}
          {text !== null && <CopyValue text={shown ?? ''} />}
        </Group>
      </Group>
      <Content name={name} text={shown} />
    </Stack>
  );
}

function Content({ name, text }: { readonly name: string; readonly text: string | null }) {
  if (text === null || text === '') {
    return (
      <Text size="sm" fs="italic">
        {text === null ? 'NULL: no value' : 'An empty text'}
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the text
    <section className={classes.text} tabIndex={0} aria-label={name === '' ? 'Value' : `Value of ${name}`}>
      {splitText(text).map(({ start, block }) => (
        <pre key={start} className={classes.block}>
          {showDirections(block)}
        </pre>
      ))}
    </section>
  );
}

function CopyValue({ text }: { readonly text: string }) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={copy}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  );
}

/** A value in lines; null if its text is already the best way to show it. */
function layOut(type: ColumnType, value: ColumnValue, text: string | null): string | null {
  if (value === null || text === null || text.length > MAX_BYTES) return null;
  switch (type.kind) {
    case 'binary':
      return value instanceof Uint8Array && value.length > 0 ? printHexLines(value) : null;
    case 'list':
    case 'struct':
    case 'map':
      return layOutNested(type, value);
    case 'json':
    case 'text':
    case 'variant':
      return /^\s*[[{]/.test(text) ? layOutJson(text) : null;
    default:
      return null;
  }
}

/** A part of a long text, which the browser lays out when it is visible. */
interface TextBlock {
  /** Its offset in the text. */
  readonly start: number;
  readonly block: string;
}

/** The usual UTF-16 units of a block. */
const BLOCK = 8_000;

/** Splits a text into blocks, after line breaks where there are some. */
function splitText(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let start = 0; start < text.length; ) {
    const end = findEnd(text, start + BLOCK);
    // The break after a block ends its last line.
    const last = text[end - 1] === '\n' ? end - 1 : end;
    blocks.push({ start, block: text.slice(start, last) });
    start = end;
  }
  return blocks;
}

function findEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const line = text.lastIndexOf('\n', wanted);
  if (line > wanted - BLOCK / 2) return line + 1;
  // Both halves of a character stay together.
  return /[\udc00-\udfff]/.test(text[wanted] ?? '') ? wanted + 1 : wanted;
}
