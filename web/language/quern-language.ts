import { type Extension, Prec } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { createCompletion } from './completion/completion.ts';
import type { ListFunctions, ListTables } from './completion/context.ts';
import { type Check, createDiagnostics } from './diagnostics.ts';
import { createColours, createScanRules } from './highlighting.ts';
import type { ScanRules } from './scan/scan-line.ts';
import type { EditorDialect } from './sql-keywords.ts';
import { markStatement } from './statement-mark.ts';
import { findSymbolAt } from './symbol-at.ts';
import { MAX_LIVE, printSignature, type ScriptSymbol, type SymbolRequest, SymbolSource } from './symbols.ts';

/** What an editor knows about its text. */
interface LanguageOptions {
  /** In plain SQL, `#+` and `{{ }}` have no meaning. */
  readonly kind: 'sql' | 'script';
  /** The kind of database whose SQL it is; DuckDB if it is not known. */
  readonly dialect?: EditorDialect;
  /** Checks the text as if it were saved, for diagnostics as one types. */
  readonly check?: Check;
  /** Lists the names of other files, for completion, definitions and hovers. */
  readonly symbols?: SymbolRequest;
  /** Lists the tables of the connection, for completion. */
  readonly listTables?: ListTables;
  /** Lists its functions, for completion. */
  readonly listFunctions?: ListFunctions;
  /** Tells the person what was done, or why not. */
  readonly inform?: Inform;
  /** Opens a definition in another file. */
  readonly open?: (definition: DefinitionPosition) => void;
}

type Inform = (message: string, isDone: boolean) => void;

/** The language support of an editor. To change an option, reconfigure the compartment that contains it. */
export function quernLanguage(options: LanguageOptions): Extension {
  const {
    kind,
    dialect = 'duckdb',
    check,
    listTables = async () => ({ data: [], omitted: 0 }),
    listFunctions = async () => [],
    open = () => undefined,
    inform = () => undefined,
  } = options;
  const isScript = kind === 'script';
  const rules = createScanRules(isScript, dialect);
  const symbols = new SymbolSource(options.symbols);
  return [
    createColours(rules),
    markStatement(dialect),
    createCompletion({ rules, symbols, listTables, listFunctions }, dialect),
    ...(isScript ? [createHover(rules, symbols), createDefinition(rules, symbols, open)] : []),
    ...(isScript ? [createFormat(dialect, inform)] : []),
    ...(check === undefined ? [] : [createDiagnostics(check)]),
  ];
}

/** Shows the signature and the documentation of a block, a macro, a test or a function under the pointer. */
function createHover(rules: ScanRules, symbols: SymbolSource): Extension {
  const tooltip = hoverTooltip(async ({ state: { doc } }, position) => {
    const target = await findSymbolAt(doc, position, rules, symbols);
    if (target === null) return null;
    return {
      pos: target.from,
      end: target.to,
      above: true,
      create: () => ({ dom: createDom(target.symbol) }),
    };
  });
  return [tooltip, theme];
}

function createDom(symbol: ScriptSymbol): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'quern-hover';
  const signature = document.createElement('code');
  const type = symbol.returns === null ? '' : `: ${symbol.returns}`;
  signature.textContent = `${symbol.kind} ${printSignature(symbol)}${type}`;
  dom.append(signature);
  for (const text of [symbol.doc, symbol.file]) {
    if (!text) continue;
    const line = document.createElement('p');
    line.textContent = text;
    dom.append(line);
  }
  return dom;
}

const theme = EditorView.theme({
  '.quern-hover': { padding: '8px 12px', maxWidth: '480px', fontSize: '13px' },
  '.quern-hover code': { fontFamily: 'var(--mantine-font-family-monospace)' },
  '.quern-hover p': { margin: '6px 0 0', whiteSpace: 'pre-wrap', color: 'var(--quern-text-muted)' },
});

/** The position of a definition in another file. */
interface DefinitionPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Goes to the definition of a name on F12, or on a click with Ctrl or ⌘. */
function createDefinition(
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

/** Formats the SQL of the text on Shift Alt F; `inform` receives what was formatted, and what not. */
function createFormat(dialect: EditorDialect, inform: Inform): Extension {
  const format = async (view: EditorView): Promise<void> => {
    const { doc } = view.state;
    if (doc.length > MAX_LIVE) return inform('The script is too long to be formatted', false);
    // The library is large, and seldom needed.
    const { formatScript, printFormatting } = await import('./format/format-script.ts');
    const formatted = formatScript(doc.toString(), dialect);
    if (view.state.doc !== doc) return;
    if (formatted === null) return inform('The script has errors: correct them, then format it', false);
    if (formatted.changes.length > 0) view.dispatch({ changes: [...formatted.changes], userEvent: 'format' });
    inform(...printFormatting(formatted));
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
