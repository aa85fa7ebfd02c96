/** Whether this looks like an e-mail address. Only a message can verify that the mailbox exists. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text)
