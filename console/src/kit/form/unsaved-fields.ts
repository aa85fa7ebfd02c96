/** The dirty fields of react-hook-form: true for a changed value, nested as the values are. */
type DirtyFields = boolean | undefined | readonly DirtyFields[] | { [name: string]: DirtyFields }

const findDirtyPaths = (dirtyFields: DirtyFields, path = ''): string[] => {
  if (dirtyFields === true) return [path]
  if (typeof dirtyFields !== 'object') return []
  return Object.entries(dirtyFields).flatMap(([name, value]) => findDirtyPaths(value, path ? `${path}.${name}` : name))
}

/**
 * The fields with unsaved changes, in the order of `names`: the fields on screen. Values without a field on screen, such
 * as the rows of a table, count as one field for each top-level name.
 */
export const findUnsavedFields = (dirtyFields: object, names: readonly string[]): string[] => {
  const findField = (path: string) =>
    names.find((name) => path === name || path.startsWith(`${name}.`)) ?? path.slice(0, `${path}.`.indexOf('.'))
  const changed = new Set(findDirtyPaths(dirtyFields as DirtyFields).map(findField))
  return [...names.filter((name) => changed.delete(name)), ...changed]
}
