/** A value of a resource, as JSON has it; nothing is null, since that is the same as absent. */
export type ScimValue = string | number | boolean | readonly ScimValue[] | ScimObject;

/** Attributes by the names that their schema gives them. Those that we read from a client have no prototype. */
export interface ScimObject {
  [name: string]: ScimValue;
}
