/** A JSON value of a resource; never null, because null means the same as absent. */
export type ScimValue = string | number | boolean | readonly ScimValue[] | ScimObject;

/** Attributes by their names in the schema. Objects read from a client have no prototype. */
export interface ScimObject {
  [name: string]: ScimValue;
}
