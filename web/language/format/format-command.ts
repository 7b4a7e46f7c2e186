import type { Extension } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type { EditorDialect } from '../sql-keywords.ts';
import { MAX_LIVE } from '../symbols.ts';

/** Formats the SQL of the text on Shift Alt F; `inform` receives what was not formatted. */
export function createFormat(dialect: EditorDialect, inform: (message: string) => void): Extension {
  const format = async (view: EditorView): Promise<void> => {
    const { doc } = view.state;
    if (doc.length > MAX_LIVE) return inform('The script is too long to be formatted');
    // The library is large, and seldom needed.
    const { formatScript } = await import('./format-script.ts');
    const formatted = formatScript(doc.toString(), dialect);
    if (view.state.doc !== doc) return;
    if (formatted === null) return inform('The script has errors: correct them, then format it');
    if (formatted.changes.length > 0) view.dispatch({ changes: [...formatted.changes], userEvent: 'format' });
    if (formatted.left > 0) inform(explain(formatted.left));
  };
  return keymap.of([
    {
      key: 'Shift-Alt-f',
      run: (view) => {
        if (!view.state.readOnly) void format(view);
        return true;
      },
    },
  ]);
}

function explain(left: number): string {
  const what = left === 1 ? 'One block was' : `${left} blocks were`;
  return `${what} not formatted: only SQL without conditions and loops can be`;
}
