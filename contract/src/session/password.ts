import { messages } from '../messages/session'

/** The installation's password rule. Flags are 0 or 1. */
export interface PasswordRule {
  min_password_length: number
  require_digit: number
  require_special_character: number
  /** Only where nobody has stored a rule. */
  max_password_length?: number
}

/** What a console assumes until the rule has been read. */
export const defaultPasswordRule: PasswordRule = {
  min_password_length: 6,
  require_digit: 0,
  require_special_character: 0,
}
export const lowestMinimumLength = 8
export const highestMinimumLength = 20

/** The rule out of what a server says of it: where nobody has stored one, it gives the shortest length and nothing else. */
export const passwordRuleFrom = (settings: Partial<PasswordRule>): PasswordRule => ({
  ...defaultPasswordRule,
  ...settings,
  ...(settings.require_digit === undefined ? { max_password_length: highestMinimumLength } : {}),
})

const specialCharacter = /[!@#$%^&*()_+\-=[\]{};':"\\|,.<>/?]/

/** Which bullets of the rule a password breaks, as sentences; empty when it is fine. */
export const passwordErrors = (
  password: string,
  { max_password_length: maxLength = Infinity, ...rule }: PasswordRule,
): string[] => [
  ...(password.length < rule.min_password_length ? [messages.passwordRule.length(rule.min_password_length)] : []),
  ...(rule.require_digit && !/\d/.test(password) ? [messages.passwordRule.digit] : []),
  ...(rule.require_special_character && !specialCharacter.test(password) ? [messages.passwordRule.special] : []),
  ...(password.length > maxLength ? [messages.passwordRule.most(maxLength)] : []),
]

/** The wire's refusal of a password; undefined when it is fine. Without a stored rule only the length counts. */
export const passwordRefusal = (password: string, rule: PasswordRule | undefined): string | undefined => {
  if (!rule)
    return password.length < lowestMinimumLength || password.length > highestMinimumLength
      ? `password length must be between ${lowestMinimumLength} and ${highestMinimumLength}`
      : undefined
  if (password.length < rule.min_password_length)
    return `password must be at least ${rule.min_password_length} characters long`
  if (rule.require_digit && !/\d/.test(password)) return 'password must contain at least one digit'
  if (rule.require_special_character && !specialCharacter.test(password))
    return 'password must contain at least one special character'
  return undefined
}
