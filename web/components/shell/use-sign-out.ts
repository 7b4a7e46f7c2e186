import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { forgetAnswers, signOut } from '../../api/session.ts';
import { notify } from '../notify.ts';
import { askToLeave } from './leave-dialog.tsx';

/** Identifies the mutation, so that the shell does not take the end of the session for an accident. */
export const SIGN_OUT = ['sign-out'];

/** Returns a function that signs out; it asks first if that would discard input. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const { mutate } = useMutation({
    mutationKey: SIGN_OUT,
    mutationFn: () => signOut(client),
    onSuccess: async (isSent) => {
      // The browser is about to leave this page.
      if (!isSent) await router.navigate({ to: '/login', search: {}, ignoreBlocker: true });
      forgetAnswers(client);
    },
    onError: ({ message }) => notify(`You are still signed in. ${message}`),
  });
  return async () => {
    if (await askToLeave()) mutate();
  };
}
