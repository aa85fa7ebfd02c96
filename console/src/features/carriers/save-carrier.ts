import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { Faults } from '../../kit/form/form'
import { Problem } from '../../lib/problem'
import type { GatewayBody } from './gateways'
import type { Placed } from './gateway-row-keys'
import type { SmppBody } from './smpp-gateways'

/** The requests for one kind of gateway. */
export interface GatewayCalls<Body> {
  /** Returns the new gateway's SID. */
  add: (voip_carrier_sid: string, body: Body) => Promise<string>
  change: (sid: string, voip_carrier_sid: string, body: Body) => Promise<void>
  remove: (sid: string) => Promise<void>
}

/** The requests that a save sends. */
export interface CarrierCalls {
  /** Returns the new carrier's SID. */
  create: (body: object) => Promise<string>
  update: (voip_carrier_sid: string, body: object) => Promise<void>
  /** Reads the stored version of the carrier and its gateways, to detect changes by others. */
  version: (voip_carrier_sid: string) => Promise<string | undefined>
  /** Returns whether the server saves a carrier and its gateways in one request. */
  atOnce: () => Promise<boolean>
  sip: GatewayCalls<GatewayBody>
  smpp: GatewayCalls<SmppBody>
}

/** The data of one save. */
interface WholeSave {
  /** The carrier; undefined for a new one. */
  sid: string | undefined
  body: object
  /** The version that the form was filled from. */
  version: string | undefined
  sip: Placed<GatewayBody>[]
  smpp: Placed<SmppBody>[]
}

/** The server refused gateways; `faults` holds the messages by form path. The carrier itself is stored. */
export class GatewaysRefused extends Error {
  constructor(readonly faults: Faults) {
    super('gateways refused')
  }
}

/** Server errors of a gateway go to the named field if the row has it, otherwise to the address. */
const fields = new Set(['ipv4', 'port', 'netmask', 'inbound'])
const pathOf = (path: string, field: string | undefined) => `${path}.${field && fields.has(field) ? field : 'ipv4'}`

const same = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/** Tracks the stored gateways of one kind, and sends the requests that change them to the rows of the form. */
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

    /** The rows as a list for one request; stored ones include their SID. */
    listed: (key: string, rows: Placed<Body>[]) =>
      rows.map((row) => (stored.has(row.key) ? { [key]: row.key, ...row.body } : row.body)),

    /** The stored gateways that have no row any more. */
    gone: (rows: Placed<Body>[]) => gone(rows).map(([, body]) => body),

    /** Stores the rows that differ. Returns errors by form path, and stops after a server error (5xx). */
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

/** Maps a field error of the request's lists to the form's path. */
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
 * Saves a carrier with its gateways: in one request if the server supports it, otherwise the carrier and then each
 * difference. The latter first checks whether someone else has changed the data, and remembers each stored part, so
 * that a retry sends only the rest.
 */
export const makeSaver = (calls: CarrierCalls) => {
  let made: string | undefined
  /** The stored version after this saver's own partial save, which must not count as someone else's change. */
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

  /** Adds and updates before it deletes, so that calls never lack a gateway. */
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
    /** Sets the stored gateways, as SID and body, after a read. */
    knows: (sipRows: [string, GatewayBody][], smppRows: [string, SmppBody][]) => {
      sip.knows(sipRows)
      smpp.knows(smppRows)
    },

    /** Returns the carrier's SID and the deleted gateways. */
    save: async (saving: WholeSave) => {
      const removed = { sip: sip.gone(saving.sip), smpp: smpp.gone(saving.smpp) }
      return { sid: await ((await calls.atOnce()) ? atOnce(saving) : oneByOne(saving)), removed }
    },
  }
}
