import { describe, expect, it } from 'vitest';
import {
  printAnswer,
  printChange,
  printEffect,
} from '../../web/components/administration/permissions/print-change.ts';

describe('a change of grants as a sentence', () => {
  it.each([
    [{ target: '@Shared', subject: 'user:ana', level: 'EDIT' }, 'Grant EDIT on @Shared to ana'],
    [
      { target: 'connection:shop', subject: 'everyone', level: 'USE' },
      'Grant USE on connection:shop to everyone',
    ],
    [
      { target: '@Shared', subject: 'group:a b', level: 'NONE' },
      'Revoke the grant of the group a b on @Shared',
    ],
    [
      { target: '@Shared/x', restricted: true },
      'Restrict @Shared/x: grants on the folders above do not count',
    ],
    [
      { target: '@Shared/x', restricted: false },
      'Lift the restriction of @Shared/x: grants on the folders above count again',
    ],
  ] as const)('names the subject, the level and the target: %j', (change, sentence) => {
    expect(printChange(change)).toBe(sentence);
  });

  it.each([
    ['NONE', 'VIEW', 'ana gains VIEW on @Shared'],
    ['VIEW', 'EDIT', 'ana gains EDIT on @Shared, instead of VIEW'],
    ['MANAGE', 'EDIT', 'ana keeps only EDIT on @Shared, instead of MANAGE'],
    ['VIEW', 'NONE', 'ana loses VIEW on @Shared, and has no access left'],
    ['READ', 'USE', 'ana gains USE on @Shared, instead of READ'],
    ['MANAGE', 'READ', 'ana keeps only READ on @Shared, instead of MANAGE'],
  ] as const)('says what is gained and lost from %s to %s', (before, after, sentence) => {
    expect(printEffect({ user: 'ana', target: '@Shared', before, after })).toBe(sentence);
  });

  it('answers whether a user can see a target', () => {
    expect(printAnswer('ana', '@Shared', 'NONE')).toBe('No, ana cannot see @Shared.');
    expect(printAnswer('ana', '@Shared', 'VIEW')).toBe(
      'Yes, ana can see, read and run @Shared: the level is VIEW.',
    );
    expect(printAnswer('ana', 'connection:shop', 'READ')).toBe(
      'Yes, ana can read with connection:shop: the level is READ.',
    );
  });
});
