/** The entries of a body that say something else than the record does: an update sends nothing that nobody touched. */
export const changed = <Body extends object>(now: Body, before: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name))),
  ) as Partial<Body>

/** The names whose value two people have changed since, each to something else. */
export const changedByBoth = <Body extends object>(mine: Body, theirs: Body, before: Body): string[] => {
  const differing = changed(mine, theirs)
  const byThem = changed(theirs, before)
  return Object.keys(changed(mine, before)).filter((name) => name in byThem && name in differing)
}
