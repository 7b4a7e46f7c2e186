import { ensureSyntaxTree, highlightingFor } from '@codemirror/language';
import { EditorState, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { highlightTree } from '@lezer/highlight';
import { nonce } from '../../../api/nonce.ts';
import { createColours, createScanRules } from '../../../language/highlighting.ts';

/** The time to find the colours of a text, in milliseconds; a text that needs more stays plain. */
const MAX_MS = 500;

/** A piece of a line with the class of its colour. */
interface Piece {
  readonly text: string;
  readonly className: string | undefined;
}

/** Returns the pieces of a line, which is counted from 0, with its shown text. */
export type ColourLine = (index: number, text: string) => readonly Piece[];

const COLOURS = createColours(createScanRules(true));

/** Finds the colours of a script, which are those of the editor; null for a text that takes too long. */
export function createLineColours(content: string): ColourLine | null {
  const extensions = [COLOURS, EditorView.cspNonce.of(nonce)];
  const state = EditorState.create({ doc: Text.of(content.split('\n')), extensions });
  const tree = ensureSyntaxTree(state, state.doc.length, MAX_MS);
  if (tree === null) return null;
  // An editor adds the styles to the document.
  new EditorView({ extensions }).destroy();
  const highlighter = {
    style: (tags: Parameters<typeof highlightingFor>[1]) => highlightingFor(state, tags),
  };
  return (index, text) => {
    const { from } = state.doc.line(index + 1);
    const pieces: Piece[] = [];
    let end = from;
    const add = (start: number, className?: string) => {
      if (start > end) pieces.push({ text: text.slice(end - from, start - from), className });
      end = start;
    };
    highlightTree(
      tree,
      highlighter,
      (start, stop, className) => {
        add(start);
        add(stop, className);
      },
      from,
      from + text.length,
    );
    add(from + text.length);
    return pieces;
  };
}
