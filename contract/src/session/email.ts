/** Can this be an e-mail address? Whether there is a mailbox behind it only a mail can tell. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)
