import { useFormContext, useWatch } from 'react-hook-form'
import { useActor } from '../session/session'
import { Cell } from '../ui/form-layout'
import { Account, Application, type AccountProps, type ApplicationProps } from './records'

export interface AccountAndApplicationProps {
  /** How the account is asked for; who has one account only is not asked. */
  account: Pick<AccountProps, 'required' | 'none' | 'placeholder'>
  application: Pick<ApplicationProps, 'none' | 'nonePrompts'>
}

/** Whose a record is, and the application of that account that takes its calls: cells of a form's Grid. */
export const AccountAndApplication = ({ account, application }: AccountAndApplicationProps) => {
  const actor = useActor()
  const { setValue } = useFormContext<{ application_sid: string | null }>()
  const account_sid = useWatch<{ account_sid: string | null }>({ name: 'account_sid' })
  return (
    <>
      {actor.scope === 'account' ? null : (
        <Cell>
          <Account
            {...account}
            name="account_sid"
            label="Account"
            // an application of the account before does not take this one's calls
            onPick={() => setValue('application_sid', null, { shouldDirty: true })}
          />
        </Cell>
      )}
      <Cell>
        <Application
          {...application}
          name="application_sid"
          label="Application"
          account={account_sid}
          instruction={account_sid === null ? 'Choose an account first.' : undefined}
        />
      </Cell>
    </>
  )
}
