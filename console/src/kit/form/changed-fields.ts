/** The entries of a body that differ from the record: an update sends only changed fields. */
export const getChangedFields = <Body extends object>(now: Body, before: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(before, name))),
  ) as Partial<Body>

/** The names that both users have changed since, to different values. */
export const findConflicts = <Body extends object>(mine: Body, theirs: Body, before: Body): string[] => {
  const differing = getChangedFields(mine, theirs)
  const byThem = getChangedFields(theirs, before)
  return Object.keys(getChangedFields(mine, before)).filter((name) => name in byThem && name in differing)
}
