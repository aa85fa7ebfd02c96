import { describe, expect, it } from 'vitest'
import {
  addDerivedValues,
  findCredentialErrors,
  isApplicable,
  isStored,
  isRequired,
  formatMissingFieldRefusal,
  packCredential,
  findSecretsToReenter,
  unpackCredential,
  type StoredField,
} from './credential'
import type { CredentialValues, Vendor } from './vendor'
import { findVendorById } from './vendors'
import { vendors } from './vendors/all'

const findVendor = (name: string) => findVendorById(name)!
const key = JSON.stringify({ type: 'service_account', client_email: 'a@b.example', private_key: 'k' })

/**
 * The refusals of an empty credential per vendor, in the order of the API. Vendors without special messages get the
 * general one.
 */
const refusals: Record<string, string[]> = {
  assemblyai: ['invalid assemblyai speech credential: api_key is required'],
  aws: [],
  cartesia: ['api_key', 'model_id', 'stt_model_id'].map(
    (name) => `invalid cartesia speech credential: ${name} is required`,
  ),
  cobalt: ['invalid cobalt speech credential: cobalt_server_uri is required'],
  'custom:mill': [],
  deepgram: ['invalid deepgram speech credential: api_key is required'],
  deepgramflux: ['invalid deepgram flux speech credential: api_key is required'],
  elevenlabs: ['api_key', 'model_id'].map((name) => `invalid elevenLabs speech credential: ${name} is required`),
  gladia: [],
  google: ['invalid json key: service_key is required'],
  houndify: ['client_id', 'client_key', 'user_id'].map(
    (name) => `invalid houndify speech credential: ${name} is required`,
  ),
  ibm: [],
  inworld: ['api_key', 'model_id'].map((name) => `invalid inworld speech credential: ${name} is required`),
  microsoft: ['region', 'api_key'].map((name) => `invalid azure speech credential: ${name} is required`),
  nuance: Array<string>(2).fill(
    'invalid nuance speech credential: either entered client id and secret or entered a nuance_tts_uri or nuance_stt_uri',
  ),
  nvidia: ['invalid riva server uri: riva_server_uri is required'],
  openai: ['api_key', 'model_id'].map((name) => `invalid openai speech credential: ${name} is required`),
  playht: [
    'invalid playht speech credential: user_id is required',
    'invalid playht speech credential: api_key is required',
    'invalid voice_engine speech credential: voice_engine is required',
  ],
  resemble: ['invalid resemble speech credential: api_key is required'],
  rimelabs: ['api_key', 'model_id'].map((name) => `invalid rimelabs speech credential: ${name} is required`),
  soniox: ['invalid soniox speech credential: api_key is required'],
  speechmatics: ['api_key', 'speechmatics_stt_uri'].map(
    (name) => `invalid speechmatics speech credential: ${name} is required`,
  ),
  verbio: [
    'invalid verbio speech credential: client_id is required',
    'invalid verbio speech credential: secret is required',
    'invalid verbio speech credential: client_id is required',
  ],
  voxist: ['invalid voxist speech credential: api_key is required'],
  wellsaid: ['invalid wellsaid speech credential: api_key is required'],
  whisper: ['api_key', 'model_id'].map((name) => `invalid whisper speech credential: ${name} is required`),
}

const addresses = {
  'host-port': '10.0.0.1:2727',
  'host-port-or-url': 'https://dg.example.com',
  url: 'https://mill.example.com/',
  host: 'speech.example.com',
}

/** A valid value of a field. */
const sampleValue = (field: StoredField): string => {
  if (field.kind === 'service-key') return key
  if (field.kind === 'choice' && field.options[0]) return field.options[0].value
  return 'addressFormat' in field && field.addressFormat ? addresses[field.addressFormat] : 'something'
}

/** The required fields of a credential, with values. */
const sampleCredential = ({ fields }: Vendor): CredentialValues => {
  const modes = Object.fromEntries(
    fields.flatMap(({ name, kind, initialValue }) => (kind === 'mode' ? [[name, initialValue]] : [])),
  )
  const requiredFields = fields.filter(isStored).filter((field) => isRequired(field, modes))
  return Object.fromEntries(requiredFields.map((field) => [field.name, sampleValue(field)]))
}

describe('a credential', () => {
  it.each(vendors.map((vendor) => [vendor.name, vendor] as const))(
    'of %s is valid with all required fields, and not without one of them',
    (_, definition) => {
      const sample = sampleCredential(definition)
      expect(findCredentialErrors(definition, sample)).toEqual([])
      // Each missing field is reported.
      for (const name of Object.keys(sample)) {
        const errors = findCredentialErrors(definition, { ...sample, [name]: '' })
        expect(errors.map(({ field }) => field.name)).toContain(name)
      }
      expect(unpackCredential(definition, packCredential(definition, sample)).fields).toMatchObject(sample)
    },
  )

  it.each(Object.entries(refusals))('of %s without any field causes the documented refusals', (name, messages) => {
    const errors = findCredentialErrors(findVendor(name), {}, { allowsMissingFormFields: true })
    expect(errors.map(({ field }) => formatMissingFieldRefusal(findVendor(name), field))).toEqual(messages)
  })

  it('of a custom server always contains a token', () => {
    expect(packCredential(findVendor('custom:mill'), { custom_stt_url: 'wss://mill' })).toEqual({
      auth_token: '',
      custom_stt_url: 'wss://mill',
    })
  })

  it.each<[string, CredentialValues, string[]]>([
    ['aws', { access_key_id: 'i', aws_region: 'x' }, ['secret_access_key missing']],
    ['aws', { role_arn: 'r', aws_region: 'x' }, []],
    ['aws', { aws_region: 'x' }, []],
    ['aws', { credential_type: 'access_key', aws_region: 'x' }, ['access_key_id missing', 'secret_access_key missing']],
    ['aws', { credential_type: 'assume_role', aws_region: 'x' }, ['role_arn missing']],
    ['microsoft', { custom_tts_endpoint_url: 'http://a:5000', custom_stt_endpoint_url: 'ws://b:5000' }, []],
    ['microsoft', { custom_tts_endpoint_url: 'http://a:5000' }, ['region missing', 'api_key missing']],
    [
      'microsoft',
      { deployment: 'container', custom_tts_endpoint_url: 'a:5000' },
      ['custom_tts_endpoint_url url', 'custom_stt_endpoint_url missing'],
    ],
    ['microsoft', { region: 'x', api_key: 'k', use_custom_tts: 1 }, ['custom_tts_endpoint missing']],
    ['microsoft', { region: 'x', api_key: 'k', use_custom_tts: 1, use_for_tts: 0 }, []],
    ['deepgram', { deepgram_stt_uri: 'dg:8080', deepgram_tts_uri: 'https://dg:8081' }, []],
    [
      'deepgram',
      { deployment: 'container', deepgram_stt_uri: 'dg:99999' },
      ['deepgram_stt_uri host-port-or-url', 'deepgram_tts_uri missing'],
    ],
    ['deepgram', { deepgram_stt_uri: '10.0.0.1:50002', deepgram_tts_uri: 'https://dg.example.com' }, []],
    ['deepgram', { deepgram_stt_uri: 'http://dg.example.com/stt', deepgram_tts_uri: 'http://10.0.0.1:8080/v1' }, []],
    [
      'deepgram',
      { deepgram_stt_uri: 'ftp://dg.example.com', deepgram_tts_uri: 'dg.example.com' },
      ['deepgram_stt_uri host-port-or-url', 'deepgram_tts_uri host-port-or-url'],
    ],
    ['deepgram', { deepgram_stt_uri: 'api.eu.deepgram.com', api_key: 'k' }, []],
    ['nuance', { nuance_tts_uri: 'nuance:5000' }, []],
    [
      'nuance',
      { nuance_tts_on_premises: 1, nuance_stt_uri: 'nuance' },
      ['nuance_tts_uri missing', 'nuance_stt_uri host-port'],
    ],
    ['nuance', { nuance_tts_uri: 'http://nuance:5000' }, []],
    ['nuance', { nuance_tts_uri: 'ftp://nuance:5000' }, ['nuance_tts_uri host-port']],
    [
      'playht',
      { user_id: 'u', api_key: 'k', voice_engine: 'x', deployment: 'on_premises' },
      ['playht_tts_uri missing'],
    ],
    ...['10.0.0.7:9000', 'play.example.com:9000', 'https://play.example.com', 'http://play.example.com:9000/v1'].map(
      (playht_tts_uri): [string, CredentialValues, string[]] => [
        'playht',
        { user_id: 'u', api_key: 'k', voice_engine: 'x', playht_tts_uri },
        [],
      ],
    ),
    [
      'playht',
      { user_id: 'u', api_key: 'k', voice_engine: 'x', playht_tts_uri: 'play example' },
      ['playht_tts_uri host'],
    ],
    ['resemble', { api_key: 'k', deployment: 'on_premises' }, ['resemble_tts_uri missing']],
    ['resemble', { api_key: 'k', resemble_tts_uri: 'speech.example.com:8080/v1' }, []],
    ['resemble', { api_key: 'k', resemble_tts_uri: 'speech example' }, ['resemble_tts_uri host']],
    ['speechmatics', { api_key: 'k', speechmatics_stt_uri: 'no host' }, ['speechmatics_stt_uri host']],
    ['speechmatics', { api_key: 'k', speechmatics_stt_uri: 'wss://asr.example.com/v2' }, []],
    ['custom:x', { use_for_tts: 1, use_for_stt: 0 }, ['custom_tts_url missing']],
    ['custom:x', { use_for_tts: 1, use_for_stt: 0, custom_tts_streaming_url: 'wss://x/y' }, []],
    ['custom:x', { use_for_tts: 0, use_for_stt: 1 }, ['custom_stt_url missing']],
    ['cartesia', { use_for_tts: 0, api_key: 'k' }, ['stt_model_id missing']],
    ['ibm', { use_for_stt: 0, tts_region: 'us-east' }, ['tts_api_key missing']],
    ['google', { service_key: '{' }, ['service_key service-key']],
    ['google', { service_key: '{"client_email":"a"}' }, ['service_key service-key']],
    ['rimelabs', { api_key: 'k', model_id: 'm', options: '{"speed' }, ['options json']],
    ['rimelabs', { api_key: 'k', model_id: 'm', options: '[1]' }, ['options json']],
  ])('of %s with %j has the errors %j', (name, values, errors) => {
    expect(
      findCredentialErrors(findVendor(name), values).map(({ field, reason }) => `${field.name} ${reason}`),
    ).toEqual(errors)
  })

  it('stores the fields of a service key beside the model, like the platform', () => {
    const stored = packCredential(findVendor('google'), { service_key: key, model_id: 'gemini' })
    expect(stored).toEqual({ ...(JSON.parse(key) as object), model_id: 'gemini' })
    expect(unpackCredential(findVendor('google'), stored)).toEqual({
      fields: { service_key: key, model_id: 'gemini' },
      otherFields: {},
    })
    expect(unpackCredential(findVendor('google'), {})).toEqual({ fields: {}, otherFields: {} })
  })

  it('preserves fields that other programs have stored', () => {
    expect(unpackCredential(findVendor('soniox'), { api_key: 'k', odd: 1 })).toEqual({
      fields: { api_key: 'k' },
      otherFields: { odd: 1 },
    })
  })

  it.each([true, false, 1, 0])('stores a flag of %j unchanged, and omits empty values', (flag) => {
    const parts = { api_key: 'k', resemble_tts_uri: '', resemble_tts_use_tls: flag }
    expect(packCredential(findVendor('resemble'), parts)).toEqual({ api_key: 'k', resemble_tts_use_tls: flag })
    expect(packCredential(findVendor('resemble'), { api_key: 'k', resemble_tts_use_tls: null })).toEqual({
      api_key: 'k',
    })
  })
})

describe('a changed address', () => {
  const elevenlabs = { api_key: 'k', api_uri: 'api.elevenlabs.io' }
  const container = { api_key: 'k', deepgram_stt_uri: 'dg:1', deepgram_tts_uri: 'dg:2' }
  it.each<[string, string, CredentialValues, CredentialValues, string[]]>([
    ['that is unchanged', 'elevenlabs', elevenlabs, {}, []],
    ['of the vendor', 'elevenlabs', elevenlabs, { api_uri: 'api.eu.residency.elevenlabs.io' }, []],
    ['of the vendor, where none was set', 'elevenlabs', { api_key: 'k' }, { api_uri: 'api.elevenlabs.io' }, []],
    ['that is removed', 'elevenlabs', elevenlabs, { api_uri: null }, []],
    ['of another server', 'elevenlabs', elevenlabs, { api_uri: 'api.elevenlabs.io.example.com' }, ['api_key']],
    ['of another server, where none was set', 'elevenlabs', { api_key: 'k' }, { api_uri: 'example.com' }, ['api_key']],
    [
      'in another notation',
      'playht',
      { api_key: 'k', playht_tts_uri: 'https://a' },
      { playht_tts_uri: 'http://a' },
      ['api_key'],
    ],
    ['of one container', 'deepgram', container, { deepgram_tts_uri: 'evil:2' }, ['api_key']],
    ['of the vendor again', 'deepgram', container, { deepgram_stt_uri: null, deepgram_tts_uri: '' }, []],
    ['of the vendor in Europe', 'deepgram', { api_key: 'k' }, { deepgram_stt_uri: 'api.eu.deepgram.com' }, []],
    ['without a secret', 'deepgram', { ...container, api_key: '' }, { deepgram_tts_uri: 'other:2' }, []],
    ['of a vendor without secrets', 'nvidia', { riva_server_uri: 'a:1' }, { riva_server_uri: 'b:1' }, []],
    [
      'of an on-premises server',
      'custom:x',
      { auth_token: 't', custom_stt_url: 'ws://a' },
      { custom_stt_url: 'ws://b' },
      ['auth_token'],
    ],
    ['next to another change', 'elevenlabs', elevenlabs, { model_id: 'm' }, []],
  ])('%s (%s, %j changed by %j) requires %j again', (_, name, stored, changes, secretNames) => {
    expect(
      findSecretsToReenter(findVendor(name), stored, { ...stored, ...changes }).map((field) => field.name),
    ).toEqual(secretNames)
  })
})

describe('a vendor definition', () => {
  it.each(vendors.map((vendor) => [vendor.name, vendor] as const))('of %s is consistent', (_, definition) => {
    const values = addDerivedValues(definition, {})
    const names = definition.fields.filter((field) => isApplicable(field, values)).map(({ name }) => name)
    // A form shows no two fields with the same name.
    expect(new Set(names).size).toBe(names.length)
    expect(definition.fields.some((field) => isStored(field))).toBe(true)
    if (definition.page) expect(URL.canParse(definition.page.url)).toBe(true)
    for (const field of definition.fields) {
      const fieldNames = new Set([...definition.fields.map(({ name }) => name)])
      for (const condition of [field.condition, typeof field.required === 'object' ? field.required : undefined])
        for (const name of Object.keys(condition ?? {})) expect(fieldNames).toContain(name)
      // Fields with the target of requests must be marked as addresses.
      if (/_ur[il]$/.test(field.name)) expect(field).toHaveProperty('addressFormat')
      if (field.kind === 'choice' && field.initialValue)
        expect(field.options.map(({ value }) => value)).toContain(field.initialValue)
    }
  })

  it('does not require fields of an unused direction', () => {
    const region = findVendor('ibm').fields.find(({ name }) => name === 'tts_region')!
    expect(isRequired(region, { use_for_tts: 1 })).toBe(true)
    expect(isRequired(region, { use_for_tts: 0 })).toBe(false)
  })
})
