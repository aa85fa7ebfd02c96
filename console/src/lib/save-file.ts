/** Downloads a same-origin URL under this file name. */
export const saveUrl = (address: string, name: string): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Downloads a Blob under this file name. */
export const saveFile = (content: Blob, name: string): void => {
  const address = URL.createObjectURL(content)
  saveUrl(address, name)
  // by then the browser has started the download, so free the memory
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
