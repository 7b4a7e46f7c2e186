/** The `z-index` of a dialog about another dialog, which Mantine places at 200; notifications are at 400. */
export const ABOVE_DIALOGS = 300;
