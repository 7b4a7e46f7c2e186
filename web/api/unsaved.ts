import { useEffect, useId } from 'react';
import { createStore, useStore } from './store.ts';

/** The forms that contain input which is not saved. */
const forms = createStore<ReadonlySet<string>>(new Set());

/**
 * Registers a form while it has input that is not saved. Before the person leaves the page, the console asks; and when
 * the session ends, the page stays until the person has signed in again or discards the input.
 */
export function useUnsaved(isUnsaved: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    forms.set(new Set([...forms.get(), id]));
    return () => forms.set(new Set([...forms.get()].filter((other) => other !== id)));
  }, [id, isUnsaved]);
}

/** Whether a form has input that is not saved. */
export function hasUnsaved(): boolean {
  return forms.get().size > 0;
}

/** The same; the component renders again when it changes. */
export function useHasUnsaved(): boolean {
  return useStore(forms).size > 0;
}

/** Discards the input of all forms, after the person has agreed. */
export function discardUnsaved(): void {
  forms.set(new Set());
}
