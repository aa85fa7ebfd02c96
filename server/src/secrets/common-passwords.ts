import list from './common-passwords.json'

/** What people choose most often, from the list of a maintained package; `common-passwords.json` names it. */
const common = new Set(list.passwords.split(' '))

/** Is this one of the passwords that guessing starts with? Case makes no difference. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase())
