/** One address, without characters that a mail server could interpret. */
const addressPattern = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
const maxLength = 255

/** Whether mail may be sent to a text that anyone can enter. */
export const isMailAddress = (text: string): boolean => text.length <= maxLength && addressPattern.test(text)

/** Whether it is an address that can be compared reliably: other alphabets contain characters that look alike. */
export const isAsciiMailAddress = (text: string): boolean => isMailAddress(text) && /^[\x21-\x7e]+$/.test(text)
