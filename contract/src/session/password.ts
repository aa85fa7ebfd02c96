import { messages } from '../messages/password'

/** The installation's password rule. Flags are 0 or 1. */
export interface PasswordRule {
  min_password_length: number
  require_digit: number
  require_special_character: number
  /** Set only if no rule is stored. */
  max_password_length?: number
}

/** The rule that the console uses until it has loaded the installation's rule. */
export const defaultPasswordRule: PasswordRule = {
  min_password_length: 6,
  require_digit: 0,
  require_special_character: 0,
}
/** The limits of `min_password_length`. Also the limits of a password's length if no rule is stored. */
export const minPasswordLengthLimit = 8
export const maxPasswordLengthLimit = 20

/**
 * Builds the rule from the server's response. If no rule is stored, the server returns only the minimum length, and the
 * maximum length applies too.
 */
export const toPasswordRule = (settings: Partial<PasswordRule>): PasswordRule => ({
  ...defaultPasswordRule,
  ...settings,
  ...(settings.require_digit === undefined ? { max_password_length: maxPasswordLengthLimit } : {}),
})

const specialCharacterPattern = /[!@#$%^&*()_+\-=[\]{};':"\\|,.<>/?]/

/** The messages for all parts of the rule that a password breaks; empty if it is valid. */
export const findPasswordErrors = (
  password: string,
  { max_password_length: maxLength = Infinity, ...rule }: PasswordRule,
): string[] => [
  ...(password.length < rule.min_password_length ? [messages.rule.length(rule.min_password_length)] : []),
  ...(rule.require_digit && !/\d/.test(password) ? [messages.rule.digit] : []),
  ...(rule.require_special_character && !specialCharacterPattern.test(password) ? [messages.rule.special] : []),
  ...(password.length > maxLength ? [messages.rule.maxLength(maxLength)] : []),
]

/**
 * The API's message for an invalid password; undefined if it is valid. Without a stored rule, only the length is
 * checked.
 */
export const findPasswordRefusal = (password: string, rule: PasswordRule | undefined): string | undefined => {
  if (!rule)
    return password.length < minPasswordLengthLimit || password.length > maxPasswordLengthLimit
      ? `password length must be between ${minPasswordLengthLimit} and ${maxPasswordLengthLimit}`
      : undefined
  if (password.length < rule.min_password_length)
    return `password must be at least ${rule.min_password_length} characters long`
  if (rule.require_digit && !/\d/.test(password)) return 'password must contain at least one digit'
  if (rule.require_special_character && !specialCharacterPattern.test(password))
    return 'password must contain at least one special character'
  return undefined
}
