import passwordList from './common-passwords.json'

/** Whether this is one of the most common passwords, ignoring case. `common-passwords.json` names the source of the list. */
export const isCommonPassword = (password: string): boolean =>
  // The list is searched as text: a set of 18,000 strings needs 2 MiB.
  !password.includes(' ') && ` ${passwordList.passwords} `.includes(` ${password.toLowerCase()} `)
