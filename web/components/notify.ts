import { createStore, useStore } from '../api/store.ts';

/** A short message about something that is done. */
export interface Toast {
  readonly id: number;
  readonly text: string;
}

/** Maximum messages at once; a new one replaces the oldest. */
const MAX_TOASTS = 3;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Shows a message about something that is done, such as “Deleted the API key nightly”; screen readers announce it. */
export function notify(text: string): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, text }].slice(-MAX_TOASTS));
}

/** Removes a message. */
export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** The messages that are shown, the oldest first. */
export function useToasts(): readonly Toast[] {
  return useStore(toasts);
}
