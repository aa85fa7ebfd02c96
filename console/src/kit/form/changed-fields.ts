/** The entries of a body that differ from the record: an update sends only changed fields. */
export const getChangedFields = <Body extends object>(current: Body, previous: Body): Partial<Body> =>
  Object.fromEntries(
    Object.entries(current).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(previous, name)),
    ),
  ) as Partial<Body>

/** The names of the fields that both users have changed since `initial`, to different values. */
export const findConflicts = <Body extends object>(ownValues: Body, storedValues: Body, initial: Body): string[] => {
  const differences = getChangedFields(ownValues, storedValues)
  const storedChanges = getChangedFields(storedValues, initial)
  return Object.keys(getChangedFields(ownValues, initial)).filter(
    (name) => name in storedChanges && name in differences,
  )
}
