/** The options of a filter by value, after one that selects all rows. */
export function toOptions(all: string, names: Readonly<Record<string, string>>) {
  return [{ value: '', label: all }, ...Object.entries(names).map(([value, label]) => ({ value, label }))];
}
