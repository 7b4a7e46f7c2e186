import { useEffect, useId } from 'react';
import { createStore, useStore } from './store.ts';

/** The forms that contain input which is not saved, each with whether the browser keeps it. */
const forms = createStore<ReadonlyMap<string, boolean>>(new Map());

/**
 * Registers a form while it has input that is not saved. Before the person leaves the page, the console asks, unless
 * the browser keeps the input for the next visit (`isKept`). When the session ends, the page stays until the person has
 * signed in again or discards the input.
 */
export function useUnsaved(isUnsaved: boolean, isKept = false): void {
  const id = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    forms.set(new Map([...forms.get(), [id, isKept]]));
    return () => forms.set(new Map([...forms.get()].filter(([other]) => other !== id)));
  }, [id, isUnsaved, isKept]);
}

/** Whether a form has input that is lost when the person leaves the page. */
export function hasUnsaved(): boolean {
  return [...forms.get().values()].includes(false);
}

/** Whether a form has input that is not saved; the component renders again when it changes. */
export function useHasUnsaved(): boolean {
  return useStore(forms).size > 0;
}

/** Discards the input of all forms, after the person has agreed. */
export function discardUnsaved(): void {
  forms.set(new Map());
}
