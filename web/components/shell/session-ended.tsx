import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { discardUnsaved, useHasUnsaved } from '../../api/unsaved.ts';
import { useSession } from '../../api/use-session.ts';
import { notify } from '../notify.ts';
import { ABOVE_DIALOGS } from './layers.ts';
import { SIGN_OUT } from './use-sign-out.ts';

/**
 * Leaves the page when its session has ended, for example in another tab: to the sign-in page, which leads back here.
 * Unsaved input keeps the page; returns whether the page is being left.
 */
export function useSessionEnd(isEnded: boolean): boolean {
  const router = useRouter();
  const { data: current } = useQuery(sessionQuery);
  const isSigningOut = useIsMutating({ mutationKey: SIGN_OUT }) > 0;
  const hasInput = useHasUnsaved();
  const isLeft = isEnded && (isSigningOut || !hasInput);
  const isReplaced = Boolean(current);
  useEffect(() => {
    if (!isLeft || isSigningOut) return;
    // The pages of another user start from nothing.
    if (isReplaced) return window.location.reload();
    notify('Your session has ended. Sign in to continue.');
    void router.invalidate();
  }, [isLeft, isSigningOut, isReplaced, router]);
  return isLeft;
}

/** Keeps the unsaved input of an ended session until the person has signed in again or discards it. */
export function SessionEnded() {
  const { data: current } = useQuery(sessionQuery);
  const { user } = useSession();
  return (
    <Modal
      opened
      onClose={() => {}}
      title={current ? 'Another user has signed in' : 'Your session has ended'}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      zIndex={ABOVE_DIALOGS}
    >
      <Stack>
        <Text>
          {current
            ? `This browser is now signed in as ${current.user.user_name}. This page has input of ${user.user_name} that is not saved. To keep it, sign in as ${user.user_name} again in another tab.`
            : 'This page has input that is not saved. Sign in again in a new tab, then return here: your input is kept.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={discardUnsaved}>
            Discard the input
          </Button>
          {!current && (
            <Button component="a" href="/login" target="_blank" rel="noopener" data-autofocus>
              Sign in in a new tab
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
