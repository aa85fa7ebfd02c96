import { messages } from '@trunkline/contract/messages/session'
import { passwordSettings } from '@trunkline/contract/resources/session'
import {
  defaultPasswordRule,
  findPasswordErrors,
  toPasswordRule,
  type PasswordRule,
} from '@trunkline/contract/session/password'
import { Circle, CircleCheck } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { request } from '../lib/client'
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

/** The password rule as a list. Each item gets a check mark once the password meets it. */
export const PasswordRules = ({ rule, password }: { rule: PasswordRule; password: string }) => {
  const titleId = useId()
  const unmetRules = findPasswordErrors(password, rule)
  // the maximum length appears only once a password exceeds it
  const items = [...new Set([...findPasswordErrors('', rule), ...unmetRules])]
  return (
    <div className={css.rules}>
      <p id={titleId}>{messages.passwordRule.title}</p>
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
