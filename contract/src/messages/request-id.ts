/** The last line of an error message that names the failed request. */
const requestIdLine = /\nRequest ID (\S+)$/

/**
 * Adds the ID of the failed request to an error message, as a line of its own. Every place that shows the message then
 * shows the ID too.
 */
export const addRequestId = (message: string, requestId: string): string => `${message}\nRequest ID ${requestId}`

/** Separates an error message from the ID of the failed request. */
export const splitRequestId = (text: string): { message: string; requestId: string | undefined } => ({
  message: text.replace(requestIdLine, ''),
  requestId: requestIdLine.exec(text)?.[1],
})
