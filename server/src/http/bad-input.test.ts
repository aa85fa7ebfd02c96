import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../test/api-client'
import type { TestData } from '../../test/test-data'

const hook = { url: 'https://example.com' }

interface KindCase {
  path: string
  key: string
  sidOf: (testData: TestData) => string
  createDraft: (testData: TestData) => object
  /** Text columns with their maximum length. */
  maxLengths: Record<string, number>
  flagFields: string[]
  sidFields: string[]
  /** Required fields. */
  requiredFields: string[]
  numberFields?: string[]
  /** Messages of the API for malformed SIDs that do not name the field. */
  malformedSidMessages?: Record<string, (sid: string) => string>
}

/** The fields of each kind of record, by the type of their values. Each field is tested with invalid values. */
const kinds: KindCase[] = [
  {
    path: '/ServiceProviders',
    key: 'service_provider_sid',
    sidOf: ({ providers }) => providers.north,
    createDraft: () => ({ name: 'fine' }),
    maxLengths: { name: 64, description: 255, root_domain: 128 },
    flagFields: [],
    sidFields: [],
    requiredFields: ['name'],
  },
  {
    path: '/Accounts',
    key: 'account_sid',
    sidOf: ({ acme }) => acme.account,
    createDraft: ({ providers }) => ({ name: 'fine', service_provider_sid: providers.north }),
    maxLengths: {
      name: 64,
      sip_realm: 132,
      webhook_secret: 36,
      deactivated_reason: 255,
      stripe_customer_id: 56,
      subspace_client_id: 255,
    },
    flagFields: ['is_active', 'disable_cdrs', 'record_all_calls', 'enable_debug_log'],
    sidFields: ['device_calling_application_sid', 'siprec_hook_sid'],
    requiredFields: ['name', 'service_provider_sid'],
    numberFields: ['device_to_call_ratio'],
  },
  {
    path: '/Users',
    key: 'user_sid',
    sidOf: ({ users }) => users.acme,
    createDraft: () => ({ name: 'fine', email: 'fine@example.com', initial_password: 'Correct-horse-2' }),
    maxLengths: { name: 255 },
    flagFields: ['is_active', 'force_change'],
    sidFields: ['account_sid', 'service_provider_sid'],
    requiredFields: ['name', 'email', 'initial_password'],
  },
  {
    path: '/Applications',
    key: 'application_sid',
    sidOf: ({ acme }) => acme.application,
    createDraft: ({ acme }) => ({ name: 'fine', account_sid: acme.account, call_hook: hook, call_status_hook: hook }),
    maxLengths: {
      name: 64,
      speech_synthesis_vendor: 64,
      speech_synthesis_language: 12,
      speech_synthesis_voice: 256,
      speech_recognizer_language: 64,
      fallback_speech_synthesis_language: 12,
      fallback_speech_recognizer_label: 64,
    },
    flagFields: ['use_for_fallback_speech', 'record_all_calls'],
    sidFields: ['account_sid'],
    requiredFields: ['name', 'account_sid', 'call_hook', 'call_status_hook'],
  },
  {
    path: '/VoipCarriers',
    key: 'voip_carrier_sid',
    sidOf: ({ acme }) => acme.voip_carrier,
    createDraft: ({ acme }) => ({ name: 'fine', account_sid: acme.account }),
    maxLengths: {
      name: 64,
      description: 255,
      tech_prefix: 16,
      diversion: 32,
      register_username: 64,
      inbound_auth_password: 64,
      smpp_system_id: 255,
      register_from_user: 128,
      outbound_sip_proxy: 255,
    },
    flagFields: ['e164_leading_plus', 'requires_register', 'is_active', 'register_public_ip_in_contact'],
    sidFields: ['account_sid', 'application_sid', 'service_provider_sid'],
    requiredFields: ['name'],
    numberFields: ['smpp_enquire_link_interval'],
  },
  {
    path: '/SipGateways',
    key: 'sip_gateway_sid',
    sidOf: ({ acme }) => acme.sip_gateway,
    createDraft: ({ acme }) => ({ voip_carrier_sid: acme.voip_carrier, ipv4: '192.0.2.1', inbound: 1, outbound: 1 }),
    maxLengths: { ipv4: 128 },
    flagFields: [
      'inbound',
      'outbound',
      'is_active',
      'send_options_ping',
      'use_sips_scheme',
      'pad_crypto',
      'remove_ice',
      'dtls_off',
    ],
    sidFields: ['voip_carrier_sid'],
    requiredFields: ['voip_carrier_sid', 'ipv4', 'inbound', 'outbound'],
    numberFields: ['port', 'netmask'],
  },
  {
    path: '/PhoneNumbers',
    key: 'phone_number_sid',
    sidOf: ({ acme }) => acme.phone_number,
    createDraft: ({ acme }) => ({ number: '4711', account_sid: acme.account }),
    maxLengths: { number: 132 },
    flagFields: [],
    sidFields: ['account_sid', 'application_sid', 'voip_carrier_sid'],
    requiredFields: ['number'],
    malformedSidMessages: { voip_carrier_sid: (sid) => `voip_carrier not found for sid ${sid}` },
  },
]

describe.each(databaseEngines)('bad input (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterAll(() => backend.close())

  describe.each(kinds)('on $path', (kind) => {
    /** Creates and updates a record with the invalid fields. Expects both errors to name the field. */
    const expectRefused = async (
      invalidFields: object,
      field: string,
      checkUpdate = true,
      msg: unknown = expect.stringContaining(field),
    ) => {
      const { path, sidOf, createDraft } = kind
      const expected = { status: 400, body: { msg, field } }
      expect({
        invalidFields,
        ...(await adminClient('POST', path, { ...createDraft(backend.testData), ...invalidFields })),
      }).toMatchObject({
        invalidFields,
        ...expected,
      })
      if (checkUpdate)
        expect({
          invalidFields,
          ...(await adminClient('PUT', `${path}/${sidOf(backend.testData)}`, invalidFields)),
        }).toMatchObject({
          invalidFields,
          ...expected,
        })
    }
    const expectUnchanged = async (action: () => Promise<void>) => {
      const initialSnapshot = await takeSnapshot(backend.database)
      await action()
      expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    }

    it('names unknown fields', () => expectUnchanged(() => expectRefused({ no_such_field: 1 }, 'no_such_field')))

    it('names missing fields', () =>
      expectUnchanged(async () => {
        for (const field of kind.requiredFields) await expectRefused({ [field]: undefined }, field, false)
      }))

    it('refuses strings that are too long, and other types', () =>
      expectUnchanged(async () => {
        for (const [field, maxLength] of Object.entries(kind.maxLengths)) {
          if (kind.path !== '/PhoneNumbers') await expectRefused({ [field]: 'x'.repeat(maxLength + 1) }, field)
          for (const invalidValue of [7, true, {}, ['x']])
            await expectRefused({ [field]: invalidValue }, field, kind.path !== '/PhoneNumbers')
        }
      }))

    it('refuses strings with a NUL character', () =>
      expectUnchanged(async () => {
        for (const field of Object.keys(kind.maxLengths))
          await expectRefused({ [field]: 'a\0b' }, field, kind.path !== '/PhoneNumbers', expect.any(String))
      }))

    it('accepts only 0, 1, true and false for flags', () =>
      expectUnchanged(async () => {
        for (const field of kind.flagFields)
          for (const invalidValue of [2, -1, 0.5, 'yes', {}, []]) await expectRefused({ [field]: invalidValue }, field)
      }))

    it('refuses malformed SIDs', () =>
      expectUnchanged(async () => {
        for (const field of kind.sidFields)
          for (const invalidValue of ['x', 7, {}, "' or 1=1"]) {
            const msg =
              typeof invalidValue === 'string' ? kind.malformedSidMessages?.[field]?.(invalidValue) : undefined
            const checksUpdate = !(kind.path === '/PhoneNumbers' && field === 'voip_carrier_sid')
            await expectRefused({ [field]: invalidValue }, field, checksUpdate, msg)
          }
      }))

    it('refuses fractions and numbers out of range', () =>
      expectUnchanged(async () => {
        for (const field of kind.numberFields ?? [])
          for (const invalidValue of [1.5, 'x', 3_000_000_000, {}, true])
            await expectRefused({ [field]: invalidValue }, field)
      }))

    it('refuses blank names', () =>
      expectUnchanged(async () => {
        if ('name' in kind.maxLengths)
          for (const invalid of ['', '   ', '\t\n']) await expectRefused({ name: invalid }, 'name')
      }))

    it('does not let clients choose primary keys', async () => {
      const { path, key, sidOf, createDraft } = kind
      const { testData } = backend
      const clientSid = 'abcdef01-0000-4000-8000-000000000000'
      await expectUnchanged(async () => {
        const refusal = { status: 400, body: { msg: `primary key ${key} is immutable`, field: key } }
        expect(await adminClient('PUT', `${path}/${sidOf(testData)}`, { [key]: clientSid })).toMatchObject(refusal)
        const { status, body } = await adminClient('POST', path, { ...createDraft(testData), [key]: clientSid })
        expect(status).toBe(201)
        const createdSid = body.sid ?? body[key]
        expect(createdSid).not.toBe(clientSid)
        expect(await adminClient('DELETE', `${path}/${createdSid}`)).toMatchObject({ status: 204 })
      })
    })

    it('stores values of the maximum length', async () => {
      const { path, createDraft, maxLengths, flagFields, key } = kind
      const plainTextFields = Object.entries(maxLengths).filter(([field]) => field !== 'ipv4')
      const longTexts = Object.fromEntries(plainTextFields.map(([field, maxLength]) => [field, 'x'.repeat(maxLength)]))
      const flagValues = Object.fromEntries(
        flagFields.filter((field) => field !== 'requires_register').map((field, index) => [field, index % 2 === 0]),
      )
      const { status, body } = await adminClient('POST', path, {
        ...createDraft(backend.testData),
        ...longTexts,
        ...flagValues,
      })
      expect({ status, body }).toMatchObject({ status: 201 })
      const createdSid = body.sid ?? body[key]
      const row = (await adminClient('GET', `${path}/${createdSid}`)).body
      const storedFlags = Object.fromEntries(Object.entries(flagValues).map(([field, value]) => [field, Number(value)]))
      // The server generates the secret of an account.
      const { webhook_secret: _, ...storedTexts } = longTexts
      expect(row).toMatchObject({ [key]: createdSid, ...storedTexts, ...storedFlags })
    })
  })
})
