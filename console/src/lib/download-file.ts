/** Downloads a same-origin URL under this file name. */
export const downloadUrl = (url: string, fileName: string): void => {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}

/** Downloads a Blob under this file name. */
export const downloadFile = (blob: Blob, fileName: string): void => {
  const url = URL.createObjectURL(blob)
  downloadUrl(url, fileName)
  // by then the browser has started the download, so free the memory
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
