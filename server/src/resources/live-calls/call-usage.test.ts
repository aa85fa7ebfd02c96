import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'
import type { ActorName } from '../../../test/test-data'
import { noPlatform, type LiveCall } from '../../ports/live-platform'

describe.each(databaseEngines)('the usage of concurrent calls (%s)', (databaseEngine) => {
  let backend: Backend
  const liveCalls: LiveCall[] = []
  beforeAll(async () => {
    const livePlatform = {
      ...noPlatform,
      listCalls: (account_sid?: string) =>
        Promise.resolve(liveCalls.filter((call) => account_sid === undefined || call.accountSid === account_sid)),
    }
    backend = await startBackend({ databaseEngine, externalServices: { livePlatform } })
    const { acme, bolt, corp } = backend.testData
    const addCalls = (accountSid: string, inbound: number, outbound: number) => {
      for (let index = 0; index < inbound + outbound; index += 1)
        liveCalls.push({
          accountSid,
          callSid: `${accountSid} ${index}`,
          direction: index < inbound ? 'inbound' : 'outbound',
        })
    }
    addCalls(acme.account, 5, 4)
    addCalls(bolt.account, 3, 0)
    addCalls(corp.account, 50, 0)
    liveCalls.push({ accountSid: bolt.account, callSid: 'without direction' })
  })
  afterAll(() => backend.close())

  const get = (actorName: ActorName, path: string) =>
    createApiClient(backend.app, backend.testData.keys[actorName])('GET', path)
  const providerPath = (name: 'north' | 'south' = 'north') => `/ServiceProviders/${backend.testData.providers[name]}`
  const accountPath = (name: 'acme' | 'bolt') => `/Accounts/${backend.testData[name].account}`
  const setLimit = (path: string, quantity: number, category = 'voice_call_session') =>
    createApiClient(backend.app, backend.testData.keys.admin)('POST', `${path}/Limits`, { category, quantity })

  it('counts the calls of a tenant, and lists only limits that are used to 90 per cent', async () => {
    expect(await get('north', `${providerPath()}/CallUsage`)).toMatchObject({
      status: 200,
      body: { calls: 13, inbound: 8, outbound: 4, limits: [] },
    })
    await setLimit(accountPath('acme'), 10)
    await setLimit(accountPath('acme'), 1, 'device')
    await setLimit(accountPath('bolt'), 5)
    await setLimit(providerPath(), 13)
    const { body } = await get('north', `${providerPath()}/CallUsage`)
    expect(body).toEqual({
      calls: 13,
      inbound: 8,
      outbound: 4,
      limits: [
        { account_sid: null, account_name: null, quantity: 13, calls: 13 },
        { account_sid: backend.testData.acme.account, account_name: expect.any(String), quantity: 10, calls: 9 },
      ],
    })
    expect((await get('admin', `${providerPath()}/CallUsage`)).body).toEqual(body)
  })

  it('of an account contains neither the calls nor the limits of others', async () => {
    expect((await get('acme', `${accountPath('acme')}/CallUsage`)).body).toEqual({
      calls: 9,
      inbound: 5,
      outbound: 4,
      limits: [
        { account_sid: backend.testData.acme.account, account_name: expect.any(String), quantity: 10, calls: 9 },
      ],
    })
    expect((await get('bolt', `${accountPath('bolt')}/CallUsage`)).body).toMatchObject({ calls: 4, limits: [] })
    expect((await get('south', `${providerPath('south')}/CallUsage`)).body).toMatchObject({ calls: 50, limits: [] })
    expect(await get('bolt', `${accountPath('acme')}/CallUsage`)).toMatchObject({ status: 403 })
    expect(await get('south', `${providerPath()}/CallUsage`)).toMatchObject({ status: 403 })
    expect(await get('acme', `${providerPath()}/CallUsage`)).toMatchObject({ status: 403 })
  })
})
