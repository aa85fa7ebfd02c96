import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/phone-number'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'
import { ownerInAccount } from '../accounts/public'
import { evaluateRows } from './import'
import { createLookups, numberRules } from './rules'

describe.each(engines)('importing phone numbers (%s)', (engine) => {
  let backend: Backend
  let north: ApiClient
  let acme: ApiClient
  let serial = 0
  beforeAll(async () => {
    backend = await startBackend({ engine })
    north = apiClient(backend.app, backend.world.keys.north)
    acme = apiClient(backend.app, backend.world.keys.acme)
  })
  afterAll(() => backend.close())

  const fresh = () => `1555000${String(++serial).padStart(4, '0')}`
  /** A new number of acme on its own carrier. */
  const row = (overrides: object = {}) => ({
    number: fresh(),
    voip_carrier_sid: backend.world.acme.voip_carrier,
    account_sid: backend.world.accounts.acme,
    ...overrides,
  })
  const send = (request: ApiClient, rows: object[], write = 'nothing') =>
    request('POST', '/PhoneNumbers/Import', { rows, write }).then(({ status, body }) => ({ status, ...body }))
  const readStored = async (number: string) =>
    (await north('GET', `/PhoneNumbers?page=1&filter=${number}`)).body.data as Record<string, unknown>[]

  it('previews the outcome of each row, then writes it', async () => {
    const { acme: acmeRecords, accounts } = backend.world
    const held = (await acme('POST', '/PhoneNumbers', row())).body.sid as string
    const { number } = (await acme('GET', `/PhoneNumbers/${held}`)).body as { number: string }
    const rows = [
      row({ number: `+${fresh()}`, application_sid: acmeRecords.application }),
      row({ account_sid: '' }),
      { number, voip_carrier_sid: acmeRecords.voip_carrier, application_sid: acmeRecords.application },
      { number: fresh(), voip_carrier_sid: acmeRecords.voip_carrier },
    ]
    const initialSnapshot = await snapshot(backend.database)
    const fates = ['add', 'add', 'change', 'add'].map((fate) => ({ fate }))
    expect(await send(north, rows)).toEqual({ status: 200, fates, written: 0 })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await send(north, rows, 'all')).toEqual({ status: 200, fates, written: 4 })
    expect(await readStored(rows[0]!.number.slice(1))).toMatchObject([
      {
        account_sid: accounts.acme,
        application_sid: acmeRecords.application,
        voip_carrier_sid: acmeRecords.voip_carrier,
      },
    ])
    expect(await readStored(rows[1]!.number)).toMatchObject([{ account_sid: null, application_sid: null }])
    // Fields missing from a row stay unchanged.
    expect(await readStored(number)).toMatchObject([
      { account_sid: accounts.acme, application_sid: acmeRecords.application },
    ])
    expect((await send(north, rows)).fates).toEqual(rows.map(() => ({ fate: 'same' })))
  })

  it('reports the field of each invalid row, and writes all or only valid rows', async () => {
    const { acme: acmeRecords, bolt, corp } = backend.world
    const twin = row()
    const rows = [
      twin,
      twin,
      row({ number: '' }),
      row({ number: '1 555' }),
      row({ voip_carrier_sid: null }),
      row({ voip_carrier_sid: corp.voip_carrier }),
      row({ application_sid: bolt.application }),
      row({ account_sid: 'nonsense' }),
      row({ colour: 'red' }),
      row(),
    ]
    const invalidCall = (field: string, msg: unknown) => ({ fate: 'wrong', field, msg })
    const fates = [
      { fate: 'add' },
      invalidCall('number', messages.duplicateLine(2)),
      invalidCall('number', 'number is required'),
      invalidCall('number', 'number cannot contain whitespace'),
      invalidCall('voip_carrier_sid', 'missing field voip_carrier_sid'),
      invalidCall('voip_carrier_sid', `voip_carrier not found for sid ${corp.voip_carrier}`),
      invalidCall('application_sid', 'unknown application_sid'),
      invalidCall('account_sid', expect.any(String)),
      invalidCall('colour', 'unknown field colour'),
      { fate: 'add' },
    ]
    const initialSnapshot = await snapshot(backend.database)
    expect(await send(north, rows, 'all')).toEqual({ status: 200, fates, written: 0 })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await send(north, rows, 'valid')).toEqual({ status: 200, fates, written: 2 })
    expect(await readStored(twin.number)).toMatchObject([{ voip_carrier_sid: acmeRecords.voip_carrier }])
  })

  it('adds a number on one carrier only, and keeps an existing one that has two', async () => {
    const { acme: acmeRecords, shared, accounts } = backend.world
    const first = row()
    const second = { ...first, voip_carrier_sid: shared.north.voip_carrier }
    const twin = { fate: 'wrong', field: 'number', msg: messages.duplicateLine(2) }
    for (const write of ['nothing', 'valid'])
      expect((await send(north, [first, second], write)).fates).toEqual([{ fate: 'add' }, twin])
    expect(await readStored(first.number)).toMatchObject([{ voip_carrier_sid: acmeRecords.voip_carrier }])
    // The route for a single number requires fewer fields.
    const { number } = first
    await north('POST', '/PhoneNumbers', { number, voip_carrier_sid: shared.north.voip_carrier })
    const change = { account_sid: accounts.acme }
    const fates = [{ fate: 'same' }, { fate: 'change' }]
    expect((await send(north, [first, { ...second, ...change }], 'all')).fates).toEqual(fates)
  })

  it('changes nothing of other tenants', async () => {
    const { bolt, accounts } = backend.world
    const theirs = { number: fresh(), voip_carrier_sid: bolt.voip_carrier, account_sid: accounts.bolt }
    await north('POST', '/PhoneNumbers', theirs)
    const initialSnapshot = await snapshot(backend.database)
    const { fates } = await send(acme, [
      { ...theirs, application_sid: null },
      row({ voip_carrier_sid: bolt.voip_carrier }),
      // A foreign carrier may have the same number.
      row({ number: theirs.number }),
    ])
    expect(fates).toMatchObject([
      { fate: 'wrong', msg: messages.duplicateNumber },
      { fate: 'wrong', field: 'voip_carrier_sid' },
      { fate: 'add' },
    ])
    // The provider sees both, so for it the number is a duplicate.
    expect((await send(north, [row({ number: theirs.number })])).fates).toMatchObject([
      { fate: 'wrong', field: 'number', msg: messages.duplicateNumber },
    ])
    // Rows of an account always belong to it.
    const owner = row({ account_sid: accounts.bolt })
    expect(await send(acme, [owner], 'all')).toMatchObject({ written: 1 })
    expect(await readStored(owner.number)).toMatchObject([{ account_sid: accounts.acme }])
    await north('DELETE', `/PhoneNumbers/${String((await readStored(owner.number))[0]?.phone_number_sid)}`)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each<[string, object]>([
    ['no rows', { rows: [], write: 'all' }],
    ['rows that are not objects', { rows: ['x'], write: 'all' }],
    ['an unknown mode', { rows: [{}], write: 'some' }],
  ])('needs rows and a known mode: %s', async (_, body) => {
    expect(await north('POST', '/PhoneNumbers/Import', body)).toMatchObject({ status: 400 })
  })

  it('accepts several thousand rows', async () => {
    const rows = Array.from({ length: 3000 }, () => row())
    expect(await send(north, rows, 'all')).toMatchObject({ status: 200, written: 3000 })
    const changes = rows.map(({ number, voip_carrier_sid }) => ({
      number,
      voip_carrier_sid,
      application_sid: backend.world.acme.application,
    }))
    expect(await send(north, changes, 'all')).toMatchObject({ status: 200, written: 3000 })
    expect(await readStored(rows[2999]!.number)).toMatchObject([{ application_sid: backend.world.acme.application }])
  })
})

it('an import of many rows yields to other requests', async () => {
  const backend = await startBackend()
  const { services, world } = backend
  const { voip_carrier: voip_carrier_sid, account: account_sid } = world.acme
  const rows = Array.from({ length: 600 }, (_, index) => ({ number: `1${index}`, voip_carrier_sid, account_sid }))
  let turns = 0
  const turn = () => {
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const judged = await evaluateRows(
    rows,
    { scope: 'admin' },
    numberRules(createLookups(services, ownerInAccount), false),
    {
      findByNumbers: () => Promise.resolve(new Map()),
    },
  )
  const whileJudged = turns
  await services.phoneNumbers.write(
    judged.flatMap((item) => (item.fate === 'add' ? [item.values] : [])),
    [],
  )
  const whileWritten = turns - whileJudged
  clearImmediate(next)
  expect([whileJudged, whileWritten]).toEqual([2, 2])
  await backend.close()
})
