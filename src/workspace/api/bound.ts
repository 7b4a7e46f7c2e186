import type { Principal } from '../../identity/principal/principal.ts';

/**
 * A service bound to one principal: its methods without the parameter `principal`, each returning a promise. The
 * methods named in `Open` need no principal and no arguments. Other methods without a principal are omitted.
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
