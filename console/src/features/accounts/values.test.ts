import type { Actor } from '@trunkline/contract/policy/actor'
import { create, row, update, type Account } from '@trunkline/contract/shapes/account'
import { describe, expect, it } from 'vitest'
import { accountChanges, accountDraft, accountValues } from './values'

const admin: Actor = { scope: 'admin' }
const own: Actor = { scope: 'account', service_provider_sid: 'p', account_sid: 'a' }

const record = {
  account_sid: 'a',
  name: 'Acme',
  service_provider_sid: 'p',
  sip_realm: 'acme.example.com',
  registration_hook: { url: 'https://acme.example.com', method: 'GET', username: 'u', password: 's3cret' },
  queue_event_hook: { url: 'https://acme.example.com/queue', method: 'GET', username: null, password: null },
  device_calling_application_sid: null,
} as Account

describe('an account as its form holds it', () => {
  it('is sent as nothing when nothing was changed', () => {
    expect(row.shape.name.safeParse(record.name).success).toBe(true)
    expect(accountChanges(accountValues(record), record, admin)).toEqual({})
  })

  it('sends a webhook as a whole, because its parts belong together', () => {
    const values = accountValues(record)
    values.registration_hook.url = 'https://acme.example.com/new'
    const changes = accountChanges(values, record, admin)
    expect(changes).toEqual({
      registration_hook: { url: 'https://acme.example.com/new', method: 'GET', username: 'u', password: 's3cret' },
    })
    expect(update.safeParse(changes).success).toBe(true)
  })

  it('clears what was emptied', () => {
    const values = { ...accountValues(record), sip_realm: ' ' }
    values.queue_event_hook.url = ''
    expect(accountChanges(values, record, admin)).toEqual({ sip_realm: null, queue_event_hook: null })
  })

  it('writes the realm in lower case, and never for an account user', () => {
    const values = { ...accountValues(record), name: 'Acme ', sip_realm: 'New.Example.com' }
    expect(accountChanges(values, record, admin)).toEqual({ sip_realm: 'new.example.com' })
    expect(accountChanges(values, record, own)).toEqual({})
    expect(accountChanges({ ...values, sip_realm: 'ACME.example.com' }, record, admin)).toEqual({})
  })

  it('begins a new account with what was filled in and whose it is', () => {
    const sid = '00000000-0000-4000-8000-000000000000'
    const draft = accountDraft({ ...accountValues(undefined), name: ' Bolt ' }, sid)
    expect(draft).toEqual({ name: 'Bolt', service_provider_sid: sid })
    expect(create.safeParse(draft).success).toBe(true)
  })
})
