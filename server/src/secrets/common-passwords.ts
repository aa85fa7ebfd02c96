import passwordList from './common-passwords.json'

/** The most common passwords. `common-passwords.json` names the package that the list comes from. */
const commonPasswords = new Set(passwordList.passwords.split(' '))

/** Whether this is one of the most common passwords, ignoring case. */
export const isCommonPassword = (password: string): boolean => commonPasswords.has(password.toLowerCase())
