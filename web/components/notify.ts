import { createStore, useStore } from '../api/store.ts';

/** What a message offers to do, such as “Undo”. */
interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/** Something is done; nothing was to do; an action has failed in the background. */
type ToastKind = 'done' | 'note' | 'failure';

/** A short message. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: ToastKind;
  readonly action: ToastAction | undefined;
}

/** Maximum messages at once; a new one replaces the oldest. */
const MAX_TOASTS = 3;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

/** Shows a message about something that is done, such as “Deleted the API key nightly”; screen readers announce it. */
export function notify(text: string, action?: ToastAction): void {
  add({ text, kind: 'done', action });
}

/** Shows a message without the mark of success: why nothing was done. */
export function notifyNote(text: string): void {
  add({ text, kind: 'note', action: undefined });
}

/** Shows that something has failed. */
export function notifyFailure(text: string): void {
  add({ text, kind: 'failure', action: undefined });
}

function add(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  toasts.set([...toasts.get(), { ...toast, id: lastId }].slice(-MAX_TOASTS));
}

/** Removes a message. */
export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** The messages that are shown, the oldest first. */
export function useToasts(): readonly Toast[] {
  return useStore(toasts);
}
