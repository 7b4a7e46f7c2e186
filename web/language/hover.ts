import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip } from '@codemirror/view';
import type { ScanRules } from './scan/scan-line.ts';
import { findSymbolAt } from './symbol-at.ts';
import { printSignature, type ScriptSymbol, type SymbolSource } from './symbols.ts';

/** Shows the signature and the documentation of a block, a macro, a test or a function under the pointer. */
export function createHover(rules: ScanRules, symbols: SymbolSource): Extension {
  const tooltip = hoverTooltip(async ({ state: { doc } }, position) => {
    const found = await findSymbolAt(doc, position, rules, symbols);
    if (found === null) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: createDom(found.symbol) }) };
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
