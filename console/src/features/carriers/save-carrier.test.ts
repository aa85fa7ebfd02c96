import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { newGateway, gatewayBody, type GatewayBody } from './gateways'
import type { PlacedGateway } from './gateway-row-keys'
import { GatewaysRefusedError, createCarrierSaver, type GatewayRequests } from './save-carrier'
import type { SmppBody } from './smpp-gateways'

/** An in-memory server that logs its requests, and refuses the addresses in `refusals`. */
const createServer = (canSaveInOneRequest = false) => {
  const requests: string[] = []
  const bodies: object[] = []
  const refusals = new Map<string, Problem>()
  const stored = { version: 'v1' }
  let created = 0
  const logRequest = (request: string, ipv4: string) => {
    requests.push(`${request} ${ipv4}`)
    const problem = refusals.get(ipv4)
    if (problem) throw problem
  }
  const gatewayRequests = <Body extends { ipv4: string }>(kind: string): GatewayRequests<Body> => ({
    add: async (carrier, { ipv4 }) => (logRequest(`add ${kind} to ${carrier}`, ipv4), `sid-${(created += 1)}`),
    change: async (sid, _carrier, { ipv4 }) => logRequest(`change ${kind} ${sid}`, ipv4),
    remove: async (sid) => void requests.push(`remove ${kind} ${sid}`),
  })
  const saver = createCarrierSaver({
    create: async (body) => (requests.push('create'), bodies.push(body), logRequest('carrier', 'new'), 'carrier'),
    update: async (sid, body) =>
      void (requests.push(`update ${sid}`), bodies.push(body), (stored.version += ', changed')),
    readVersion: async () => stored.version,
    canSaveInOneRequest: async () => canSaveInOneRequest,
    sip: gatewayRequests<GatewayBody>('sip'),
    smpp: gatewayRequests<SmppBody>('smpp'),
  })
  const save = (sid: string | undefined, sip: PlacedGateway<GatewayBody>[], smpp: PlacedGateway<SmppBody>[] = []) =>
    saver.save({ sid, body: { name: 'x' }, version: sid && 'v1', sip, smpp })
  return {
    saver,
    save,
    requests,
    bodies,
    refusals,
    stored,
    clearRequests: () => requests.splice(0),
  }
}

const bodyOf = (ipv4: string): GatewayBody => gatewayBody({ ...newGateway(), ipv4 })
const smppBody = (ipv4: string, outbound: 0 | 1 = 1): SmppBody => ({ ipv4, outbound, inbound: outbound ? 0 : 1 })

const rows = (...addresses: string[]): PlacedGateway<GatewayBody>[] =>
  addresses.map((ipv4, index) => ({ key: `new-${ipv4}`, path: `gateways.${index}`, body: bodyOf(ipv4) }))
const smppRows = (...addresses: string[]): PlacedGateway<SmppBody>[] =>
  addresses.map((ipv4, index) => ({ key: `new-${ipv4}`, path: `smppOutbound.${index}`, body: smppBody(ipv4) }))

const catchError = (run: Promise<unknown>) => run.then(() => undefined).catch((error: unknown) => error)

describe('saving a carrier with one request per gateway', () => {
  it('creates the carrier first, then its gateways in order', async () => {
    const { save, requests } = createServer()
    expect(await save(undefined, rows('a', 'b'), smppRows('m'))).toEqual({
      sid: 'carrier',
      removed: { sip: [], smpp: [] },
    })
    const expectedGateways = ['add sip to carrier a', 'add sip to carrier b', 'add smpp to carrier m']
    expect(requests).toEqual(['create', 'carrier new', ...expectedGateways])
  })

  it('sends only changed gateways, deletes last, and returns the deleted ones', async () => {
    const { saver, save, requests, bodies } = createServer()
    saver.setStored(
      ['a', 'b', 'c'].map((ipv4) => [`sid-${ipv4}`, bodyOf(ipv4)]),
      [['sid-m', smppBody('m', 0)]],
    )
    const [unchanged, changed, added] = rows('a', 'b', 'd')
    const result = await save('carrier', [
      { ...unchanged!, key: 'sid-a' },
      { ...changed!, key: 'sid-b', body: { ...changed!.body, outbound: 1 } },
      added!,
    ])
    expect(result.removed).toEqual({ sip: [bodyOf('c')], smpp: [smppBody('m', 0)] })
    const expectedRequests = ['change sip sid-b b', 'add sip to carrier d', 'remove sip sid-c', 'remove smpp sid-m']
    expect(requests).toEqual(['update carrier', ...expectedRequests])
    expect(bodies).toEqual([{ name: 'x' }])
  })

  it('reports the refused rows, saves the others, and sends only the rest on the next save', async () => {
    const { save, requests, refusals, clearRequests } = createServer()
    refusals.set('b', new Problem(400, { msg: 'netmask too wide', field: 'netmask' }))
    refusals.set('m', new Problem(403, { msg: 'insufficient privileges' }))
    const error = await catchError(save(undefined, rows('a', 'b', 'd'), smppRows('m')))
    expect(error).toBeInstanceOf(GatewaysRefusedError)
    expect((error as GatewaysRefusedError).errors).toEqual({
      'gateways.1.netmask': 'netmask too wide',
      'smppOutbound.0.ipv4': 'insufficient privileges',
    })
    clearRequests()
    refusals.clear()
    await save(undefined, rows('a', 'b', 'd'), smppRows('m'))
    expect(requests).toEqual(['update carrier', 'add sip to carrier b', 'add smpp to carrier m'])
    clearRequests()
    await save(undefined, rows('a', 'b', 'd'), smppRows('m'))
    expect(requests).toEqual(['update carrier'])
  })

  it('deletes nothing while a gateway is refused', async () => {
    const { saver, save, requests, refusals } = createServer()
    saver.setStored([['sid-a', bodyOf('a')]], [])
    refusals.set('b', new Problem(400, { msg: 'no' }))
    await catchError(save('carrier', rows('b')))
    expect(requests).toEqual(['update carrier', 'add sip to carrier b'])
  })

  it('refuses to save if somebody else has changed the carrier since it was read', async () => {
    const { save, requests, stored } = createServer()
    stored.version = 'v2'
    expect(await catchError(save('carrier', rows('a')))).toMatchObject({ status: 409, msg: messages.changedMeanwhile })
    expect(requests).toEqual([])
  })

  it('does not mistake changes of its own refused save for those of somebody else', async () => {
    const { save, requests, refusals } = createServer()
    refusals.set('b', new Problem(400, { msg: 'no' }))
    expect(await catchError(save('carrier', rows('a', 'b')))).toBeInstanceOf(GatewaysRefusedError)
    refusals.clear()
    await save('carrier', rows('a', 'b'))
    expect(requests.slice(-2)).toEqual(['update carrier', 'add sip to carrier b'])
  })

  it('stops sending gateways after a 5xx response', async () => {
    const { save, requests, refusals } = createServer()
    refusals.set('a', new Problem(500, { msg: 'out of order' }))
    expect(await catchError(save('carrier', rows('a', 'b')))).toBeInstanceOf(GatewaysRefusedError)
    expect(requests).toEqual(['update carrier', 'add sip to carrier a'])
  })
})

describe('saving a carrier in one request', () => {
  it('sends both lists with the SIDs of existing gateways and the version that was read', async () => {
    const { saver, save, requests, bodies } = createServer(true)
    saver.setStored([['sid-a', bodyOf('a')]], [['sid-m', smppBody('m')]])
    const result = await save('carrier', [{ ...rows('a')[0]!, key: 'sid-a' }, ...rows('b')])
    expect(result).toEqual({ sid: 'carrier', removed: { sip: [], smpp: [smppBody('m')] } })
    expect(requests).toEqual(['update carrier'])
    const sip_gateways = [{ sip_gateway_sid: 'sid-a', ...bodyOf('a') }, bodyOf('b')]
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
    expect(await catchError(save(undefined, rows('a', 'b'), smppRows('m')))).toMatchObject({
      status: 400,
      msg: 'no',
      ...(path ? { field: path } : {}),
    })
    refusals.clear()
    clearRequests()
    await save(undefined, rows('a', 'b'))
    expect(requests).toEqual(['create', 'carrier new'])
  })
})
