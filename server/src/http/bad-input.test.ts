import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../test/speak'
import type { World } from '../../test/world'

const hook = { url: 'https://example.com' }

interface Kind {
  path: string
  key: string
  sid: (world: World) => string
  good: (world: World) => object
  /** Text columns with their maximum length. */
  texts: Record<string, number>
  flags: string[]
  sids: string[]
  /** Required fields. */
  required: string[]
  numbers?: string[]
  /** Messages of the API for malformed SIDs that do not name the field. */
  words?: Record<string, (sid: string) => string>
}

/** The strings, flags, SIDs and numbers of every kind of record. Each is tested with invalid values. */
const kinds: Kind[] = [
  {
    path: '/ServiceProviders',
    key: 'service_provider_sid',
    sid: ({ providers }) => providers.north,
    good: () => ({ name: 'fine' }),
    texts: { name: 64, description: 255, root_domain: 128 },
    flags: [],
    sids: [],
    required: ['name'],
  },
  {
    path: '/Accounts',
    key: 'account_sid',
    sid: ({ acme }) => acme.account,
    good: ({ providers }) => ({ name: 'fine', service_provider_sid: providers.north }),
    texts: {
      name: 64,
      sip_realm: 132,
      webhook_secret: 36,
      deactivated_reason: 255,
      stripe_customer_id: 56,
      subspace_client_id: 255,
    },
    flags: ['is_active', 'disable_cdrs', 'record_all_calls', 'enable_debug_log'],
    sids: ['device_calling_application_sid', 'siprec_hook_sid'],
    required: ['name', 'service_provider_sid'],
    numbers: ['device_to_call_ratio'],
  },
  {
    path: '/Users',
    key: 'user_sid',
    sid: ({ users }) => users.acme,
    good: () => ({ name: 'fine', email: 'fine@example.com', initial_password: 'Correct-horse-2' }),
    texts: { name: 255 },
    flags: ['is_active', 'force_change'],
    sids: ['account_sid', 'service_provider_sid'],
    required: ['name', 'email', 'initial_password'],
  },
  {
    path: '/Applications',
    key: 'application_sid',
    sid: ({ acme }) => acme.application,
    good: ({ acme }) => ({ name: 'fine', account_sid: acme.account, call_hook: hook, call_status_hook: hook }),
    texts: {
      name: 64,
      speech_synthesis_vendor: 64,
      speech_synthesis_language: 12,
      speech_synthesis_voice: 256,
      speech_recognizer_language: 64,
      fallback_speech_synthesis_language: 12,
      fallback_speech_recognizer_label: 64,
    },
    flags: ['use_for_fallback_speech', 'record_all_calls'],
    sids: ['account_sid'],
    required: ['name', 'account_sid', 'call_hook', 'call_status_hook'],
  },
  {
    path: '/VoipCarriers',
    key: 'voip_carrier_sid',
    sid: ({ acme }) => acme.voip_carrier,
    good: ({ acme }) => ({ name: 'fine', account_sid: acme.account }),
    texts: {
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
    flags: ['e164_leading_plus', 'requires_register', 'is_active', 'register_public_ip_in_contact'],
    sids: ['account_sid', 'application_sid', 'service_provider_sid'],
    required: ['name'],
    numbers: ['smpp_enquire_link_interval'],
  },
  {
    path: '/SipGateways',
    key: 'sip_gateway_sid',
    sid: ({ acme }) => acme.sip_gateway,
    good: ({ acme }) => ({ voip_carrier_sid: acme.voip_carrier, ipv4: '192.0.2.1', inbound: 1, outbound: 1 }),
    texts: { ipv4: 128 },
    flags: [
      'inbound',
      'outbound',
      'is_active',
      'send_options_ping',
      'use_sips_scheme',
      'pad_crypto',
      'remove_ice',
      'dtls_off',
    ],
    sids: ['voip_carrier_sid'],
    required: ['voip_carrier_sid', 'ipv4', 'inbound', 'outbound'],
    numbers: ['port', 'netmask'],
  },
  {
    path: '/PhoneNumbers',
    key: 'phone_number_sid',
    sid: ({ acme }) => acme.phone_number,
    good: ({ acme }) => ({ number: '4711', account_sid: acme.account }),
    texts: { number: 132 },
    flags: [],
    sids: ['account_sid', 'application_sid', 'voip_carrier_sid'],
    required: ['number'],
    words: { voip_carrier_sid: (sid) => `voip_carrier not found for sid ${sid}` },
  },
]

describe.each(engines)('bad input (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
  })
  afterAll(() => backend.close())

  describe.each(kinds)('on $path', (kind) => {
    /** Sends it as a create and as an update. Expects both errors to name the field, and no change. */
    const refused = async (
      invalid: object,
      field: string,
      also = true,
      msg: unknown = expect.stringContaining(field),
    ) => {
      const { path, sid, good } = kind
      const expected = { status: 400, body: { msg, field } }
      expect({ wrong: invalid, ...(await admin('POST', path, { ...good(backend.world), ...invalid })) }).toMatchObject({
        wrong: invalid,
        ...expected,
      })
      if (also)
        expect({ wrong: invalid, ...(await admin('PUT', `${path}/${sid(backend.world)}`, invalid)) }).toMatchObject({
          wrong: invalid,
          ...expected,
        })
    }
    const unchanged = async (work: () => Promise<void>) => {
      const initialSnapshot = await snapshot(backend.database)
      await work()
      expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    }

    it('names unknown fields', () => unchanged(() => refused({ no_such_field: 1 }, 'no_such_field')))

    it('names missing fields', () =>
      unchanged(async () => {
        for (const field of kind.required) await refused({ [field]: undefined }, field, false)
      }))

    it('refuses strings that are too long, and other types', () =>
      unchanged(async () => {
        for (const [field, room] of Object.entries(kind.texts)) {
          if (kind.path !== '/PhoneNumbers') await refused({ [field]: 'x'.repeat(room + 1) }, field)
          for (const invalid of [7, true, {}, ['x']])
            await refused({ [field]: invalid }, field, kind.path !== '/PhoneNumbers')
        }
      }))

    it('accepts only 0, 1, true and false for flags', () =>
      unchanged(async () => {
        for (const field of kind.flags)
          for (const invalid of [2, -1, 0.5, 'yes', {}, []]) await refused({ [field]: invalid }, field)
      }))

    it('refuses malformed SIDs', () =>
      unchanged(async () => {
        for (const field of kind.sids)
          for (const invalid of ['x', 7, {}, "' or 1=1"]) {
            const msg = typeof invalid === 'string' ? kind.words?.[field]?.(invalid) : undefined
            const also = !(kind.path === '/PhoneNumbers' && field === 'voip_carrier_sid')
            await refused({ [field]: invalid }, field, also, msg)
          }
      }))

    it('refuses fractions and numbers out of range', () =>
      unchanged(async () => {
        for (const field of kind.numbers ?? [])
          for (const invalid of [1.5, 'x', 3_000_000_000, {}, true]) await refused({ [field]: invalid }, field)
      }))

    it('refuses blank names', () =>
      unchanged(async () => {
        if ('name' in kind.texts) for (const invalid of ['', '   ', '\t\n']) await refused({ name: invalid }, 'name')
      }))

    it('does not let clients choose primary keys', async () => {
      const { path, key, sid, good } = kind
      const { world } = backend
      const ownRecord = 'abcdef01-0000-4000-8000-000000000000'
      await unchanged(async () => {
        const refusal = { status: 400, body: { msg: `primary key ${key} is immutable`, field: key } }
        expect(await admin('PUT', `${path}/${sid(world)}`, { [key]: ownRecord })).toMatchObject(refusal)
        const { status, body } = await admin('POST', path, { ...good(world), [key]: ownRecord })
        expect(status).toBe(201)
        const created = body.sid ?? body[key]
        expect(created).not.toBe(ownRecord)
        expect(await admin('DELETE', `${path}/${created}`)).toMatchObject({ status: 204 })
      })
    })

    it('stores values of the maximum length', async () => {
      const { path, good, texts, flags, key } = kind
      const free = Object.entries(texts).filter(([field]) => field !== 'ipv4')
      const full = Object.fromEntries(free.map(([field, room]) => [field, 'x'.repeat(room)]))
      const on = Object.fromEntries(
        flags.filter((field) => field !== 'requires_register').map((field, index) => [field, index % 2 === 0]),
      )
      const { status, body } = await admin('POST', path, { ...good(backend.world), ...full, ...on })
      expect({ status, body }).toMatchObject({ status: 201 })
      const created = body.sid ?? body[key]
      const row = (await admin('GET', `${path}/${created}`)).body
      const stored = Object.fromEntries(Object.entries(on).map(([field, value]) => [field, Number(value)]))
      // The server generates the secret of an account.
      const { webhook_secret: _, ...said } = full
      expect(row).toMatchObject({ [key]: created, ...said, ...stored })
    })
  })
})
