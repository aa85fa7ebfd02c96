/** Lets the browser save what is at an address of this origin, under this name. */
export const saveLink = (address: string, name: string): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Hands a file to the person, as a download of the browser's own. */
export const saveFile = (content: Blob, name: string): void => {
  const address = URL.createObjectURL(content)
  saveLink(address, name)
  // the browser has begun by then, and the memory is not needed for longer
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
