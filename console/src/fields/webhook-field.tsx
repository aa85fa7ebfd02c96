import { useContext, useState, type ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Cell, Grid } from '../ui/form/form-layout'
import { Checkbox } from '../ui/form/checkbox'
import { SelectField } from './select-field'
import { ReadOnlyContext } from './field-registry'
import { SecretField } from './secret-field'
import { FormTextField } from './text-fields'
import css from './webhook-field.module.css'

/** A webhook as form values. */
export interface WebhookValue {
  url: string
  method: string
  username: string
  password: string
}

interface StoredWebhook {
  url?: string | null
  method?: string | null
  username?: string | null
  password?: string | null
}

/** Converts a record's webhook to form values. Returns the defaults if the record has none. */
export const toWebhookValue = (stored: StoredWebhook | null | undefined): WebhookValue => ({
  url: stored?.url ?? '',
  method: stored?.method ?? 'POST',
  username: stored?.username ?? '',
  password: stored?.password ?? '',
})

/** Converts form values to the wire format: null without a URL, and null for an empty username or password. */
export const toWebhookBody = ({ url, method, username, password }: WebhookValue) =>
  url.trim() === ''
    ? null
    : { url: url.trim(), method: method as 'GET' | 'POST', username: username || null, password: password || null }

/** Basic authentication requires both a username and a password. Returns field errors, for a form's validation. */
export const validateWebhook = (name: string, { username, password }: WebhookValue): Record<string, string> => ({
  ...(password && !username ? { [`${name}.username`]: 'Username is required.' } : {}),
  ...(username && !password ? { [`${name}.password`]: 'Password is required.' } : {}),
})

export interface WebhookFieldProps {
  /** The wire name of the webhook: 'call_hook'. */
  name: string
  /** For example 'Calling webhook'. */
  label: string
  required?: boolean
  help?: string
  /** The methods to select from. Default: both. */
  methods?: ('POST' | 'GET')[]
  /** Controls at the end of the authentication row. */
  end?: ReactNode
}

/** A webhook: URL, method, and basic authentication, which stays hidden until the user enables it. */
export const WebhookField = ({ name, label, required, help, methods = ['POST', 'GET'], end }: WebhookFieldProps) => {
  const { setValue } = useFormContext()
  const readOnly = useContext(ReadOnlyContext)
  const [url, username, password] = useWatch({
    name: [`${name}.url`, `${name}.username`, `${name}.password`],
  }) as unknown[]
  const [isAuthEnabled, setIsAuthEnabled] = useState(false)
  const showsCredentials = isAuthEnabled || Boolean(username || password)
  const toggleCredentials = (next: boolean) => {
    setIsAuthEnabled(next)
    if (next) return
    for (const credential of ['username', 'password']) setValue(`${name}.${credential}`, '', { shouldDirty: true })
  }
  return (
    <div role="group" aria-label={label}>
      <Grid>
        <Cell span={9}>
          <FormTextField
            name={`${name}.url`}
            label={label}
            required={required}
            help={help}
            mono
            maxLength={1024}
            placeholder="https://"
          />
        </Cell>
        {/* without a URL there is no webhook, and so no method */}
        {readOnly && !url ? null : (
          <Cell span={3}>
            <SelectField
              name={`${name}.method`}
              label="Method"
              options={methods.map((method) => ({ value: method, label: method }))}
            />
          </Cell>
        )}
        {readOnly ? null : (
          <Cell span={12}>
            <div className={css.authentication}>
              <Checkbox
                label="Use HTTP basic authentication"
                checked={showsCredentials}
                onChange={(event) => toggleCredentials(event.currentTarget.checked)}
              />
              {end}
            </div>
          </Cell>
        )}
        {showsCredentials ? (
          <>
            <Cell>
              <FormTextField name={`${name}.username`} label="Username" required maxLength={255} />
            </Cell>
            <Cell>
              <SecretField name={`${name}.password`} label="Password" required maxLength={255} isSentIfUnchanged />
            </Cell>
          </>
        ) : null}
      </Grid>
    </div>
  )
}
