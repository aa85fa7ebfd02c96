import { useFormContext, useWatch } from 'react-hook-form'
import { useActor } from '../session/session'
import { Cell } from '../ui/form/form-layout'
import { AccountField, ApplicationField, type AccountFieldProps, type ApplicationFieldProps } from './record-fields'

export interface AccountAndApplicationProps {
  /** Options of the account field. Users with only one account do not get this field. */
  account: Pick<AccountFieldProps, 'required' | 'noneLabel' | 'placeholder'>
  application: Pick<ApplicationFieldProps, 'noneLabel' | 'showsNoneAsPlaceholder'>
}

/** Two grid cells: the account that owns a record, and the application of that account that handles its calls. */
export const AccountAndApplication = ({ account, application }: AccountAndApplicationProps) => {
  const actor = useActor()
  const { setValue } = useFormContext<{ application_sid: string | null }>()
  const account_sid = useWatch<{ account_sid: string | null }>({ name: 'account_sid' })
  return (
    <>
      {actor.scope === 'account' ? null : (
        <Cell>
          <AccountField
            {...account}
            name="account_sid"
            label="Account"
            // the selected application belongs to the previous account
            onSelect={() => setValue('application_sid', null, { shouldDirty: true })}
          />
        </Cell>
      )}
      <Cell>
        <ApplicationField
          {...application}
          name="application_sid"
          label="Application"
          accountSid={account_sid}
          instruction={account_sid === null ? 'Choose an account first.' : undefined}
        />
      </Cell>
    </>
  )
}
