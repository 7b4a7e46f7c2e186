/** Who acts: a user of this home. */
export interface Principal {
  readonly userId: string;
  readonly userName: string;
  readonly superUser: boolean;
  /** Whether the user may look at content and change none, whatever is granted (the role VIEWER). */
  readonly viewsOnly: boolean;
}
