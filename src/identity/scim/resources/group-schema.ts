import { attribute, complex, type ResourceType } from '../protocol/schema.ts';

/** Groups (docs/reference/scim-groups.md#attributes; RFC 7643, 4.2). */
export const GROUP_TYPE: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Groups of accounts',
  schema: {
    id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
    name: 'Group',
    description: 'A group of accounts',
    attributes: [
      attribute('displayName', 'The name of the group', { required: true, uniqueness: 'server' }),
      attribute('description', 'The purpose of the group'),
      attribute('external', 'Whether another system manages the group', { type: 'boolean' }),
      complex(
        'members',
        'The users in the group',
        [
          attribute('value', "The user's identifier", { required: true, mutability: 'immutable' }),
          attribute('display', "The user's name", { mutability: 'immutable' }),
          attribute('$ref', "The user's URL", {
            type: 'reference',
            mutability: 'immutable',
            referenceTypes: ['User'],
          }),
          attribute('type', 'The type of the member', { mutability: 'immutable', canonicalValues: ['USER'] }),
        ],
        { multiValued: true, maxValues: Number.POSITIVE_INFINITY },
      ),
    ],
  },
  extensions: [],
};
