/** The entries of a body that say something else than the record does: an update sends nothing that nobody touched. */
export const changed = <Body extends object>(now: Body, before: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name))),
  ) as Partial<Body>
