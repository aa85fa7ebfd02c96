import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/phone-number'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, speaker, type Speak } from '../../../test/speak'
import { ownerInAccount } from '../accounts/public'
import { evaluateRows } from './import'
import { createLookups, numberRules } from './rules'

describe.each(engines)('importing phone numbers (%s)', (engine) => {
  let backend: Backend
  let north: Speak
  let acme: Speak
  let serial = 0
  beforeAll(async () => {
    backend = await startBackend({ engine })
    north = speaker(backend.app, backend.world.keys.north)
    acme = speaker(backend.app, backend.world.keys.acme)
  })
  afterAll(() => backend.close())

  const fresh = () => `1555000${String(++serial).padStart(4, '0')}`
  /** A new number of acme on its own carrier. */
  const row = (more: object = {}) => ({
    number: fresh(),
    voip_carrier_sid: backend.world.acme.voip_carrier,
    account_sid: backend.world.accounts.acme,
    ...more,
  })
  const send = (speak: Speak, rows: object[], write = 'nothing') =>
    speak('POST', '/PhoneNumbers/Import', { rows, write }).then(({ status, body }) => ({ status, ...body }))
  const kept = async (number: string) =>
    (await north('GET', `/PhoneNumbers?page=1&filter=${number}`)).body.data as Record<string, unknown>[]

  it('previews the outcome of each row, then writes it', async () => {
    const { acme: own, accounts } = backend.world
    const held = (await acme('POST', '/PhoneNumbers', row())).body.sid as string
    const { number } = (await acme('GET', `/PhoneNumbers/${held}`)).body as { number: string }
    const rows = [
      row({ number: `+${fresh()}`, application_sid: own.application }),
      row({ account_sid: '' }),
      { number, voip_carrier_sid: own.voip_carrier, application_sid: own.application },
      { number: fresh(), voip_carrier_sid: own.voip_carrier },
    ]
    const before = await snapshot(backend.database)
    const fates = ['add', 'add', 'change', 'add'].map((fate) => ({ fate }))
    expect(await send(north, rows)).toEqual({ status: 200, fates, written: 0 })
    expect(await snapshot(backend.database)).toEqual(before)
    expect(await send(north, rows, 'all')).toEqual({ status: 200, fates, written: 4 })
    expect(await kept(rows[0]!.number.slice(1))).toMatchObject([
      { account_sid: accounts.acme, application_sid: own.application, voip_carrier_sid: own.voip_carrier },
    ])
    expect(await kept(rows[1]!.number)).toMatchObject([{ account_sid: null, application_sid: null }])
    // Fields missing from a row stay unchanged.
    expect(await kept(number)).toMatchObject([{ account_sid: accounts.acme, application_sid: own.application }])
    expect((await send(north, rows)).fates).toEqual(rows.map(() => ({ fate: 'same' })))
  })

  it('reports the field of each invalid row, and writes all or only valid rows', async () => {
    const { acme: own, bolt, corp } = backend.world
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
    const wrong = (field: string, msg: unknown) => ({ fate: 'wrong', field, msg })
    const fates = [
      { fate: 'add' },
      wrong('number', messages.duplicateLine(2)),
      wrong('number', 'number is required'),
      wrong('number', 'number cannot contain whitespace'),
      wrong('voip_carrier_sid', 'missing field voip_carrier_sid'),
      wrong('voip_carrier_sid', `voip_carrier not found for sid ${corp.voip_carrier}`),
      wrong('application_sid', 'unknown application_sid'),
      wrong('account_sid', expect.any(String)),
      wrong('colour', 'unknown field colour'),
      { fate: 'add' },
    ]
    const before = await snapshot(backend.database)
    expect(await send(north, rows, 'all')).toEqual({ status: 200, fates, written: 0 })
    expect(await snapshot(backend.database)).toEqual(before)
    expect(await send(north, rows, 'valid')).toEqual({ status: 200, fates, written: 2 })
    expect(await kept(twin.number)).toMatchObject([{ voip_carrier_sid: own.voip_carrier }])
  })

  it('adds a number on one carrier only, and keeps an existing one that has two', async () => {
    const { acme: own, shared, accounts } = backend.world
    const first = row()
    const second = { ...first, voip_carrier_sid: shared.north.voip_carrier }
    const twin = { fate: 'wrong', field: 'number', msg: messages.duplicateLine(2) }
    for (const write of ['nothing', 'valid'])
      expect((await send(north, [first, second], write)).fates).toEqual([{ fate: 'add' }, twin])
    expect(await kept(first.number)).toMatchObject([{ voip_carrier_sid: own.voip_carrier }])
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
    const before = await snapshot(backend.database)
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
    const own = row({ account_sid: accounts.bolt })
    expect(await send(acme, [own], 'all')).toMatchObject({ written: 1 })
    expect(await kept(own.number)).toMatchObject([{ account_sid: accounts.acme }])
    await north('DELETE', `/PhoneNumbers/${String((await kept(own.number))[0]?.phone_number_sid)}`)
    expect(await snapshot(backend.database)).toEqual(before)
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
    expect(await kept(rows[2999]!.number)).toMatchObject([{ application_sid: backend.world.acme.application }])
  })
})

it('an import of many rows yields to other requests', async () => {
  const backend = await startBackend()
  const { services, world } = backend
  const { voip_carrier: voip_carrier_sid, account: account_sid } = world.acme
  const rows = Array.from({ length: 600 }, (_, at) => ({ number: `1${at}`, voip_carrier_sid, account_sid }))
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
    judged.flatMap((each) => (each.fate === 'add' ? [each.values] : [])),
    [],
  )
  const whileWritten = turns - whileJudged
  clearImmediate(next)
  expect([whileJudged, whileWritten]).toEqual([2, 2])
  await backend.close()
})
