import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import { type EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';
import { countMatches, explainRegExp, type Matches, printMatches } from './count-matches.ts';
import classes from './find.module.css';

/** After a change of the text, the matches are counted again when no key has come for so long, in milliseconds. */
const QUIET_MS = 100;

/** The panel above a text that finds and replaces: “3 of 17”, case, whole words, regular expressions. */
export function createFindPanel(view: EditorView): Panel {
  const form = new FindForm(view);
  return {
    dom: form.dom,
    top: true,
    mount: () => form.start(),
    update: (update) => form.update(update),
    destroy: () => form.stop(),
  };
}

const NO_MATCHES: Matches = { found: [], hasMore: false, isDone: true };

class FindForm {
  readonly dom = document.createElement('div');
  readonly #view: EditorView;
  readonly #find = createField('Find');
  readonly #replace = createField('Replace with');
  readonly #case = this.#createToggle('Aa', 'Match case');
  readonly #word = this.#createToggle('Word', 'Whole word');
  readonly #regexp = this.#createToggle('.*', 'Regular expression');
  readonly #count = document.createElement('span');
  #matches = NO_MATCHES;
  #timer = 0;

  constructor(view: EditorView) {
    this.#view = view;
    this.#find.setAttribute('main-field', 'true');
    this.#count.className = classes.count ?? '';
    this.#count.setAttribute('role', 'status');
    this.dom.className = classes.panel ?? '';
    this.dom.setAttribute('role', 'search');
    this.dom.setAttribute('aria-label', 'Find and replace in the text');
    this.dom.addEventListener('keydown', (event) => this.#press(event));
    for (const field of [this.#find, this.#replace]) field.addEventListener('input', () => this.#commit());
    const close = createButton('×', 'Close the search', () => closeSearchPanel(view));
    close.classList.add(classes.close ?? '');
    this.#addRow([
      this.#find,
      this.#case,
      this.#word,
      this.#regexp,
      createButton('↑', 'Previous match', () => findPrevious(view)),
      createButton('↓', 'Next match', () => findNext(view)),
      this.#count,
      close,
    ]);
    if (!view.state.readOnly) {
      this.#addRow([
        this.#replace,
        createButton('Replace', null, () => replaceNext(view)),
        createButton('Replace all', null, () => replaceAll(view)),
      ]);
    }
    this.#show(getSearchQuery(view.state));
  }

  start(): void {
    this.#find.select();
    this.#recount(0);
  }

  stop(): void {
    window.clearTimeout(this.#timer);
  }

  update({ transactions, docChanged, selectionSet }: ViewUpdate): void {
    const changed = transactions
      .flatMap(({ effects }) => effects)
      .find((effect) => effect.is(setSearchQuery));
    if (changed?.is(setSearchQuery)) this.#show(changed.value);
    if (changed !== undefined) this.#recount(0);
    else if (docChanged) this.#recount(QUIET_MS);
    else if (selectionSet) this.#print();
  }

  #addRow(elements: readonly HTMLElement[]): void {
    const row = document.createElement('div');
    row.className = classes.row ?? '';
    row.append(...elements);
    this.dom.append(row);
  }

  #createToggle(label: string, name: string): HTMLButtonElement {
    const button = createButton(label, name, () => {
      button.setAttribute('aria-pressed', String(button.ariaPressed !== 'true'));
      this.#commit();
    });
    button.setAttribute('aria-pressed', 'false');
    return button;
  }

  #press(event: KeyboardEvent): void {
    const isEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isHandled =
      runScopeHandlers(this.#view, event, 'search-panel') ||
      (isEnter && this.#enter(event.target, event.shiftKey));
    if (isHandled) event.preventDefault();
  }

  #enter(field: EventTarget | null, isBack: boolean): boolean {
    if (field === this.#replace) return replaceNext(this.#view);
    if (field !== this.#find) return false;
    if (isBack) findPrevious(this.#view);
    else findNext(this.#view);
    return true;
  }

  /** Searches for what the fields have now. */
  #commit(): void {
    const isRegExp = this.#regexp.ariaPressed === 'true';
    const query = new SearchQuery({
      search: this.#find.value,
      replace: this.#replace.value,
      caseSensitive: this.#case.ariaPressed === 'true',
      wholeWord: this.#word.ariaPressed === 'true',
      regexp: isRegExp,
      // A typed `\n` is these two characters, except in a regular expression.
      literal: !isRegExp,
    });
    if (!query.eq(getSearchQuery(this.#view.state)))
      this.#view.dispatch({ effects: setSearchQuery.of(query) });
  }

  #show({ search, replace, caseSensitive, wholeWord, regexp }: SearchQuery): void {
    if (this.#find.value !== search) this.#find.value = search;
    if (this.#replace.value !== replace) this.#replace.value = replace;
    this.#case.setAttribute('aria-pressed', String(caseSensitive));
    this.#word.setAttribute('aria-pressed', String(wholeWord));
    this.#regexp.setAttribute('aria-pressed', String(regexp));
  }

  /** Counts the matches after a time, with pauses. */
  #recount(delay: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      const query = getSearchQuery(this.#view.state);
      this.#matches = NO_MATCHES;
      if (query.valid) this.#continue(countMatches(query, this.#view.state));
      else this.#print();
    }, delay);
  }

  #continue(parts: ReturnType<typeof countMatches>): void {
    const { value } = parts.next();
    if (!value) return;
    this.#matches = value;
    this.#print();
    if (!value.isDone) this.#timer = window.setTimeout(() => this.#continue(parts));
  }

  #print(): void {
    const { search, regexp } = getSearchQuery(this.#view.state);
    const error = regexp && search !== '' ? explainRegExp(search) : null;
    const { main } = this.#view.state.selection;
    const text = error ?? (search === '' ? '' : printMatches(this.#matches, main));
    // Screen readers announce each change.
    if (this.#count.textContent !== text) this.#count.textContent = text;
    this.#count.toggleAttribute('data-invalid', error !== null);
    this.#find.setAttribute('aria-invalid', String(error !== null));
  }
}

function createField(label: string): HTMLInputElement {
  const field = document.createElement('input');
  field.className = classes.field ?? '';
  field.placeholder = label;
  field.setAttribute('aria-label', label);
  field.autocomplete = 'off';
  field.spellcheck = false;
  return field;
}

/** A button; `name` says what it does if its text is a sign. */
function createButton(text: string, name: string | null, act: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = classes.button ?? '';
  button.textContent = text;
  if (name === null) button.dataset.kind = 'text';
  else {
    button.title = name;
    button.setAttribute('aria-label', name);
  }
  button.addEventListener('click', act);
  return button;
}
