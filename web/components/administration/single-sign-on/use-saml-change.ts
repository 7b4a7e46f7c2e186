import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  changeSaml,
  type SamlSettingsChange,
  type StoredSaml,
} from '../../../api/administration/single-sign-on.ts';
import { notify } from '../../notify.ts';

/** Stores a part of the settings; `text` says what was stored. */
export function useSamlChange(text: string): UseMutationResult<StoredSaml, Error, SamlSettingsChange> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: SamlSettingsChange) => changeSaml(client, change),
    onSuccess: () => notify(text),
  });
}
