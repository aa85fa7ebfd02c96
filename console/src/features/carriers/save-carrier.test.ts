import { messages } from '@trunkline/contract/messages/voip-carrier'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { blankGateway, gatewayBody, type GatewayBody } from './gateways'
import type { Placed } from './gateway-row-keys'
import { GatewaysRefused, makeSaver, type GatewayCalls } from './save-carrier'
import type { SmppBody } from './smpp-gateways'

/** An in-memory server that logs its requests, and refuses the addresses in `refused`. */
const server = (atOnce = false) => {
  const asked: string[] = []
  const sent: object[] = []
  const refused = new Map<string, Problem>()
  const now = { version: 'v1' }
  let made = 0
  const take = (words: string, ipv4: string) => {
    asked.push(`${words} ${ipv4}`)
    const problem = refused.get(ipv4)
    if (problem) throw problem
  }
  const gateways = <Body extends { ipv4: string }>(kind: string): GatewayCalls<Body> => ({
    add: async (carrier, { ipv4 }) => (take(`add ${kind} to ${carrier}`, ipv4), `sid-${(made += 1)}`),
    change: async (sid, _carrier, { ipv4 }) => take(`change ${kind} ${sid}`, ipv4),
    remove: async (sid) => void asked.push(`remove ${kind} ${sid}`),
  })
  const saver = makeSaver({
    create: async (body) => (asked.push('create'), sent.push(body), take('carrier', 'new'), 'carrier'),
    update: async (sid, body) => void (asked.push(`update ${sid}`), sent.push(body), (now.version += ', changed')),
    version: async () => now.version,
    atOnce: async () => atOnce,
    sip: gateways<GatewayBody>('sip'),
    smpp: gateways<SmppBody>('smpp'),
  })
  const save = (sid: string | undefined, sip: Placed<GatewayBody>[], smpp: Placed<SmppBody>[] = []) =>
    saver.save({ sid, body: { name: 'x' }, version: sid && 'v1', sip, smpp })
  return { saver, save, asked, sent, refused, now, forget: () => asked.splice(0) }
}

const bodyOf = (ipv4: string): GatewayBody => gatewayBody({ ...blankGateway(), ipv4 })
const smppBody = (ipv4: string, outbound: 0 | 1 = 1): SmppBody => ({ ipv4, outbound, inbound: outbound ? 0 : 1 })

const rows = (...addresses: string[]): Placed<GatewayBody>[] =>
  addresses.map((ipv4, at) => ({ key: `new-${ipv4}`, path: `gateways.${at}`, body: bodyOf(ipv4) }))
const smppRows = (...addresses: string[]): Placed<SmppBody>[] =>
  addresses.map((ipv4, at) => ({ key: `new-${ipv4}`, path: `smppOutbound.${at}`, body: smppBody(ipv4) }))

const failure = (run: Promise<unknown>) => run.then(() => undefined).catch((error: unknown) => error)

describe('saving a carrier with one request per gateway', () => {
  it('creates the carrier first, then its gateways in order', async () => {
    const { save, asked } = server()
    expect(await save(undefined, rows('a', 'b'), smppRows('m'))).toEqual({
      sid: 'carrier',
      removed: { sip: [], smpp: [] },
    })
    const gateways = ['add sip to carrier a', 'add sip to carrier b', 'add smpp to carrier m']
    expect(asked).toEqual(['create', 'carrier new', ...gateways])
  })

  it('sends only changed gateways, deletes last, and returns the deleted ones', async () => {
    const { saver, save, asked, sent } = server()
    saver.knows(
      ['a', 'b', 'c'].map((ipv4) => [`sid-${ipv4}`, bodyOf(ipv4)]),
      [['sid-m', smppBody('m', 0)]],
    )
    const [same, changed, fresh] = rows('a', 'b', 'd')
    const result = await save('carrier', [
      { ...same!, key: 'sid-a' },
      { ...changed!, key: 'sid-b', body: { ...changed!.body, outbound: 1 } },
      fresh!,
    ])
    expect(result.removed).toEqual({ sip: [bodyOf('c')], smpp: [smppBody('m', 0)] })
    const calls = ['change sip sid-b b', 'add sip to carrier d', 'remove sip sid-c', 'remove smpp sid-m']
    expect(asked).toEqual(['update carrier', ...calls])
    expect(sent).toEqual([{ name: 'x' }])
  })

  it('reports the refused rows, saves the others, and sends only the rest on the next save', async () => {
    const { save, asked, refused, forget } = server()
    refused.set('b', new Problem(400, { msg: 'netmask too wide', field: 'netmask' }))
    refused.set('m', new Problem(403, { msg: 'insufficient privileges' }))
    const error = await failure(save(undefined, rows('a', 'b', 'd'), smppRows('m')))
    expect(error).toBeInstanceOf(GatewaysRefused)
    expect((error as GatewaysRefused).faults).toEqual({
      'gateways.1.netmask': 'netmask too wide',
      'smppOutbound.0.ipv4': 'insufficient privileges',
    })
    forget()
    refused.clear()
    await save(undefined, rows('a', 'b', 'd'), smppRows('m'))
    expect(asked).toEqual(['update carrier', 'add sip to carrier b', 'add smpp to carrier m'])
    forget()
    await save(undefined, rows('a', 'b', 'd'), smppRows('m'))
    expect(asked).toEqual(['update carrier'])
  })

  it('deletes nothing while a gateway is refused', async () => {
    const { saver, save, asked, refused } = server()
    saver.knows([['sid-a', bodyOf('a')]], [])
    refused.set('b', new Problem(400, { msg: 'no' }))
    await failure(save('carrier', rows('b')))
    expect(asked).toEqual(['update carrier', 'add sip to carrier b'])
  })

  it('refuses to save if somebody else has changed the carrier since it was read', async () => {
    const { save, asked, now } = server()
    now.version = 'v2'
    expect(await failure(save('carrier', rows('a')))).toMatchObject({ status: 409, msg: messages.changedMeanwhile })
    expect(asked).toEqual([])
  })

  it('does not mistake changes of its own refused save for those of somebody else', async () => {
    const { save, asked, refused } = server()
    refused.set('b', new Problem(400, { msg: 'no' }))
    expect(await failure(save('carrier', rows('a', 'b')))).toBeInstanceOf(GatewaysRefused)
    refused.clear()
    await save('carrier', rows('a', 'b'))
    expect(asked.slice(-2)).toEqual(['update carrier', 'add sip to carrier b'])
  })

  it('stops sending gateways after a 5xx response', async () => {
    const { save, asked, refused } = server()
    refused.set('a', new Problem(500, { msg: 'out of order' }))
    expect(await failure(save('carrier', rows('a', 'b')))).toBeInstanceOf(GatewaysRefused)
    expect(asked).toEqual(['update carrier', 'add sip to carrier a'])
  })
})

describe('saving a carrier in one request', () => {
  it('sends both lists with the SIDs of existing gateways and the version that was read', async () => {
    const { saver, save, asked, sent } = server(true)
    saver.knows([['sid-a', bodyOf('a')]], [['sid-m', smppBody('m')]])
    const result = await save('carrier', [{ ...rows('a')[0]!, key: 'sid-a' }, ...rows('b')])
    expect(result).toEqual({ sid: 'carrier', removed: { sip: [], smpp: [smppBody('m')] } })
    expect(asked).toEqual(['update carrier'])
    const sip_gateways = [{ sip_gateway_sid: 'sid-a', ...bodyOf('a') }, bodyOf('b')]
    expect(sent).toEqual([{ name: 'x', version: 'v1', sip_gateways, smpp_gateways: [] }])
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
    const { save, asked, refused, forget } = server(true)
    refused.set('new', new Problem(400, { msg: 'no', field }))
    expect(await failure(save(undefined, rows('a', 'b'), smppRows('m')))).toMatchObject({
      status: 400,
      msg: 'no',
      ...(path ? { field: path } : {}),
    })
    refused.clear()
    forget()
    await save(undefined, rows('a', 'b'))
    expect(asked).toEqual(['create', 'carrier new'])
  })
})
