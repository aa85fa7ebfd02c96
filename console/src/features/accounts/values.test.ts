import type { Actor } from '@trunkline/contract/policy/actor'
import { accountDraftSchema, accountChangesSchema } from '@trunkline/contract/shapes/account'
import { describe, expect, it } from 'vitest'
import { noLimits } from '../../panels/limit-values'
import { getAccountChanges, toAccountDraft, toAccountValues, type AccountWithLimits } from './values'

const admin: Actor = { scope: 'admin' }
const accountUser: Actor = { scope: 'account', service_provider_sid: 'p', account_sid: 'a' }

const record = {
  account_sid: 'a',
  name: 'Acme',
  service_provider_sid: 'p',
  sip_realm: 'acme.example.com',
  registration_hook: { url: 'https://acme.example.com', method: 'GET', username: 'u', password: 's3cret' },
  queue_event_hook: { url: 'https://acme.example.com/queue', method: 'GET', username: null, password: null },
  device_calling_application_sid: null,
  siprec_hook_sid: null,
  enable_debug_log: 0,
  record_all_calls: 0,
  record_format: 'mp3',
  bucket_credential: null as Record<string, unknown> | null,
  limits: noLimits,
} as AccountWithLimits

describe('the values of the account form', () => {
  it('sends nothing if nothing was changed', () => {
    for (const actor of [admin, accountUser])
      expect(getAccountChanges(toAccountValues(record), record, actor)).toEqual({})
  })

  it('sends all parts of a webhook if one of them changed', () => {
    const values = toAccountValues(record)
    values.registration_hook.url = 'https://acme.example.com/new'
    const changes = getAccountChanges(values, record, admin)
    expect(changes).toEqual({
      registration_hook: { url: 'https://acme.example.com/new', method: 'GET', username: 'u', password: 's3cret' },
    })
    expect(accountChangesSchema.safeParse(changes).success).toBe(true)
  })

  it('sends null for emptied fields', () => {
    const values = { ...toAccountValues(record), sip_realm: ' ' }
    values.queue_event_hook.url = ''
    expect(getAccountChanges(values, record, admin)).toEqual({ sip_realm: null, queue_event_hook: null })
  })

  it('sends the realm in lower case, and never for an account user', () => {
    const values = { ...toAccountValues(record), name: 'Acme ', sip_realm: 'New.Example.com' }
    expect(getAccountChanges(values, record, admin)).toEqual({ sip_realm: 'new.example.com' })
    expect(getAccountChanges(values, record, accountUser)).toEqual({})
    expect(getAccountChanges({ ...values, sip_realm: 'ACME.example.com' }, record, admin)).toEqual({})
  })

  it('creates an account with the entered fields and its provider', () => {
    const providerSid = '00000000-0000-4000-8000-000000000000'
    const draft = toAccountDraft({ ...toAccountValues(undefined), name: ' Bolt ' }, providerSid)
    expect(draft).toEqual({ name: 'Bolt', service_provider_sid: providerSid })
    expect(accountDraftSchema.safeParse(draft).success).toBe(true)
  })
})

describe('the bucket values of the account form', () => {
  const awsBucket = {
    vendor: 'aws_s3',
    name: 'recordings',
    region: 'eu-west-1',
    access_key_id: 'AKIA',
    secret_access_key: 'abcdefXXXXXX',
    tags: [{ Key: 'a', Value: 'b' }],
  }
  const recordWithBucket = { ...record, record_all_calls: 1, bucket_credential: awsBucket } as AccountWithLimits
  const createValues = () => structuredClone(toAccountValues(recordWithBucket))

  it('shows no secret, and sends nothing if nothing was changed', () => {
    expect(createValues().bucket_credential.secret_access_key).toBe('')
    expect(getAccountChanges(createValues(), recordWithBucket, accountUser)).toEqual({})
  })

  it('keeps the saved secret when another field changes', () => {
    const changedValues = createValues()
    changedValues.bucket_credential.name = ' renamed '
    const changes = getAccountChanges(changedValues, recordWithBucket, accountUser)
    expect(changes).toEqual({ bucket_credential: { ...awsBucket, name: 'renamed' } })
    expect(accountChangesSchema.safeParse(changes).success).toBe(true)
    changedValues.bucket_credential.secret_access_key = 'new'
    expect(getAccountChanges(changedValues, recordWithBucket, accountUser).bucket_credential).toMatchObject({
      secret_access_key: 'new',
    })
  })

  it('sends only the fields that the chosen vendor needs', () => {
    const changedValues = createValues()
    Object.assign(changedValues.bucket_credential, { vendor: 'azure', connection_string: 'DefaultEndpoints', tags: [] })
    expect(getAccountChanges(changedValues, recordWithBucket, accountUser)).toEqual({
      bucket_credential: { vendor: 'azure', name: 'recordings', connection_string: 'DefaultEndpoints' },
    })
    Object.assign(changedValues.bucket_credential, { vendor: 's3_compatible', endpoint: 'https://s3.example.com' })
    expect(getAccountChanges(changedValues, recordWithBucket, accountUser).bucket_credential).not.toHaveProperty(
      'secret_access_key',
    )
  })

  it('sends a role in place of a key', () => {
    const changedValues = createValues()
    Object.assign(changedValues.bucket_credential, {
      credential_type: 'assume_role',
      role_arn: 'arn:aws:iam::1:role/r',
    })
    const { access_key_id: _, secret_access_key: __, ...bucketWithoutKeys } = awsBucket
    expect(getAccountChanges(changedValues, recordWithBucket, accountUser).bucket_credential).toEqual({
      ...bucketWithoutKeys,
      credential_type: 'assume_role',
      role_arn: 'arn:aws:iam::1:role/r',
    })
  })

  it('turns off the recording of all calls together with the bucket', () => {
    const changedValues = createValues()
    changedValues.bucket_credential.vendor = null
    const changesWithoutBucket = { bucket_credential: { vendor: 'none' }, record_all_calls: 0 }
    expect(getAccountChanges(changedValues, recordWithBucket, accountUser)).toEqual(changesWithoutBucket)
    expect(getAccountChanges(changedValues, { ...recordWithBucket, record_all_calls: 0 }, accountUser)).toEqual(
      changesWithoutBucket,
    )
  })
})
