import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { Faults } from '../../kit/form'
import { Problem } from '../../lib/problem'
import type { GatewayBody } from './gateways'
import type { Placed } from './rows'
import type { SmppBody } from './smpp'

/** The calls for one kind of gateway. */
export interface GatewayCalls<Body> {
  /** Answers the new gateway's sid. */
  add: (voip_carrier_sid: string, body: Body) => Promise<string>
  change: (sid: string, voip_carrier_sid: string, body: Body) => Promise<void>
  remove: (sid: string) => Promise<void>
}

/** The calls that saving makes. */
export interface CarrierCalls {
  /** Answers the new carrier's sid. */
  create: (body: object) => Promise<string>
  update: (voip_carrier_sid: string, body: object) => Promise<void>
  /** Tells the carrier with its gateways, as it is stored now, from what it was or will be. */
  version: (voip_carrier_sid: string) => Promise<string | undefined>
  /** Does the server write a carrier together with its gateways? */
  atOnce: () => Promise<boolean>
  sip: GatewayCalls<GatewayBody>
  smpp: GatewayCalls<SmppBody>
}

/** All that is saved with one press. */
interface WholeSave {
  /** The carrier that is edited. */
  sid: string | undefined
  body: object
  /** What was read of it. */
  version: string | undefined
  sip: Placed<GatewayBody>[]
  smpp: Placed<SmppBody>[]
}

/** Gateways that the server refused: what to show, by the form's paths. The carrier itself is stored. */
export class GatewaysRefused extends Error {
  constructor(readonly faults: Faults) {
    super('gateways refused')
  }
}

/** What the server says of a gateway belongs to its row: to the named field where the row has it. */
const fields = new Set(['ipv4', 'port', 'netmask', 'inbound'])
const pathOf = (path: string, field: string | undefined) => `${path}.${field && fields.has(field) ? field : 'ipv4'}`

const same = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/** The gateways of one kind: what the server has of them, and the calls that make it have others. */
const differences = <Body extends object>(calls: GatewayCalls<Body>) => {
  let stored = new Map<string, Body>()
  const sids = new Map<string, string>()
  const sidOf = (key: string) => sids.get(key) ?? key

  const storeOne = async (voip_carrier_sid: string, { key, body }: Placed<Body>) => {
    const sid = sidOf(key)
    const before = stored.get(sid)
    if (before && same(body, before)) return
    if (before) {
      await calls.change(sid, voip_carrier_sid, body)
      stored.set(sid, body)
      return
    }
    const added = await calls.add(voip_carrier_sid, body)
    sids.set(key, added)
    stored.set(added, body)
  }

  const gone = (rows: Placed<Body>[]): [string, Body][] => {
    const kept = new Set(rows.map(({ key }) => sidOf(key)))
    return [...stored].filter(([sid]) => !kept.has(sid))
  }

  return {
    knows: (rows: [string, Body][]) => {
      stored = new Map(rows)
    },

    /** The rows as one list: those that the server has go by their sids. */
    listed: (key: string, rows: Placed<Body>[]) =>
      rows.map((row) => (stored.has(row.key) ? { [key]: row.key, ...row.body } : row.body)),

    /** What is stored and no longer wanted. */
    gone: (rows: Placed<Body>[]) => gone(rows).map(([, body]) => body),

    /** Stores what differs. What is refused is told by path; a server that stumbles is left alone. */
    storeAll: async (voip_carrier_sid: string, rows: Placed<Body>[]): Promise<Faults> => {
      const faults: Faults = {}
      for (const row of rows) {
        try {
          await storeOne(voip_carrier_sid, row)
        } catch (error) {
          if (!(error instanceof Problem) || error.hasEndedSession) throw error
          faults[pathOf(row.path, error.field)] = error.msg
          if (error.status >= 500) break
        }
      }
      return faults
    },

    removeGone: async (rows: Placed<Body>[]) => {
      for (const [sid] of gone(rows)) {
        await calls.remove(sid)
        stored.delete(sid)
      }
    },
  }
}

/** A refusal by the lists' own names, as one of the form's. */
const atRow = (error: unknown, { sip, smpp }: WholeSave): unknown => {
  if (!(error instanceof Problem)) return error
  const [list, at, field] = error.field?.split('.') ?? []
  const rows = { sip_gateways: sip, smpp_gateways: smpp }[list ?? '']
  if (!rows) return error
  const whole = list === 'sip_gateways' ? 'gateways' : 'smppOutbound'
  const row = rows[Number(at)]
  return new Problem(error.status, { msg: error.msg, field: row ? pathOf(row.path, field) : whole })
}

/**
 * Saves a carrier with its gateways: as one change where the server can, else the carrier and then the differences, one
 * after the other. Then it looks before it writes whether somebody else has changed what was read, and remembers what the
 * server took, so that after a refusal the next attempt does what is left.
 */
export const makeSaver = (calls: CarrierCalls) => {
  let made: string | undefined
  /** What an attempt of our own that was refused half way has left behind. */
  let left: string | undefined
  const sip = differences(calls.sip)
  const smpp = differences(calls.smpp)

  const write = async (known: string | undefined, body: object) => {
    if (known === undefined) made = await calls.create(body)
    else await calls.update(known, body)
    return known ?? made ?? ''
  }

  const atOnce = (saving: WholeSave) =>
    write(saving.sid, {
      ...saving.body,
      ...(saving.version ? { version: saving.version } : {}),
      sip_gateways: sip.listed('sip_gateway_sid', saving.sip),
      smpp_gateways: smpp.listed('smpp_gateway_sid', saving.smpp),
    }).catch((error: unknown) => {
      throw atRow(error, saving)
    })

  /** Nothing is taken away before all that replaces it stands: calls go on over what is there. */
  const store = async (saving: WholeSave) => {
    const saved = await write(saving.sid ?? made, saving.body)
    const faults = { ...(await sip.storeAll(saved, saving.sip)), ...(await smpp.storeAll(saved, saving.smpp)) }
    if (Object.keys(faults).length > 0) throw new GatewaysRefused(faults)
    await sip.removeGone(saving.sip)
    await smpp.removeGone(saving.smpp)
    return saved
  }

  const oneByOne = async (saving: WholeSave) => {
    const { sid, version } = saving
    if (sid === undefined || version === undefined) return store(saving)
    if (![version, left].includes(await calls.version(sid))) throw new Problem(409, { msg: messages.changedMeanwhile })
    try {
      return await store(saving)
    } catch (error) {
      left = await calls.version(sid).catch(() => undefined)
      throw error
    }
  }

  return {
    /** What the server has, as it was just read: sids and what was sent for them. */
    knows: (sipRows: [string, GatewayBody][], smppRows: [string, SmppBody][]) => {
      sip.knows(sipRows)
      smpp.knows(smppRows)
    },

    /** Answers the carrier's sid, and what was taken away. */
    save: async (saving: WholeSave) => {
      const removed = { sip: sip.gone(saving.sip), smpp: smpp.gone(saving.smpp) }
      return { sid: await ((await calls.atOnce()) ? atOnce(saving) : oneByOne(saving)), removed }
    },
  }
}
