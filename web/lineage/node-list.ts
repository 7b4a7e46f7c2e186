import { get } from './get-element.ts';
import type { Lineage } from './read-lineage.ts';
import { createSearch, type FoundNodes } from './search-nodes.ts';

/** The list of all blocks and tests, with its search. */
export class NodeList {
  readonly #lineage: Lineage;
  readonly #list = get('list', HTMLElement);
  readonly #field = get('search', HTMLInputElement);
  readonly #count = get('found', HTMLOutputElement);
  readonly #search: (query: string) => FoundNodes;

  /** `open` shows a block or test that the search chooses. */
  constructor(lineage: Lineage, open: (id: string) => void) {
    this.#lineage = lineage;
    this.#search = createSearch(lineage.nodes.values());
    this.#field.addEventListener('input', () => this.#filter());
    this.#field.form?.addEventListener('submit', (event) => {
      event.preventDefault();
      const { best } = this.#search(this.#field.value);
      if (best !== null) open(best);
    });
    this.#list.addEventListener('keydown', (event) => this.#move(event));
    get('skip', HTMLButtonElement).addEventListener('click', () => get('related', HTMLElement).focus());
    this.#filter();
  }

  /** Marks the chosen one, and scrolls to it. */
  mark(chosen: string | null): void {
    for (const { id, link } of this.#lineage.nodes.values()) {
      if (id === chosen) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
      if (id === chosen) this.#scrollTo(link);
    }
  }

  /** Scrolls the list, but not the page. */
  #scrollTo(link: HTMLElement): void {
    const [box, frame] = [link.getBoundingClientRect(), this.#list.getBoundingClientRect()];
    if (box.top >= frame.top && box.bottom <= frame.bottom) return;
    this.#list.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
  }

  #filter(): void {
    const query = this.#field.value.trim();
    const { ids, best } = this.#search(query);
    const { nodes } = this.#lineage;
    for (const { id, item, link } of nodes.values()) {
      item.hidden = !ids.has(id);
      link.classList.toggle('best', query !== '' && id === best);
    }
    for (const section of document.querySelectorAll<HTMLElement>('nav section')) {
      section.hidden = section.querySelector('li:not([hidden])') === null;
    }
    this.#count.value =
      ids.size === 0 && query !== ''
        ? `No block or test contains “${query}”`
        : `${ids.size} of ${nodes.size} blocks and tests`;
  }

  #move(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const shown = [...this.#lineage.nodes.values()].filter(({ item }) => !item.hidden);
    const stops: (Element | null)[] = [this.#field, ...shown.map(({ link }) => link)];
    const current = stops.indexOf(document.activeElement);
    const next = current === -1 ? undefined : stops[current + step];
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  }
}
