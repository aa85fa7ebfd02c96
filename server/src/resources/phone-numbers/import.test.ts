import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@trunkline/contract/messages/phone-number'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'
import { evaluateRows } from './import'
import { createLookups, createNumberRules } from './rules'

describe.each(databaseEngines)('importing phone numbers (%s)', (databaseEngine) => {
  let backend: Backend
  let northClient: ApiClient
  let acmeClient: ApiClient
  let lastSerial = 0
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterAll(() => backend.close())

  const uniqueNumber = () => `1555000${String(++lastSerial).padStart(4, '0')}`
  /** A new number of acme on its own carrier. */
  const buildRow = (overrides: object = {}) => ({
    number: uniqueNumber(),
    voip_carrier_sid: backend.testData.acme.voip_carrier,
    account_sid: backend.testData.accounts.acme,
    ...overrides,
  })
  const importRows = (client: ApiClient, rows: object[], write = 'nothing') =>
    client('POST', '/PhoneNumbers/Import', { rows, write }).then(({ status, body }) => ({ status, ...body }))
  const findStored = async (number: string) =>
    (await northClient('GET', `/PhoneNumbers?page=1&filter=${number}`)).body.data as Record<string, unknown>[]

  it('previews the outcome of each row, then writes it', async () => {
    const { acme: acmeRecords, accounts } = backend.testData
    const storedSid = (await acmeClient('POST', '/PhoneNumbers', buildRow())).body.sid as string
    const { number } = (await acmeClient('GET', `/PhoneNumbers/${storedSid}`)).body as { number: string }
    const rows = [
      buildRow({ number: `+${uniqueNumber()}`, application_sid: acmeRecords.application }),
      buildRow({ account_sid: '' }),
      { number, voip_carrier_sid: acmeRecords.voip_carrier, application_sid: acmeRecords.application },
      { number: uniqueNumber(), voip_carrier_sid: acmeRecords.voip_carrier },
    ]
    const initialSnapshot = await takeSnapshot(backend.database)
    const fates = ['add', 'add', 'change', 'add'].map((fate) => ({ fate }))
    expect(await importRows(northClient, rows)).toEqual({ status: 200, fates, written: 0 })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await importRows(northClient, rows, 'all')).toEqual({ status: 200, fates, written: 4 })
    expect(await findStored(rows[0]!.number.slice(1))).toMatchObject([
      {
        account_sid: accounts.acme,
        application_sid: acmeRecords.application,
        voip_carrier_sid: acmeRecords.voip_carrier,
      },
    ])
    expect(await findStored(rows[1]!.number)).toMatchObject([{ account_sid: null, application_sid: null }])
    // Fields missing from a row stay unchanged.
    expect(await findStored(number)).toMatchObject([
      { account_sid: accounts.acme, application_sid: acmeRecords.application },
    ])
    expect((await importRows(northClient, rows)).fates).toEqual(rows.map(() => ({ fate: 'same' })))
  })

  it('reports the field of each invalid row, and writes all or only valid rows', async () => {
    const { acme: acmeRecords, bolt, corp } = backend.testData
    const repeatedRow = buildRow()
    const rows = [
      repeatedRow,
      repeatedRow,
      buildRow({ number: '' }),
      buildRow({ number: '1 555' }),
      buildRow({ voip_carrier_sid: null }),
      buildRow({ voip_carrier_sid: corp.voip_carrier }),
      buildRow({ application_sid: bolt.application }),
      buildRow({ account_sid: 'nonsense' }),
      buildRow({ colour: 'red' }),
      buildRow(),
    ]
    const wrongOutcome = (field: string, msg: unknown) => ({ fate: 'wrong', field, msg })
    const fates = [
      { fate: 'add' },
      wrongOutcome('number', messages.duplicateLine(2)),
      wrongOutcome('number', 'number is required'),
      wrongOutcome('number', 'number cannot contain whitespace'),
      wrongOutcome('voip_carrier_sid', 'missing field voip_carrier_sid'),
      wrongOutcome('voip_carrier_sid', `voip_carrier not found for sid ${corp.voip_carrier}`),
      wrongOutcome('application_sid', 'unknown application_sid'),
      wrongOutcome('account_sid', expect.any(String)),
      wrongOutcome('colour', 'unknown field colour'),
      { fate: 'add' },
    ]
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await importRows(northClient, rows, 'all')).toEqual({ status: 200, fates, written: 0 })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await importRows(northClient, rows, 'valid')).toEqual({ status: 200, fates, written: 2 })
    expect(await findStored(repeatedRow.number)).toMatchObject([{ voip_carrier_sid: acmeRecords.voip_carrier }])
  })

  it('adds a number on one carrier only, but updates a number that is stored on two', async () => {
    const { acme: acmeRecords, shared, accounts } = backend.testData
    const rowOnAcmeCarrier = buildRow()
    const rowOnSharedCarrier = { ...rowOnAcmeCarrier, voip_carrier_sid: shared.north.voip_carrier }
    const duplicateOutcome = { fate: 'wrong', field: 'number', msg: messages.duplicateLine(2) }
    for (const write of ['nothing', 'valid'])
      expect((await importRows(northClient, [rowOnAcmeCarrier, rowOnSharedCarrier], write)).fates).toEqual([
        { fate: 'add' },
        duplicateOutcome,
      ])
    expect(await findStored(rowOnAcmeCarrier.number)).toMatchObject([{ voip_carrier_sid: acmeRecords.voip_carrier }])
    // The route for single numbers allows the same number on a second carrier.
    const { number } = rowOnAcmeCarrier
    await northClient('POST', '/PhoneNumbers', { number, voip_carrier_sid: shared.north.voip_carrier })
    const accountChange = { account_sid: accounts.acme }
    const fates = [{ fate: 'same' }, { fate: 'change' }]
    expect(
      (await importRows(northClient, [rowOnAcmeCarrier, { ...rowOnSharedCarrier, ...accountChange }], 'all')).fates,
    ).toEqual(fates)
  })

  it('adds a valid row that follows a refused row of the same number and carrier', async () => {
    const validRow = buildRow()
    const refusedRow = { ...validRow, application_sid: backend.testData.bolt.application }
    expect(await importRows(northClient, [refusedRow, validRow, validRow], 'valid')).toMatchObject({
      fates: [
        { fate: 'wrong', field: 'application_sid' },
        { fate: 'add' },
        { fate: 'wrong', field: 'number', msg: messages.duplicateLine(3) },
      ],
      written: 1,
    })
    expect(await findStored(validRow.number)).toHaveLength(1)
  })

  it('does not change numbers of other tenants', async () => {
    const { bolt, accounts } = backend.testData
    const boltRow = { number: uniqueNumber(), voip_carrier_sid: bolt.voip_carrier, account_sid: accounts.bolt }
    await northClient('POST', '/PhoneNumbers', boltRow)
    const initialSnapshot = await takeSnapshot(backend.database)
    const { fates } = await importRows(acmeClient, [
      { ...boltRow, application_sid: null },
      buildRow({ voip_carrier_sid: bolt.voip_carrier }),
      // A foreign carrier may have the same number.
      buildRow({ number: boltRow.number }),
    ])
    expect(fates).toMatchObject([
      { fate: 'wrong', msg: messages.duplicateNumber },
      { fate: 'wrong', field: 'voip_carrier_sid' },
      { fate: 'add' },
    ])
    // For the provider the number is a duplicate, because it has access to both rows.
    expect((await importRows(northClient, [buildRow({ number: boltRow.number })])).fates).toMatchObject([
      { fate: 'wrong', field: 'number', msg: messages.duplicateNumber },
    ])
    // Rows that an account imports always belong to it.
    const rowOfBolt = buildRow({ account_sid: accounts.bolt })
    expect(await importRows(acmeClient, [rowOfBolt], 'all')).toMatchObject({ written: 1 })
    expect(await findStored(rowOfBolt.number)).toMatchObject([{ account_sid: accounts.acme }])
    await northClient('DELETE', `/PhoneNumbers/${String((await findStored(rowOfBolt.number))[0]?.phone_number_sid)}`)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it.each<[string, object]>([
    ['no rows', { rows: [], write: 'all' }],
    ['rows that are not objects', { rows: ['x'], write: 'all' }],
    ['an unknown mode', { rows: [{}], write: 'some' }],
  ])('refuses a body with %s', async (_, body) => {
    expect(await northClient('POST', '/PhoneNumbers/Import', body)).toMatchObject({ status: 400 })
  })

  it('accepts several thousand rows', async () => {
    const rows = Array.from({ length: 3000 }, () => buildRow())
    expect(await importRows(northClient, rows, 'all')).toMatchObject({ status: 200, written: 3000 })
    const changes = rows.map(({ number, voip_carrier_sid }) => ({
      number,
      voip_carrier_sid,
      application_sid: backend.testData.acme.application,
    }))
    expect(await importRows(northClient, changes, 'all')).toMatchObject({ status: 200, written: 3000 })
    expect(await findStored(rows[2999]!.number)).toMatchObject([{ application_sid: backend.testData.acme.application }])
  })
})

it('yields to other requests while it imports many rows', async () => {
  const backend = await startBackend()
  const { services, testData } = backend
  const { voip_carrier: voip_carrier_sid, account: account_sid } = testData.acme
  const rows = Array.from({ length: 600 }, (_, index) => ({ number: `1${index}`, voip_carrier_sid, account_sid }))
  let eventLoopTurns = 0
  const countTurn = () => {
    eventLoopTurns += 1
    nextTurn = setImmediate(countTurn)
  }
  let nextTurn = setImmediate(countTurn)
  const outcomes = await evaluateRows(rows, { scope: 'admin' }, createNumberRules(createLookups(services), false), {
    findByNumbers: () => Promise.resolve(new Map()),
  })
  const turnsDuringEvaluation = eventLoopTurns
  await services.phoneNumbers.write(
    outcomes.flatMap((outcome) => (outcome.fate === 'add' ? [outcome.values] : [])),
    [],
  )
  const turnsDuringWrite = eventLoopTurns - turnsDuringEvaluation
  clearImmediate(nextTurn)
  expect([turnsDuringEvaluation, turnsDuringWrite]).toEqual([2, 2])
  await backend.close()
})
