import { CloseButton, Paper, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CheckIcon } from '../icons.tsx';
import { dismiss, type Toast, useToasts } from '../notify.ts';
import classes from './toasts.module.css';

const VISIBLE_MS = 6_000;

/** The messages about what is done. The live region exists from the start, so that screen readers observe it. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <section className={classes.region} aria-label="Notifications" aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** Disappears by itself, but not while the pointer or the focus is on it. */
function ToastCard({ toast }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(toast.id), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [toast.id, isHeld]);
  return (
    <Paper
      className={classes.toast}
      shadow="md"
      radius="md"
      withBorder
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={classes.mark}>
        <CheckIcon />
      </span>
      <Text size="sm" className={classes.text}>
        {toast.text}
      </Text>
      <CloseButton size="sm" aria-label="Dismiss the notification" onClick={() => dismiss(toast.id)} />
    </Paper>
  );
}
