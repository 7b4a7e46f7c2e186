import { EditorState, type Text, Transaction, type TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { CatalogItem } from '../../../api/catalog/catalog.ts';
import { openClosedTexts } from '../../../api/editor/closed-texts.ts';
import { type Draft, type KeptTab, openDrafts } from '../../../api/editor/drafts.ts';
import { forgotten } from '../../../api/editor/forget-texts.ts';
import { claimInstance, withInstances } from '../../../api/editor/instance.ts';
import type { SavedItem } from '../../../api/editor/save-script.ts';
import { createStore } from '../../../api/store.ts';
import { MAX_LIVE } from '../../../language/symbols.ts';
import { createExtensions } from '../text/extensions.ts';
import { findOffset } from '../text/run-errors.ts';
import { ClosedTexts } from './closed-texts.ts';
import { Elsewhere } from './elsewhere.ts';
import { Keeper } from './keeper.ts';
import { type Restored, restore } from './restore.ts';
import type { RunTarget, TablesView } from './run-target.ts';
import {
  type Base,
  createTab,
  fingerprint,
  getTitle,
  isEarlier,
  isQuery,
  printDoc,
  readQueryNumber,
  type Tab,
  toBase,
  toDoc,
  toQueryKey,
} from './tab.ts';

const NOTHING: Restored = { tabs: [], active: null, drafts: new Map(), lastQuery: 0 };

let opened: { readonly user: string; readonly workspace: Promise<EditorWorkspace> } | undefined;

/** The open tabs of a user in this tab of the browser, which stay while the user visits other pages. */
export function openWorkspace(user: string): Promise<EditorWorkspace> {
  if (opened?.user !== user) opened = { user, workspace: startWorkspace(user) };
  return opened.workspace;
}

async function startWorkspace(user: string): Promise<EditorWorkspace> {
  const owner = { user, instance: await claimInstance() };
  const store = await openDrafts().catch(() => null);
  const keeper = new Keeper(store, owner);
  const parts = { keeper, elsewhere: new Elsewhere(owner), closed: await openClosed(user) };
  if (store === null) return new EditorWorkspace(parts, NOTHING);
  return new EditorWorkspace(parts, await withInstances((open) => restore(store, owner, open)));
}

async function openClosed(user: string): Promise<ClosedTexts> {
  const store = await openClosedTexts().catch(() => null);
  return new ClosedTexts(user, store, (await store?.read(user).catch(() => [])) ?? []);
}

/** Stops the open workspace, whose texts are forgotten; the next one starts from nothing. */
forgotten.subscribe(() => {
  void opened?.workspace.then(({ keeper, elsewhere }) => {
    keeper.stop();
    elsewhere.close();
  });
  opened = undefined;
});

/** What the workspace works with. */
interface Parts {
  readonly keeper: Keeper;
  readonly elsewhere: Elsewhere;
  readonly closed: ClosedTexts;
}

/** A kept text of a tab. */
type KeptDraft = Omit<Draft, 'user' | 'instance'>;

/** The open tabs with their texts. The texts of scripts are loaded by the pages that show them. */
export class EditorWorkspace {
  readonly tabs = createStore<readonly Tab[]>([]);
  /** What the shown text runs on; null while the page shows no script. */
  readonly target = createStore<RunTarget | null>(null);
  readonly tablesView = createStore<TablesView>({ search: undefined, toggled: new Set() });
  readonly keeper: Keeper;
  readonly elsewhere: Elsewhere;
  readonly closed: ClosedTexts;
  readonly #states = new Map<number, EditorState>();
  /** The texts that ran last; null for one that is not known. */
  readonly #ranDocs = new Map<number, Text | null>();
  readonly #drafts: Map<string, KeptDraft>;
  #shown: { readonly id: number; readonly view: EditorView } | null = null;
  #active: string | null;
  #lastId = 0;
  #lastQuery: number;

  constructor({ keeper, elsewhere, closed }: Parts, { tabs, active, drafts, lastQuery }: Restored) {
    this.keeper = keeper;
    this.elsewhere = elsewhere;
    this.closed = closed;
    this.tabs.subscribe(() => elsewhere.set(listChanged(this.tabs.get())));
    this.#drafts = new Map(drafts);
    this.#active = active;
    this.#lastQuery = lastQuery;
    for (const tab of tabs) this.#add(tab);
  }

  /** The key of the tab to show first: the last shown one; null if no tab is open. */
  get active(): string | null {
    const tabs = this.tabs.get();
    return (tabs.find(({ key }) => key === this.#active) ?? tabs.at(0))?.key ?? null;
  }

  /** Records which tab is shown. */
  set active(key: string) {
    this.#active = key;
    this.#keepTabs();
  }

  /** Opens a script, if it is not open. */
  open(path: string): void {
    if (this.tabs.get().some(({ key }) => key === path)) return;
    this.#add({ key: path, runId: null, ranText: null });
    this.#keepTabs();
  }

  /** Opens a new query, and returns its key. */
  openQuery(): string {
    const key = this.#createKey();
    this.#add({ key, runId: null, ranText: null });
    this.#keepTabs();
    return key;
  }

  /** The key of a new query, whose name no open query has. */
  #createKey(): string {
    const titles = new Set(this.tabs.get().map(getTitle));
    do this.#lastQuery += 1;
    while (titles.has(getTitle({ key: toQueryKey(this.#lastQuery) })));
    return toQueryKey(this.#lastQuery);
  }

  /** Closes a tab, whose text can be reopened; returns the key of the tab to show next, or null. */
  close(id: number): string | null {
    const tabs = this.tabs.get();
    const at = tabs.findIndex((tab) => tab.id === id);
    const tab = tabs[at];
    if (tab !== undefined) {
      this.keeper.keep(tab.key, null);
      const text = tab.isChanged ? this.print(id) : null;
      // An empty query is not worth it.
      if (text !== null || !isQuery(tab.key)) {
        const { key, title, runId, ranText, base } = tab;
        this.closed.add({ key, title, runId, ranText, text, etag: base?.etag ?? null });
      }
    }
    this.#states.delete(id);
    this.#ranDocs.delete(id);
    this.tabs.set(tabs.filter((other) => other.id !== id));
    this.#keepTabs();
    return (tabs[at + 1] ?? tabs[at - 1])?.key ?? null;
  }

  /** Opens a closed text again, by default the last one; returns its key, or null if none is kept. */
  reopen(closedId?: string): string | null {
    const closed = this.closed.take(closedId);
    if (closed === null) return null;
    const { key, text, etag, closed_at: updatedAt, ...kept } = closed;
    const isOpen = this.tabs.get().some((tab) => tab.key === key);
    if (isOpen && text === null) return key;
    // The text of a script that is open becomes a query, so that neither text is lost.
    const next = isOpen ? this.#createKey() : key;
    this.#lastQuery = Math.max(this.#lastQuery, readQueryNumber(next));
    if (text !== null) {
      const draft = { key: next, text, etag: isQuery(next) ? null : etag, updated_at: updatedAt };
      this.#drafts.set(next, draft);
      this.keeper.keep(next, { length: text.length, etag: draft.etag, read: () => text });
    }
    const { title = null, runId, ranText } = kept;
    this.#add({ key: next, title: isOpen && !isQuery(key) ? null : title, runId, ranText });
    this.#keepTabs();
    return next;
  }

  /** Gives a query a name. */
  rename(id: number, title: string): void {
    this.#patch(id, { title });
    this.#keepTabs();
  }

  /** Moves a tab to a place among the others. */
  move(id: number, place: number): void {
    const tabs = this.tabs.get();
    const tab = this.#find(id);
    const others = tabs.filter((other) => other !== tab);
    const at = Math.max(0, Math.min(place, others.length));
    if (tab === undefined || tabs[at] === tab) return;
    this.tabs.set(others.toSpliced(at, 0, tab));
    this.#keepTabs();
  }

  /** The text of a tab with its selection and history; undefined while it is loaded. */
  getState(id: number): EditorState | undefined {
    return this.#states.get(id);
  }

  /** Connects a tab with the editor that shows it; null when it is closed. */
  show(id: number, view: EditorView | null): void {
    if (view !== null) this.#shown = { id, view };
    else if (this.#shown?.id === id) this.#shown = null;
  }

  /** Changes the text of a tab, also while the page shows another one. */
  dispatch(id: number, spec: TransactionSpec): void {
    const state = this.#states.get(id);
    if (this.#shown?.id === id) this.#shown.view.dispatch(spec);
    else if (state !== undefined) this.accept(id, state.update(spec).state);
  }

  /** Moves the cursor of a tab to a place, which is counted from 1, and shows it. */
  goTo(id: number, line: number, column: number): void {
    const doc = this.#states.get(id)?.doc;
    const offset = doc === undefined ? null : findOffset(doc, Math.min(line, doc.lines), column);
    if (offset === null) return;
    const effects = EditorView.scrollIntoView(offset, { y: 'center' });
    this.dispatch(id, { selection: { anchor: offset }, effects });
    if (this.#shown?.id === id) this.#shown.view.focus();
  }

  /**
   * Replaces the selection of the shown text, which then has the focus; a space separates the words. A text that cannot be
   * changed stays.
   */
  insert(text: string): void {
    const view = this.#shown?.view;
    if (view === undefined || view.state.readOnly) return;
    const { from } = view.state.selection.main;
    const isAfterWord = /[\p{L}\p{N}_$"`)\]]$/u.test(view.state.sliceDoc(Math.max(0, from - 2), from));
    const spec = view.state.replaceSelection(isAfterWord ? ` ${text}` : text);
    view.dispatch(spec, { userEvent: 'input.complete', scrollIntoView: true });
    view.focus();
  }

  /** Takes over the state of the editor that shows a tab. */
  accept(id: number, state: EditorState): void {
    const before = this.#states.get(id);
    this.#states.set(id, state);
    if (before?.doc !== state.doc) this.#compare(id);
  }

  /** Sets the text of a tab that no editor shows yet. */
  #setDoc(id: number, doc: Text): void {
    this.#states.set(id, createState(doc));
    this.#measure(id, doc);
  }

  #measure(id: number, { length }: Text): void {
    this.#patch(id, { isEmpty: length === 0, isLong: length > MAX_LIVE });
  }

  /** Takes a revision that the server has sent: the first one, or one of another user. */
  receive(id: number, item: CatalogItem): void {
    const tab = this.#find(id);
    if (tab === undefined || tab.isSaving || isQuery(tab.key)) return;
    const { base, key } = tab;
    if (base !== null) {
      this.#update(tab, base, item);
    } else {
      this.#patch(id, { isGone: false });
      this.#begin(id, item, this.#drafts.get(key));
    }
  }

  /** Records that a script does not exist any more at its path. A text that the browser has kept stays. */
  lose(id: number): void {
    const tab = this.#find(id);
    const draft = tab === undefined ? undefined : this.#drafts.get(tab.key);
    if (tab?.base === null && draft !== undefined) {
      const base = { etag: draft.etag ?? '', doc: toDoc(''), lineBreak: '\n', createdAt: '' } as const;
      this.#restore(id, draft);
      this.#patch(id, { base, isChanged: true });
    }
    this.#patch(id, { isGone: true });
    this.#compare(id);
  }

  /** Records that a request saves the text, or why it failed. */
  setSaving(id: number, isSaving: boolean, saveError: Error | null = null): void {
    this.#patch(id, { isSaving, saveError });
  }

  /** Records that the text `doc` of a tab is saved as this revision; a new path replaces the key. */
  settle(id: number, item: SavedItem, doc: Text): void {
    const tab = this.#find(id);
    if (tab === undefined) return;
    if (tab.key !== item.path) this.keeper.keep(tab.key, null);
    const { isOtherText } = tab;
    this.#patch(id, {
      ...createTab(id, { ...tab, key: item.path, title: null }),
      isOtherText,
      base: { ...toBase(item), doc },
    });
    this.#compare(id);
    this.#keepTabs();
  }

  /** Shows a newer revision and the text of a tab side by side. */
  startMerge(id: number, newer: CatalogItem): void {
    this.#patch(id, { newer, isMerging: true, saveError: null });
  }

  /** Returns to the text, with what was merged so far. */
  stopMerge(id: number): void {
    this.#patch(id, { isMerging: false });
  }

  /** Replaces the text by the newest known revision; undoing this brings the text back. */
  discard(id: number): void {
    const tab = this.#find(id);
    const base = tab?.newer ? toBase(tab.newer) : tab?.base;
    if (!base) return;
    this.#patch(id, { base, newer: null, restoredAt: null, isMerging: false });
    this.#replace(id, base.doc, true);
  }

  /** Records that the person wants to keep the restored text. */
  keepRestored(id: number): void {
    this.#patch(id, { restoredAt: null });
  }

  /** Records the last run of a tab; null for a text that is not known. */
  setRun(id: number, runId: string, doc: Text | null): void {
    this.#ranDocs.set(id, doc);
    this.#patch(id, { runId, ranText: doc === null ? null : fingerprint(doc.toString()) });
    this.#compareWithRun(id);
    this.#keepTabs();
  }

  /** The text of a tab as the catalog has it. */
  print(id: number): string {
    const doc = this.#states.get(id)?.doc;
    return doc === undefined ? '' : printDoc(doc, this.#find(id)?.base ?? null);
  }

  #find(id: number): Tab | undefined {
    return this.tabs.get().find((tab) => tab.id === id);
  }

  #patch(id: number, change: Partial<Tab>): void {
    const tab = this.#find(id);
    const isSame =
      tab !== undefined &&
      Object.entries({ ...tab, ...change }).every(([name, value]) => Reflect.get(tab, name) === value);
    if (!isSame) this.tabs.set(this.tabs.get().map((tab) => (tab.id === id ? { ...tab, ...change } : tab)));
  }

  #add(kept: KeptTab): void {
    const { key } = kept;
    this.#lastId += 1;
    this.tabs.set([...this.tabs.get(), createTab(this.#lastId, kept)]);
    if (!isQuery(key)) return;
    const draft = this.#drafts.get(key);
    this.#setDoc(this.#lastId, toDoc(draft?.text ?? ''));
    this.#patch(this.#lastId, { isChanged: draft !== undefined });
    this.#compareWithRun(this.#lastId);
  }

  #begin(id: number, item: CatalogItem, draft: KeptDraft | undefined): void {
    const base = toBase(item);
    if (draft === undefined || toDoc(draft.text).eq(base.doc)) {
      this.#setDoc(id, base.doc);
      this.#patch(id, { base });
      this.#compare(id);
      return;
    }
    this.#restore(id, draft);
    const etag = draft.etag ?? base.etag;
    this.#patch(id, { base: { ...base, etag }, isChanged: true, newer: etag === base.etag ? null : item });
    this.#compareWithRun(id);
  }

  #update({ id, isGone, isChanged, isMerging }: Tab, base: Base, item: CatalogItem): void {
    if (isGone) {
      this.#patch(id, { isGone: false });
      this.#compare(id);
    }
    if (item.etag === base.etag && item.created_at === base.createdAt) {
      this.#patch(id, { newer: null });
    } else if (isEarlier(item, base)) {
      return;
    } else if (isChanged || isMerging) {
      this.#patch(id, { newer: item });
    } else {
      const next = toBase(item);
      this.#patch(id, { base: next });
      this.#replace(id, next.doc, false);
    }
  }

  #restore(id: number, draft: KeptDraft): void {
    this.#drafts.delete(draft.key);
    this.#setDoc(id, toDoc(draft.text));
    this.#patch(id, { restoredAt: draft.updated_at });
  }

  #replace(id: number, doc: Text, isUndoable: boolean): void {
    const length = this.#states.get(id)?.doc.length ?? 0;
    const annotations = Transaction.addToHistory.of(isUndoable);
    this.dispatch(id, { changes: { from: 0, to: length, insert: doc }, annotations });
    this.#compare(id);
  }

  /** Compares a text with the catalog, and makes the browser keep it if it differs. */
  #compare(id: number): void {
    const tab = this.#find(id);
    const doc = this.#states.get(id)?.doc;
    if (tab === undefined || doc === undefined) return;
    const { key, base, isGone } = tab;
    this.#measure(id, doc);
    const isChanged = base === null ? doc.length > 0 : isGone || !doc.eq(base.doc);
    this.#patch(id, { isChanged, ...(isChanged ? {} : { restoredAt: null }) });
    const keeping = { length: doc.length, etag: base?.etag ?? null, read: () => printDoc(doc, base) };
    this.keeper.keep(key, isChanged ? keeping : null);
    this.#compareWithRun(id);
  }

  /** Compares a text with the one that ran last. After a reload, only the fingerprint of that is known. */
  #compareWithRun(id: number): void {
    const doc = this.#states.get(id)?.doc;
    const ranText = this.#find(id)?.ranText ?? null;
    if (doc === undefined) return;
    if (ranText !== null && !this.#ranDocs.has(id)) {
      this.#ranDocs.set(id, fingerprint(doc.toString()) === ranText ? doc : null);
    }
    this.#patch(id, { isOtherText: ranText !== null && !this.#ranDocs.get(id)?.eq(doc) });
  }

  #keepTabs(): void {
    const tabs = this.tabs.get().map(({ key, title, runId, ranText }) => ({ key, title, runId, ranText }));
    this.keeper.keepTabs({ tabs, active: this.#active });
  }
}

/** The scripts that are changed and not saved. */
function listChanged(tabs: readonly Tab[]): readonly string[] {
  return tabs.filter(({ key, isChanged }) => isChanged && !isQuery(key)).map(({ key }) => key);
}

function createState(doc: Text): EditorState {
  return EditorState.create({ doc, extensions: createExtensions() });
}
