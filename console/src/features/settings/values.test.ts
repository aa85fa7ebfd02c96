import { describe, expect, it } from 'vitest'
import { noLimits } from '../../panels/limit-values'
import {
  createLengthOptions,
  getPasswordChanges,
  getProviderChanges,
  findSettingsErrors,
  toSettingsValues,
  getSystemChanges,
  type SettingsRecord,
} from './values'

const registrationHook = { url: 'https://example.com', method: 'POST' as const, username: null, password: null }
const record: SettingsRecord = {
  service_provider_sid: 's',
  name: 'North',
  description: null,
  root_domain: null,
  ms_teams_fqdn: null,
  registration_hook: registrationHook,
  limits: noLimits,
  platform: {
    system: { domain_name: 'example.com', private_network_cidr: null, log_level: 'debug' },
    password: { min_password_length: 10, require_digit: 1, require_special_character: 0 },
  },
}
const values = toSettingsValues(record)

describe('the changes of the settings', () => {
  it('are empty if nothing was changed', () => {
    expect(getProviderChanges(values, record)).toEqual({})
    expect(getSystemChanges(values, record)).toEqual({})
    expect(getPasswordChanges(values, record)).toEqual({})
  })

  it('include the registration hook of a changed provider, if it has one', () => {
    const changedValues = { ...values, ms_teams_fqdn: ' teams.example.com ' }
    expect(getProviderChanges(changedValues, record)).toEqual({
      ms_teams_fqdn: 'teams.example.com',
      registration_hook: registrationHook,
    })
    expect(getProviderChanges(changedValues, { ...record, registration_hook: null })).toEqual({
      ms_teams_fqdn: 'teams.example.com',
    })
  })

  it('contain the changed platform settings', () => {
    const changedValues = {
      ...values,
      system: { ...values.system, domain_name: ' ', sip_domain_name: 'sip.example.com' },
      password: { ...values.password, min_password_length: '12', require_digit: 0 },
    }
    expect(getSystemChanges(changedValues, record)).toEqual({ domain_name: null, sip_domain_name: 'sip.example.com' })
    expect(getPasswordChanges(changedValues, record)).toEqual({ min_password_length: 12, require_digit: 0 })
  })
})

it('offers password lengths from 8 to 20, and the stored length', () => {
  const listLengths = (storedLength?: number) => createLengthOptions(storedLength).map(({ value }) => Number(value))
  expect(listLengths()).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
  expect(listLengths(8)).toHaveLength(13)
  expect(listLengths(6)[0]).toBe(6)
})

it('reports errors by field', () => {
  const invalidValues = {
    ...values,
    limits: { ...noLimits, voice_call_session: -1, voice_call_minutes: 'x', voice_call_minutes_license: 0 },
    system: { ...values.system, private_network_cidr: '10.0.0.0/8,x' },
  }
  expect(findSettingsErrors(values)).toEqual({})
  expect(findSettingsErrors(invalidValues)).toEqual({
    'limits.voice_call_session': 'Max calls must be a whole number, 0 or more.',
    'limits.voice_call_minutes': 'Max minutes must be a whole number, 0 or more.',
    'system.private_network_cidr': '"x" is not an IPv4 address or a network such as 10.0.0.0/8.',
  })
})
