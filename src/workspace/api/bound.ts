import type { Principal } from '../../identity/principal/principal.ts';

/**
 * A service as one principal calls it: its methods without the principal, each of which returns a promise. Those of `Open`
 * are for everyone, and take nothing; what else takes no principal is left out.
 */
export type Bound<Service, Open extends keyof Service = never> = {
  readonly [Name in BoundName<Service, Open>]: Service[Name] extends (
    principal: Principal,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Promise<Awaited<Result>>
    : never;
};

type BoundName<Service, Open extends keyof Service> = {
  readonly [Name in keyof Service]: Service[Name] extends (...given: infer Given) => unknown
    ? Given extends readonly [Principal, ...unknown[]]
      ? Name
      : Given extends readonly []
        ? Extract<Name, Open>
        : never
    : never;
}[keyof Service];
