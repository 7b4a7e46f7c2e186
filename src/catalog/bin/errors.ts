import { ServiceError } from '../../errors/service-error.ts';

/** The bin has no item of this id that the caller may see. */
export function deletedItemNotFound(id: string): ServiceError {
  return new ServiceError(404, 'deleted_item_not_found', `Deleted item not found: ${id}`);
}
