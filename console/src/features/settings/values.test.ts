import { describe, expect, it } from 'vitest'
import { noLimits } from '../../panels/limit-values'
import {
  lengthOptions,
  passwordChanges,
  providerChanges,
  settingsErrors,
  settingsValues,
  systemChanges,
  type SettingsRecord,
} from './values'

const hook = { url: 'https://example.com', method: 'POST' as const, username: null, password: null }
const record: SettingsRecord = {
  service_provider_sid: 's',
  name: 'North',
  description: null,
  root_domain: null,
  ms_teams_fqdn: null,
  registration_hook: hook,
  limits: noLimits,
  platform: {
    system: { domain_name: 'example.com', private_network_cidr: null, log_level: 'debug' },
    password: { min_password_length: 10, require_digit: 1, require_special_character: 0 },
  },
}
const values = settingsValues(record)

describe('the changes of the settings', () => {
  it('are empty if nothing was changed', () => {
    expect(providerChanges(values, record)).toEqual({})
    expect(systemChanges(values, record)).toEqual({})
    expect(passwordChanges(values, record)).toEqual({})
  })

  it('include the registration hook of a changed provider, if it has one', () => {
    const changedValues = { ...values, ms_teams_fqdn: ' teams.example.com ' }
    expect(providerChanges(changedValues, record)).toEqual({
      ms_teams_fqdn: 'teams.example.com',
      registration_hook: hook,
    })
    expect(providerChanges(changedValues, { ...record, registration_hook: null })).toEqual({
      ms_teams_fqdn: 'teams.example.com',
    })
  })

  it('contain the changed platform settings', () => {
    const changedValues = {
      ...values,
      system: { ...values.system, domain_name: ' ', sip_domain_name: 'sip.example.com' },
      password: { ...values.password, min_password_length: '12', require_digit: 0 },
    }
    expect(systemChanges(changedValues, record)).toEqual({ domain_name: null, sip_domain_name: 'sip.example.com' })
    expect(passwordChanges(changedValues, record)).toEqual({ min_password_length: 12, require_digit: 0 })
  })
})

it('offers password lengths from 8 to 20, and the stored length', () => {
  const lengthValues = (kept?: number) => lengthOptions(kept).map(({ value }) => Number(value))
  expect(lengthValues()).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  expect(lengthValues(8)).toHaveLength(13)
  expect(lengthValues(6)[0]).toBe(6)
})

it('reports errors by field', () => {
  const invalidValues = {
    ...values,
    limits: { ...noLimits, voice_call_session: -1, voice_call_minutes: 'x', voice_call_minutes_license: 0 },
    system: { ...values.system, private_network_cidr: '10.0.0.0/8,x' },
  }
  expect(settingsErrors(values)).toEqual({})
  expect(settingsErrors(invalidValues)).toEqual({
    'limits.voice_call_session': 'Max calls must be a whole number, 0 or more.',
    'limits.voice_call_minutes': 'Max minutes must be a whole number, 0 or more.',
    'system.private_network_cidr': 'Invalid private network CIDR "x"',
  })
})
