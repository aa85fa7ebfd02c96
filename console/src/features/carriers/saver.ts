import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { Faults } from '../../kit/form'
import { Problem } from '../../lib/problem'
import { gatewayBody, gatewayValues, type GatewayBody, type GatewayValues } from './gateways'

/** The calls that saving makes. */
export interface CarrierCalls {
  create: (body: unknown) => Promise<string>
  update: (voip_carrier_sid: string, body: unknown) => Promise<void>
  addGateway: (voip_carrier_sid: string, body: GatewayBody) => Promise<string>
  changeGateway: (sip_gateway_sid: string, voip_carrier_sid: string, body: GatewayBody) => Promise<void>
  removeGateway: (sip_gateway_sid: string) => Promise<void>
}

/** Gateways that the server refused: what to show, by the form's paths. The carrier itself is stored. */
export class GatewaysRefused extends Error {
  constructor(readonly faults: Faults) {
    super('gateways refused')
  }
}

const fields = new Set(['ipv4', 'port', 'netmask', 'inbound'])

const pathOf = (at: number, field: string | undefined) =>
  `gateways.${at}.${field && fields.has(field) ? field : 'ipv4'}`

const same = (one: GatewayBody, other: GatewayBody | undefined) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Saves a carrier and then the differences of its gateways, one after the other. It remembers what the server took, so
 * that after a refusal the next attempt does what is left and nothing twice.
 */
export const makeSaver = (calls: CarrierCalls) => {
  let made: string | undefined
  let stored = new Map<string, GatewayBody>()
  const sids = new Map<string, string>()

  const store = async (voip_carrier_sid: string, row: GatewayValues) => {
    const body = gatewayBody(row)
    const sid = sids.get(row.key) ?? row.key
    const before = stored.get(sid)
    if (before && same(body, before)) return
    if (before) {
      await calls.changeGateway(sid, voip_carrier_sid, body)
      stored.set(sid, body)
      return
    }
    const added = await calls.addGateway(voip_carrier_sid, body)
    sids.set(row.key, added)
    stored.set(added, body)
  }

  const storeAll = async (voip_carrier_sid: string, rows: GatewayValues[]) => {
    const faults: Faults = {}
    for (const [at, row] of rows.entries()) {
      try {
        await store(voip_carrier_sid, row)
      } catch (error) {
        if (!(error instanceof Problem) || error.ended) throw error
        faults[pathOf(at, error.field)] = error.msg
        // a server that stumbles is left alone; one that refuses is asked about the others
        if (error.status >= 500) break
      }
    }
    if (Object.keys(faults).length > 0) throw new GatewaysRefused(faults)
  }

  const removeGone = async (rows: GatewayValues[]) => {
    const kept = new Set(rows.map(({ key }) => sids.get(key) ?? key))
    const gone = [...stored.keys()].filter((sid) => !kept.has(sid))
    for (const sid of gone) {
      await calls.removeGateway(sid)
      stored.delete(sid)
    }
    return gone.length
  }

  return {
    /** What the server has, as it was just read. */
    knows: (rows: SipGateway[]) => {
      stored = new Map(rows.map((row) => [row.sip_gateway_sid, gatewayBody(gatewayValues(row))]))
    },

    /** Nothing is taken away before all that replaces it stands: calls go on over what is there. */
    save: async (sid: string | undefined, body: unknown, rows: GatewayValues[]) => {
      const known = sid ?? made
      if (known === undefined) made = await calls.create(body)
      else await calls.update(known, body)
      const saved = known ?? made ?? ''
      await storeAll(saved, rows)
      return { sid: saved, removed: await removeGone(rows) }
    },
  }
}

export type Saver = ReturnType<typeof makeSaver>
