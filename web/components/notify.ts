import { createStore, useStore } from '../api/store.ts';

/** A short message about something that is done, or why it is not. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  /** Whether something was done: the message has a mark of success. */
  readonly isDone: boolean;
}

/** Maximum messages at once; a new one replaces the oldest. */
const MAX_TOASTS = 3;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/**
 * Shows a message about something that is done, such as “Deleted the API key nightly”, or why it is not; screen readers
 * announce it.
 */
export function notify(text: string, isDone = true): void {
  lastId += 1;
  toasts.set([...toasts.get(), { id: lastId, text, isDone }].slice(-MAX_TOASTS));
}

/** Removes a message. */
export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** The messages that are shown, the oldest first. */
export function useToasts(): readonly Toast[] {
  return useStore(toasts);
}
