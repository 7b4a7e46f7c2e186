/** The contents of a home or a backup: `12 items, 1 user, …`. */
export function printAmounts(amounts: Readonly<Record<string, number>>): string {
  return Object.entries(amounts)
    .map(([name, amount]) => `${amount} ${amount === 1 ? name.replace(/s$/, '') : name}`)
    .join(', ');
}
