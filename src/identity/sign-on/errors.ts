import { ServiceError } from '../../errors/service-error.ts';

/** Errors of linked identities and test sign-ins. */
export const signOnErrors = {
  linked: (subject: string, userName: string) =>
    new ServiceError(409, 'identity_linked', `${subject} is already linked to the user ${userName}`, {
      hint: 'delete that user, or link another name',
    }),
  noLinks: (what: string) => new ServiceError(404, 'identity_not_linked', `No identity is linked to ${what}`),
  oneOwner: () =>
    new ServiceError(400, 'link_owner_invalid', 'Exactly one of user_name and entity_id is required'),
  testNotFound: (id: string) =>
    new ServiceError(404, 'test_sign_in_not_found', `Test sign-in not found: ${id}`, {
      hint: 'it may have expired: start another one',
    }),
};
