/** A name below another one: `a` and `b` are `a.b`, `a` and `[].b` are `a[].b`. */
export const joined = (outer: string, inner: string): string =>
  outer === '' || inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;

/** A value that is not what the interface documents. Thrown where it is seen, named on the way out, answered as a 400. */
export class Mismatch extends Error {
  /** The legacy name of the value, as the sender knows it: `payload.GoverningBodies[0].id`. */
  field = '';

  constructor(readonly expected: string) {
    super(`expected ${expected}`);
  }

  /** Puts the name of what holds the value in front. */
  within(name: string): this {
    this.field = joined(name, this.field);
    return this;
  }
}

/** Throws a Mismatch: what was expected, as a noun phrase. */
export function expected(what: string): never {
  throw new Mismatch(what);
}

/** Runs a reading and gives its mismatches a name. */
export function named<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? error.within(name) : error;
  }
}
