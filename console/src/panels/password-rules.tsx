import { messages } from '@trunkline/contract/messages/password'
import { passwordSettings } from '@trunkline/contract/resources/session'
import {
  defaultPasswordRule,
  findPasswordErrors,
  toPasswordRule,
  type PasswordRule,
} from '@trunkline/contract/session/password'
import { Circle, CircleCheck } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { request } from '../lib/client'
import { PasswordField, type PasswordFieldProps } from '../ui/form/text-field'
import css from './password-rules.module.css'

/**
 * The installation's password rule. Until it is loaded, or if that fails, the default rule. `token` replaces the
 * session's token; an error then does not end the session.
 */
export const usePasswordRule = (token?: string): PasswordRule => {
  const [rule, setRule] = useState(defaultPasswordRule)
  useEffect(() => {
    const abortController = new AbortController()
    void request(passwordSettings, { signal: abortController.signal, token, keepsSession: token !== undefined })
      .then((settings) => setRule(toPasswordRule(settings)))
      .catch(() => undefined)
    return () => abortController.abort()
  }, [token])
  return rule
}

/** The error message for a password that breaks the rule. */
export const describePasswordErrors = (password: string, rule: PasswordRule): string | undefined => {
  const unmetRules = findPasswordErrors(password, rule)
  return unmetRules.length > 0 ? `${messages.rule.title} ${unmetRules.join(', ')}` : undefined
}

interface PasswordRulesProps {
  rule: PasswordRule
  password: string
  /** Directly below its field, without the space between fields. */
  isBelowField?: boolean
}

/** The password rule as a list. Each item gets a check mark once the password meets it. */
export const PasswordRules = ({ rule, password, isBelowField }: PasswordRulesProps) => {
  const titleId = useId()
  const unmetRules = findPasswordErrors(password, rule)
  // the maximum length appears only once a password exceeds it
  const items = [...new Set([...findPasswordErrors('', rule), ...unmetRules])]
  return (
    <div className={css.rules} data-below-field={isBelowField || undefined}>
      <p id={titleId}>{messages.rule.title}</p>
      <ul aria-labelledby={titleId}>
        {items.map((item) => {
          const isMet = !unmetRules.includes(item)
          const Icon = isMet ? CircleCheck : Circle
          return (
            <li key={item} data-met={isMet || undefined}>
              <Icon size={14} strokeWidth={2} aria-hidden="true" />
              {item}
              {isMet ? <span className="visually-hidden"> (done)</span> : null}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The unmet parts of the rule as an error, in a list if there are several. */
const RuleError = ({ rule, password }: { rule: PasswordRule; password: string }) => {
  const unmetRules = findPasswordErrors(password, rule)
  if (unmetRules.length < 2) return describePasswordErrors(password, rule)
  return (
    <>
      {messages.rule.title}
      <ul className={css.unmet}>
        {unmetRules.map((unmetRule) => (
          <li key={unmetRule}>{unmetRule}</li>
        ))}
      </ul>
    </>
  )
}

interface NewPasswordFieldProps extends Omit<PasswordFieldProps, 'error' | 'value'> {
  rule: PasswordRule
  value: string
  error: string | undefined
  /** Shown between the field and the rule. */
  children?: ReactNode
}

/** A large field for a new password, with the rule below it. An error about the rule replaces its list. */
export const NewPasswordField = ({ rule, error, children, ...field }: NewPasswordFieldProps) => {
  const isRuleError = error !== undefined && error === describePasswordErrors(field.value, rule)
  return (
    <div>
      <PasswordField
        {...field}
        size="large"
        showLabel="Show password"
        autoComplete="new-password"
        required
        error={isRuleError ? <RuleError rule={rule} password={field.value} /> : error}
      />
      {children}
      {isRuleError ? null : <PasswordRules rule={rule} password={field.value} isBelowField />}
    </div>
  )
}
