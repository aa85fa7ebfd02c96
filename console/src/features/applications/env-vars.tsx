import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { messages as formMessages } from '@trunkline/contract/messages/form'
import { getDefaultEnv, type EnvSchema, type EnvValues } from '@trunkline/contract/telephony/app-env'
import { useEffect } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Problem } from '../../lib/problem'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Muted } from '../../ui/muted'
import { Section } from '../../ui/form/section'
import { EnvField } from './env-field'
import { createEnvSchemaQuery } from './env-schema'
import type { ApplicationValues } from './values'
import { useDebounced } from '../../lib/use-debounced'

/** Fills in the webhook's default for each variable that has no stored value. */
const useFillDefaultVariables = (schema: EnvSchema | null | undefined) => {
  const { getValues, setValue } = useFormContext<ApplicationValues>()
  useEffect(() => {
    const storedVariables = getValues('env_vars')
    for (const [name, value] of Object.entries(schema && storedVariables ? getDefaultEnv(schema) : {}))
      if (storedVariables?.[name] === undefined) setValue(`env_vars.${name}`, value)
  }, [schema, getValues, setValue])
}

/** Explains why there are no fields, if the user may expect some; undefined if not. */
const explainMissingFields = (error: Error | null, storedVariables: EnvValues | null) => {
  if (storedVariables === null) return formMessages.undecryptable('environment variables')
  if (error instanceof Problem && error.status === 400) return messages.variable.unreadable(error.msg)
  const count = Object.keys(storedVariables).length
  return count > 0 ? messages.variable.unlisted(count) : undefined
}

const getColumnSpan = ({ uiHint }: { uiHint?: unknown }) => (uiHint === 'textarea' || uiHint === 'filepicker' ? 12 : 6)

/**
 * The environment variables of the calling webhook, requested once its URL stops changing. `storedVariables` is null if
 * they are unreadable.
 */
export const EnvVars = ({ storedVariables }: { storedVariables: EnvValues | null }) => {
  const url = useWatch<ApplicationValues, 'call_hook.url'>({ name: 'call_hook.url' }).trim()
  const debouncedUrl = useDebounced(url, 500)
  const { data: schema, error, isSuccess } = useQuery(createEnvSchemaQuery(debouncedUrl))
  useFillDefaultVariables(schema)
  const explanation =
    isSuccess || error || storedVariables === null ? explainMissingFields(error, storedVariables) : undefined
  if (debouncedUrl !== url || (!schema && !explanation)) return null
  return (
    <Section title="Environment variables" help={messages.variable.help}>
      {schema && storedVariables !== null ? (
        <Grid>
          {Object.entries(schema).map(([name, variable]) => (
            <Cell key={name} span={getColumnSpan(variable)} alignWithInput={variable.type === 'boolean'}>
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
