/** Who acts: a user of this home. */
export interface Principal {
  readonly userId: string;
  readonly userName: string;
  readonly superUser: boolean;
}
