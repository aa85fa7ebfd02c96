/** Returns the list with one entry moved to another index. */
export const moveEntry = <Entry>(list: readonly Entry[], fromIndex: number, toIndex: number): Entry[] => {
  const otherEntries = list.toSpliced(fromIndex, 1)
  return otherEntries.toSpliced(toIndex, 0, ...list.slice(fromIndex, fromIndex + 1))
}
