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
    const stop = new AbortController()
    void request(passwordSettings, { signal: stop.signal, token, isBackground: token !== undefined })
      .then((found) => setRule(toPasswordRule(found)))
      .catch(() => undefined)
    return () => stop.abort()
  }, [token])
  return rule
}

/** The password rule as a list. Each item gets a check mark once the password meets it. */
export const PasswordRules = ({ rule, password }: { rule: PasswordRule; password: string }) => {
  const title = useId()
  const broken = findPasswordErrors(password, rule)
  // the maximum length appears only once a password exceeds it
  const bullets = [...new Set([...findPasswordErrors('', rule), ...broken])]
  return (
    <div className={css.rules}>
      <p id={title}>{messages.passwordRule.title}</p>
      <ul aria-labelledby={title}>
        {bullets.map((bullet) => {
          const met = !broken.includes(bullet)
          const Icon = met ? CircleCheck : Circle
          return (
            <li key={bullet} data-met={met || undefined}>
              <Icon size={14} strokeWidth={2} aria-hidden="true" />
              {bullet}
              {met ? <span className="vh"> (done)</span> : null}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
