import { useState } from 'react';

/** How all rows of a list are selected. */
export interface WholeList {
  /** What selects the rows, such as the searched text: another one ends the selection. */
  readonly key: string;
  readonly loadIds: () => Promise<readonly string[]>;
}

/** Which rows of a list are selected. */
export interface SelectedRows {
  /** The selected rows: of the loaded ones, or of all after `selectWhole`. */
  readonly ids: readonly string[];
  readonly selected: ReadonlySet<string>;
  readonly isLoadedSelected: boolean;
  readonly toggle: (id: string) => void;
  readonly selectLoaded: () => void;
  readonly selectWhole: (ids: readonly string[]) => void;
  readonly clear: () => void;
}

interface State {
  readonly selected: ReadonlySet<string>;
  /** The key of the whole list whose rows are selected, also those that are not loaded; null without it. */
  readonly wholeKey: string | null;
}

const NONE: State = { selected: new Set(), wholeKey: null };

/** Keeps which rows are selected. A row that leaves the list is not selected any more. */
export function useSelection(loaded: readonly string[], whole: WholeList | undefined): SelectedRows {
  const [state, setState] = useState(NONE);
  const isWhole = state.wholeKey !== null;
  const isOutdated = isWhole && state.wholeKey !== whole?.key;
  if (isOutdated) setState(NONE);
  const { selected } = isOutdated ? NONE : state;
  const isLoadedSelected = loaded.length > 0 && loaded.every((id) => selected.has(id));
  return {
    ids: isWhole ? [...selected] : loaded.filter((id) => selected.has(id)),
    selected,
    isLoadedSelected,
    toggle: (id) => {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setState({ ...state, selected: next });
    },
    selectLoaded: () => setState({ selected: new Set([...selected, ...loaded]), wholeKey: state.wholeKey }),
    selectWhole: (ids) => setState({ selected: new Set(ids), wholeKey: whole?.key ?? null }),
    clear: () => setState(NONE),
  };
}
