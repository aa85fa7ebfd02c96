import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { createEmptyGateway, toGatewayBody, type GatewayBody } from './gateways'
import type { GatewayRowBody } from './gateway-row-values'
import { GatewaysRefusedError, createCarrierSaver, type GatewayRequests } from './save-carrier'
import type { SmppBody } from './smpp-gateways'

/** Creates an in-memory server that logs its requests and refuses the addresses in `refusals`, with a saver for it. */
const createServer = (canSaveInOneRequest = false) => {
  const requests: string[] = []
  const bodies: object[] = []
  const refusals = new Map<string, Problem>()
  const storedCarrier = { version: 'v1' }
  let createdCount = 0
  const handleRequest = (request: string, ipv4: string) => {
    requests.push(`${request} ${ipv4}`)
    const refusal = refusals.get(ipv4)
    if (refusal) throw refusal
  }
  const createGatewayRequests = <Body extends { ipv4: string }>(kind: string): GatewayRequests<Body> => ({
    add: async (carrierSid, { ipv4 }) => {
      handleRequest(`add ${kind} to ${carrierSid}`, ipv4)
      createdCount += 1
      return `sid-${createdCount}`
    },
    change: async (sid, _carrier, { ipv4 }) => handleRequest(`change ${kind} ${sid}`, ipv4),
    remove: async (sid) => void requests.push(`remove ${kind} ${sid}`),
  })
  const saver = createCarrierSaver({
    create: async (body) => {
      requests.push('create')
      bodies.push(body)
      handleRequest('carrier', 'new')
      return 'carrier'
    },
    update: async (sid, body) => {
      requests.push(`update ${sid}`)
      bodies.push(body)
      storedCarrier.version += ', changed'
    },
    readVersion: async () => storedCarrier.version,
    canSaveInOneRequest: async () => canSaveInOneRequest,
    sip: createGatewayRequests<GatewayBody>('sip'),
    smpp: createGatewayRequests<SmppBody>('smpp'),
  })
  const save = (
    sid: string | undefined,
    sipRows: GatewayRowBody<GatewayBody>[],
    smppRows: GatewayRowBody<SmppBody>[] = [],
  ) => saver.save({ sid, body: { name: 'x' }, version: sid && 'v1', sipRows, smppRows })
  return {
    saver,
    save,
    requests,
    bodies,
    refusals,
    storedCarrier,
    clearRequests: () => requests.splice(0),
  }
}

const createBody = (ipv4: string): GatewayBody => toGatewayBody({ ...createEmptyGateway(), ipv4 })
const createSmppBody = (ipv4: string, outbound: 0 | 1 = 1): SmppBody => ({ ipv4, outbound, inbound: outbound ? 0 : 1 })

const createRows = (...addresses: string[]): GatewayRowBody<GatewayBody>[] =>
  addresses.map((ipv4, index) => ({ key: `new-${ipv4}`, path: `gateways.${index}`, body: createBody(ipv4) }))
const createSmppRows = (...addresses: string[]): GatewayRowBody<SmppBody>[] =>
  addresses.map((ipv4, index) => ({ key: `new-${ipv4}`, path: `smppOutbound.${index}`, body: createSmppBody(ipv4) }))

const catchError = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error)

describe('saving a carrier with one request per gateway', () => {
  it('creates the carrier first, then its gateways in order', async () => {
    const { save, requests } = createServer()
    expect(await save(undefined, createRows('a', 'b'), createSmppRows('m'))).toEqual({
      sid: 'carrier',
      removed: { sip: [], smpp: [] },
    })
    const expectedGateways = ['add sip to carrier a', 'add sip to carrier b', 'add smpp to carrier m']
    expect(requests).toEqual(['create', 'carrier new', ...expectedGateways])
  })

  it('sends only changed gateways, deletes last, and returns the deleted ones', async () => {
    const { saver, save, requests, bodies } = createServer()
    saver.setStored(
      ['a', 'b', 'c'].map((ipv4) => [`sid-${ipv4}`, createBody(ipv4)]),
      [['sid-m', createSmppBody('m', 0)]],
    )
    const [unchanged, changed, added] = createRows('a', 'b', 'd')
    const result = await save('carrier', [
      { ...unchanged!, key: 'sid-a' },
      { ...changed!, key: 'sid-b', body: { ...changed!.body, outbound: 1 } },
      added!,
    ])
    expect(result.removed).toEqual({ sip: [createBody('c')], smpp: [createSmppBody('m', 0)] })
    const expectedRequests = ['change sip sid-b b', 'add sip to carrier d', 'remove sip sid-c', 'remove smpp sid-m']
    expect(requests).toEqual(['update carrier', ...expectedRequests])
    expect(bodies).toEqual([{ name: 'x' }])
  })

  it('reports the refused rows, saves the others, and sends only the refused ones on the next save', async () => {
    const { save, requests, refusals, clearRequests } = createServer()
    refusals.set('b', new Problem(400, { msg: 'netmask too wide', field: 'netmask' }))
    refusals.set('m', new Problem(403, { msg: 'insufficient privileges' }))
    const error = await catchError(save(undefined, createRows('a', 'b', 'd'), createSmppRows('m')))
    expect(error).toBeInstanceOf(GatewaysRefusedError)
    expect((error as GatewaysRefusedError).errors).toEqual({
      'gateways.1.netmask': 'netmask too wide',
      'smppOutbound.0.ipv4': 'insufficient privileges',
    })
    clearRequests()
    refusals.clear()
    await save(undefined, createRows('a', 'b', 'd'), createSmppRows('m'))
    expect(requests).toEqual(['update carrier', 'add sip to carrier b', 'add smpp to carrier m'])
    clearRequests()
    await save(undefined, createRows('a', 'b', 'd'), createSmppRows('m'))
    expect(requests).toEqual(['update carrier'])
  })

  it('deletes nothing while a gateway is refused', async () => {
    const { saver, save, requests, refusals } = createServer()
    saver.setStored([['sid-a', createBody('a')]], [])
    refusals.set('b', new Problem(400, { msg: 'no' }))
    await catchError(save('carrier', createRows('b')))
    expect(requests).toEqual(['update carrier', 'add sip to carrier b'])
  })

  it('refuses to save if somebody else has changed the carrier since it was read', async () => {
    const { save, requests, storedCarrier } = createServer()
    storedCarrier.version = 'v2'
    expect(await catchError(save('carrier', createRows('a')))).toMatchObject({
      status: 409,
      msg: messages.changedMeanwhile,
    })
    expect(requests).toEqual([])
  })

  it('accepts a retry after its own partial save has changed the version', async () => {
    const { save, requests, refusals } = createServer()
    refusals.set('b', new Problem(400, { msg: 'no' }))
    expect(await catchError(save('carrier', createRows('a', 'b')))).toBeInstanceOf(GatewaysRefusedError)
    refusals.clear()
    await save('carrier', createRows('a', 'b'))
    expect(requests.slice(-2)).toEqual(['update carrier', 'add sip to carrier b'])
  })

  it('stops sending gateways after a 5xx response', async () => {
    const { save, requests, refusals } = createServer()
    refusals.set('a', new Problem(500, { msg: 'out of order' }))
    expect(await catchError(save('carrier', createRows('a', 'b')))).toBeInstanceOf(GatewaysRefusedError)
    expect(requests).toEqual(['update carrier', 'add sip to carrier a'])
  })
})

describe('saving a carrier in one request', () => {
  it('sends both lists with the SIDs of existing gateways and the version that was read', async () => {
    const { saver, save, requests, bodies } = createServer(true)
    saver.setStored([['sid-a', createBody('a')]], [['sid-m', createSmppBody('m')]])
    const result = await save('carrier', [{ ...createRows('a')[0]!, key: 'sid-a' }, ...createRows('b')])
    expect(result).toEqual({ sid: 'carrier', removed: { sip: [], smpp: [createSmppBody('m')] } })
    expect(requests).toEqual(['update carrier'])
    const sip_gateways = [{ sip_gateway_sid: 'sid-a', ...createBody('a') }, createBody('b')]
    expect(bodies).toEqual([{ name: 'x', version: 'v1', sip_gateways, smpp_gateways: [] }])
  })

  it.each([
    ['sip_gateways.1.netmask', 'gateways.1.netmask'],
    ['sip_gateways.0.sip_gateway_sid', 'gateways.0.ipv4'],
    ['sip_gateways', 'gateways'],
    ['smpp_gateways.0.port', 'smppOutbound.0.port'],
    ['smpp_gateways', 'smppOutbound'],
    ['smpp_inbound_password', 'smpp_inbound_password'],
    [undefined, undefined],
  ])('maps a refusal of %s to its form field, and creates the carrier on the next save', async (field, path) => {
    const { save, requests, refusals, clearRequests } = createServer(true)
    refusals.set('new', new Problem(400, { msg: 'no', field }))
    expect(await catchError(save(undefined, createRows('a', 'b'), createSmppRows('m')))).toMatchObject({
      status: 400,
      msg: 'no',
      ...(path ? { field: path } : {}),
    })
    refusals.clear()
    clearRequests()
    await save(undefined, createRows('a', 'b'))
    expect(requests).toEqual(['create', 'carrier new'])
  })
})
