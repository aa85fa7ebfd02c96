import { randomUUID } from 'node:crypto'
import type { Schema } from './openapi'

let serial = 0
const createUniqueText = () => `${Date.now().toString(36)}${(serial += 1).toString(36)}`

type SidOf = (name: string) => string | undefined

/** A webhook that is never called. */
const createWebhook = () => ({ url: 'https://hooks.example.com/x', method: 'POST' })

/** Valid values for properties whose schema alone does not define them. */
const samplesByName: Record<string, (sidOf: SidOf) => unknown> = {
  name: () => `sample ${createUniqueText()}`,
  email: () => `${createUniqueText()}@example.com`,
  initial_password: () => 'Sample-Pass-77',
  username: () => `user-${createUniqueText()}`,
  number: () => `1555${String((serial += 1)).padStart(7, '0')}`,
  tenant_fqdn: () => `${createUniqueText()}.teams.example.com`,
  ipv4: () => `192.0.2.${((serial += 1) % 250) + 1}`,
  inbound: () => 1,
  outbound: () => 1,
  url: () => 'https://hooks.example.com/x',
  call_hook: createWebhook,
  call_status_hook: createWebhook,
  vendor: () => 'deepgram',
  api_key: () => 'sample-key',
  category: () => 'voice_call_session',
  quantity: () => 3,
  regex: () => '^44',
  priority: () => 7,
  model: () => 'projects/x/models/y',
  text: () => 'hello',
  language: () => 'en-US',
  voice: () => 'en-US-Standard-C',
  write: () => 'all',
  // the schema does not define the columns of imported phone numbers
  rows: (sidOf) => [
    {
      number: `1556${String((serial += 1)).padStart(7, '0')}`,
      ...Object.fromEntries(
        ['voip_carrier_sid', 'account_sid', 'service_provider_sid'].flatMap((column) => {
          const sid = sidOf(column)
          return sid ? [[column, sid]] : []
        }),
      ),
    },
  ],
}

const samplesByType: Record<string, unknown> = { integer: 1, number: 1, boolean: true, array: [], object: {} }

const getSampleValue = (schema: Schema): unknown => {
  if (schema.enum) return schema.enum[0]
  if ('const' in schema) return schema.const
  if (schema.anyOf) return getSampleValue(schema.anyOf[0] ?? {})
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  return samplesByType[type ?? ''] ?? 'sample'
}

/** A value for one property, or undefined to leave it out. */
const getSampleProperty = (name: string, schema: Schema, isRequired: boolean, sidOf: SidOf): unknown => {
  if (schema.not) return undefined
  if (name.endsWith('_sid')) return sidOf(name) ?? (isRequired ? randomUUID() : undefined)
  if (name.endsWith('_sids')) return [sidOf(name.slice(0, -1)) ?? randomUUID()]
  if (!isRequired && name !== 'api_key') return undefined
  return samplesByName[name]?.(sidOf) ?? getSampleValue(schema)
}

/**
 * Returns a valid body for a schema: its required properties, and every property that refers to another record.
 * @param sidOf the value for a property such as `account_sid`; undefined leaves the property out
 */
export const buildSampleBody = ({ type, properties = {}, required = [] }: Schema, sidOf: SidOf): unknown => {
  if (type === 'array') return []
  const entries = Object.entries(properties).map(
    ([name, schema]) => [name, getSampleProperty(name, schema, required.includes(name), sidOf)] as const,
  )
  const body: Record<string, unknown> = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  // An empty change is refused before permissions are checked, so change something.
  if (!Object.keys(body).some((name) => !/_sids?$/.test(name))) {
    const name = Object.keys(properties).find((propertyName) => propertyName in samplesByName)
    if (name) body[name] = samplesByName[name]?.(sidOf)
  }
  return body
}
