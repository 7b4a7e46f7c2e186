import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { showDirections } from '../item/show-directions.ts';
import { printCount } from './print-size.ts';
import type { ColourLine } from './text-colours.ts';
import classes from './text-view.module.css';

/** The height of a line, in pixels. */
const LINE_HEIGHT = 20;
/** Up to this number, all lines are in the document, so that the browser's search finds them. */
const MAX_DRAWN = 1_000;

interface TextViewProps {
  readonly name: string;
  readonly content: string;
  /** The line to show and to mark, from 1. */
  readonly line?: number | undefined;
  /** Whether it has the colours of the editor, once their code is loaded. */
  readonly hasColours?: boolean;
}

/** A longer text has no colours, in UTF-16 units. */
const MAX_COLOURED = 1024 * 1024;

const loadColours = () => import('./text-colours.ts');

/** The colours of a text; null while their code is loaded, and without colours. */
function useColours(content: string, isWanted: boolean): ColourLine | null {
  const [colours, setColours] = useState<{ readonly content: string; readonly of: ColourLine | null } | null>(
    null,
  );
  useEffect(() => {
    if (!isWanted || content.length > MAX_COLOURED) return;
    let isCurrent = true;
    // Without the code, the text stays as it is.
    loadColours().then(
      (part) => isCurrent && setColours({ content, of: part.createLineColours(content) }),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [content, isWanted]);
  return colours?.content === content ? colours.of : null;
}

function Coloured({ pieces }: { readonly pieces: ReturnType<ColourLine> }) {
  return pieces.map(({ text, className }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity
    <span key={at} className={className}>
      {showDirections(text)}
    </span>
  ));
}

/** A text with line numbers, read-only. Only the visible lines of a long text are drawn. */
export function TextView({ name, content, line, hasColours = false }: TextViewProps) {
  const lines = useMemo(() => indexLines(content), [content]);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.shown,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: lines.shown <= MAX_DRAWN ? MAX_DRAWN : 20,
    paddingStart: 8,
    paddingEnd: 8,
  });
  const colours = useColours(content, hasColours);
  useEffect(() => {
    if (line !== undefined) virtual.scrollToIndex(line - 1, { align: 'center' });
  }, [line, virtual]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the text */}
      <section ref={box} className={classes.box} aria-label={`Content of ${name}`} tabIndex={0}>
        <div className={classes.lines} style={{ height: virtual.getTotalSize(), ...widthOf(lines) }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const { text, cut } = lines.get(index);
            return (
              <div
                key={index}
                className={classes.line}
                data-line={index + 1}
                data-marked={index + 1 === line || undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                <code className={classes.code}>
                  {colours === null ? showDirections(text) : <Coloured pieces={colours(index, text)} />}
                </code>
                {cut > 0 && <span className={classes.cut}>… {printCount(cut)} more characters</span>}
              </div>
            );
          })}
        </div>
      </section>
      {lines.shown < lines.count && (
        <Text size="sm" c="dimmed" px="md" py="xs" role="note">
          The first {printCount(lines.shown)} of {printCount(lines.count)} lines are shown. Download the
          script to see all of it.
        </Text>
      )}
    </>
  );
}

/** The width of the line numbers. */
function widthOf({ shown }: TextLines) {
  return { '--digits': `${Math.max(3, String(shown).length)}ch` };
}

/** The lines of a text, for a view that draws only some of them. */
interface TextLines {
  /** All lines of the text. */
  readonly count: number;
  /** The lines that can be shown, from the first. */
  readonly shown: number;
  /** A line without its line end, cut after `MAX_LENGTH` UTF-16 units. `index` starts at 0. */
  readonly get: (index: number) => Line;
}

interface Line {
  readonly text: string;
  /** The UTF-16 units that are cut off. */
  readonly cut: number;
}

/** The maximum of lines to show: browsers limit the height of elements. */
const MAX_LINES = 500_000;
/** The maximum UTF-16 units of a line to show: very long lines make browsers slow. */
const MAX_LENGTH = 5_000;

/** Finds the lines of a text. A line end at the end of the text does not start another line. */
function indexLines(text: string): TextLines {
  const starts: number[] = [];
  let count = 0;
  for (let start = 0; start >= 0 && (start < text.length || count === 0); ) {
    if (count <= MAX_LINES) starts.push(start);
    count += 1;
    const end = text.indexOf('\n', start);
    start = end < 0 ? -1 : end + 1;
  }
  const get = (index: number): Line => {
    const start = starts[index] ?? text.length;
    const next = starts[index + 1];
    const end = next === undefined ? endOf(text) : next - 1;
    const full = end > start && text[end - 1] === '\r' ? end - 1 : end;
    const cut = Math.max(0, full - start - MAX_LENGTH);
    return { text: text.slice(start, full - cut), cut };
  };
  return { count, shown: Math.min(count, MAX_LINES), get };
}

function endOf(text: string): number {
  return text.endsWith('\n') ? text.length - 1 : text.length;
}
