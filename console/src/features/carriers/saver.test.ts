import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { blankGateway, gatewayValues, type GatewayValues } from './gateways'
import { GatewaysRefused, makeSaver } from './saver'

/** A server that writes down what it is asked, and refuses the addresses that it is told to. */
const server = () => {
  const asked: string[] = []
  const refused = new Map<string, Problem>()
  let made = 0
  const take = (words: string, ipv4: string) => {
    asked.push(`${words} ${ipv4}`)
    const problem = refused.get(ipv4)
    if (problem) throw problem
  }
  const saver = makeSaver({
    create: async () => (asked.push('create'), 'carrier'),
    update: async (sid) => void asked.push(`update ${sid}`),
    addGateway: async (carrier, { ipv4 }) => (take(`add to ${carrier}`, ipv4), `sid-${(made += 1)}`),
    changeGateway: async (sid, _carrier, { ipv4 }) => take(`change ${sid}`, ipv4),
    removeGateway: async (sid) => void asked.push(`remove ${sid}`),
  })
  return { saver, asked, refused, forget: () => asked.splice(0) }
}

const row = (ipv4: string): GatewayValues => ({ ...blankGateway(), ipv4 })

const stored = (sip_gateway_sid: string, ipv4: string): SipGateway => ({
  sip_gateway_sid,
  ipv4,
  voip_carrier_sid: 'carrier',
  port: 5060,
  netmask: 32,
  protocol: 'udp',
  is_active: 1,
  inbound: 1,
  outbound: 0,
  pad_crypto: 0,
  send_options_ping: 0,
  use_sips_scheme: 0,
  remove_ice: 0,
  dtls_off: 0,
})

const failure = (run: Promise<unknown>) => run.then(() => undefined).catch((error: unknown) => error)

describe('saving a carrier', () => {
  it('makes the carrier first, then its gateways in their order', async () => {
    const { saver, asked } = server()
    expect(await saver.save(undefined, {}, [row('a'), row('b')])).toEqual({ sid: 'carrier', removed: 0 })
    expect(asked).toEqual(['create', 'add to carrier a', 'add to carrier b'])
  })

  it('sends only what differs, and takes away last', async () => {
    const { saver, asked } = server()
    const rows = [stored('1', 'a'), stored('2', 'b'), stored('3', 'c')]
    saver.knows(rows)
    const [same, changed] = rows.map(gatewayValues)
    const result = await saver.save('carrier', {}, [same!, { ...changed!, outbound: 1 }, row('d')])
    expect(result).toEqual({ sid: 'carrier', removed: 1 })
    expect(asked).toEqual(['update carrier', 'change 2 b', 'add to carrier d', 'remove 3'])
  })

  it('says which rows were refused, saves the others, and does only the rest the next time', async () => {
    const { saver, asked, refused, forget } = server()
    refused.set('b', new Problem(400, { msg: 'netmask too wide', field: 'netmask' }))
    refused.set('c', new Problem(403, { msg: 'insufficient privileges' }))
    const rows = [row('a'), row('b'), row('c'), row('d')]
    const error = await failure(saver.save(undefined, {}, rows))
    expect(error).toBeInstanceOf(GatewaysRefused)
    expect((error as GatewaysRefused).faults).toEqual({
      'gateways.1.netmask': 'netmask too wide',
      'gateways.2.ipv4': 'insufficient privileges',
    })
    forget()
    refused.clear()
    await saver.save(undefined, {}, rows)
    expect(asked).toEqual(['update carrier', 'add to carrier b', 'add to carrier c'])
    forget()
    await saver.save(undefined, {}, rows)
    expect(asked).toEqual(['update carrier'])
  })

  it('takes nothing away while something is refused', async () => {
    const { saver, asked, refused } = server()
    saver.knows([stored('1', 'a')])
    refused.set('b', new Problem(400, { msg: 'no' }))
    await failure(saver.save('carrier', {}, [row('b')]))
    expect(asked).toEqual(['update carrier', 'add to carrier b'])
  })

  it('leaves a server alone that stumbles', async () => {
    const { saver, asked, refused } = server()
    refused.set('a', new Problem(500, { msg: 'out of order' }))
    expect(await failure(saver.save(undefined, {}, [row('a'), row('b')]))).toBeInstanceOf(GatewaysRefused)
    expect(asked).toEqual(['create', 'add to carrier a'])
  })
})
