import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { ScanRules } from './scan/scan-line.ts';
import { findSymbolAt } from './symbol-at.ts';
import type { ScriptSymbol, SymbolSource } from './symbols.ts';

/** The position of a definition in another file. */
export interface DefinitionPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Goes to the definition of a name on F12, or on a click with Ctrl or ⌘. */
export function createDefinition(
  rules: ScanRules,
  symbols: SymbolSource,
  open: (definition: DefinitionPosition) => void,
): Extension {
  const go = async (view: EditorView, position: number) => {
    const { doc } = view.state;
    const target = await findSymbolAt(doc, position, rules, symbols);
    if (target !== null && view.state.doc === doc) goTo(view, target.symbol, open);
  };
  return [
    Prec.high(
      keymap.of([
        {
          key: 'F12',
          run: (view) => {
            void go(view, view.state.selection.main.head);
            return true;
          },
        },
      ]),
    ),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return false;
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (position === null) return false;
        void go(view, position);
        return false;
      },
    }),
  ];
}

function goTo(
  view: EditorView,
  { file, line, column }: ScriptSymbol,
  open: (to: DefinitionPosition) => void,
): void {
  if (file === null || line === null || column === null) return;
  if (file !== '') {
    open({ file, line, column });
    return;
  }
  const anchor = view.state.doc.line(line).from + column - 1;
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  view.focus();
}
