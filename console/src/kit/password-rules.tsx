import { messages } from '@trunkline/contract/messages/session'
import { passwordFaults, type PasswordRule } from '@trunkline/contract/session/password'
import { Circle, CircleCheck } from 'lucide-react'
import css from './rules.module.css'

/** The password rule as bullets; each is ticked as soon as it holds. */
export const PasswordRules = ({ rule, broken }: { rule: PasswordRule; broken: string[] }) => (
  <div className={css.rules}>
    <p id="password-rule">{messages.passwordRule.title}</p>
    <ul aria-labelledby="password-rule">
      {passwordFaults('', rule).map((bullet) => {
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
