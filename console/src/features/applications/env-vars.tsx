import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { messages as general } from '@trunkline/contract/messages/general'
import { getDefaultEnv, type EnvSchema, type EnvValues } from '@trunkline/contract/telephony/app-env'
import { useEffect } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Problem } from '../../lib/problem'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Muted } from '../../ui/muted'
import { Section } from '../../ui/form/section'
import { EnvField } from './env-field'
import { envQuery } from './env-schema'
import type { ApplicationValues } from './values'
import { useDebounced } from '../../lib/use-debounced'

/** Fills in the webhook's default for each variable that has no stored value. */
const useFillDefaults = (schema: EnvSchema | null | undefined) => {
  const { getValues, setValue } = useFormContext<ApplicationValues>()
  useEffect(() => {
    const storedValues = getValues('env_vars')
    for (const [name, value] of Object.entries(schema && storedValues ? getDefaultEnv(schema) : {}))
      if (storedValues?.[name] === undefined) setValue(`env_vars.${name}`, value)
  }, [schema, getValues, setValue])
}

/** Explains why no variables are shown, if the user may expect some. */
const explainMissing = (error: Error | null, storedValues: EnvValues | null) => {
  if (storedValues === null) return general.undecryptable('environment variables')
  if (error instanceof Problem && error.status === 400) return messages.variable.unreadable(error.msg)
  const count = Object.keys(storedValues).length
  return count > 0 ? messages.variable.unlisted(count) : undefined
}

const spanOf = ({ uiHint }: { uiHint?: unknown }) => (uiHint === 'textarea' || uiHint === 'filepicker' ? 12 : 6)

/**
 * The environment variables of the calling webhook, requested once its URL stops changing. `storedValues` is null if
 * they are unreadable.
 */
export const EnvVars = ({ storedValues }: { storedValues: EnvValues | null }) => {
  const url = useWatch<ApplicationValues, 'call_hook.url'>({ name: 'call_hook.url' }).trim()
  const debouncedUrl = useDebounced(url, 500)
  const { data: schema, error, isSuccess } = useQuery(envQuery(debouncedUrl))
  useFillDefaults(schema)
  const explanation = isSuccess || error || storedValues === null ? explainMissing(error, storedValues) : undefined
  if (debouncedUrl !== url || (!schema && !explanation)) return null
  return (
    <Section title="Environment variables" help={messages.variable.help}>
      {schema && storedValues !== null ? (
        <Grid>
          {Object.entries(schema).map(([name, variable]) => (
            <Cell key={name} span={spanOf(variable)} level={variable.type === 'boolean'}>
              <EnvField name={name} variable={variable} />
            </Cell>
          ))}
        </Grid>
      ) : (
        <Muted>{explanation}</Muted>
      )}
    </Section>
  )
}
