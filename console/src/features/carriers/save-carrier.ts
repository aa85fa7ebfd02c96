import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { FieldErrors } from '../../kit/form/form'
import { Problem } from '../../lib/problem'
import type { GatewayBody } from './gateways'
import type { PlacedGateway } from './gateway-row-keys'
import type { SmppBody } from './smpp-gateways'

/** The requests for one kind of gateway. */
export interface GatewayRequests<Body> {
  /** Returns the new gateway's SID. */
  add: (voip_carrier_sid: string, body: Body) => Promise<string>
  change: (sid: string, voip_carrier_sid: string, body: Body) => Promise<void>
  remove: (sid: string) => Promise<void>
}

/** The requests that a save sends. */
export interface CarrierRequests {
  /** Returns the new carrier's SID. */
  create: (body: object) => Promise<string>
  update: (voip_carrier_sid: string, body: object) => Promise<void>
  /** Reads the stored version of the carrier and its gateways, to detect changes by others. */
  readVersion: (voip_carrier_sid: string) => Promise<string | undefined>
  /** Returns whether the server saves a carrier and its gateways in one request. */
  canSaveInOneRequest: () => Promise<boolean>
  sip: GatewayRequests<GatewayBody>
  smpp: GatewayRequests<SmppBody>
}

/** The data of one save. */
interface CarrierSave {
  /** The carrier; undefined for a new one. */
  sid: string | undefined
  body: object
  /** The version that the form was filled from. */
  version: string | undefined
  sip: PlacedGateway<GatewayBody>[]
  smpp: PlacedGateway<SmppBody>[]
}

/** The server refused gateways; `errors` holds the messages by form path. The carrier itself is stored. */
export class GatewaysRefusedError extends Error {
  constructor(readonly errors: FieldErrors) {
    super('gateways refused')
  }
}

/** Server errors of a gateway go to the named field if the row has it, otherwise to the address. */
const fields = new Set(['ipv4', 'port', 'netmask', 'inbound'])
const pathOf = (path: string, field: string | undefined) => `${path}.${field && fields.has(field) ? field : 'ipv4'}`

const isEqual = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

/** Tracks the stored gateways of one kind, and sends the requests that change them to the rows of the form. */
const gatewayDifferences = <Body extends object>(requests: GatewayRequests<Body>) => {
  let storedBodies = new Map<string, Body>()
  const sids = new Map<string, string>()
  const sidOf = (key: string) => sids.get(key) ?? key

  const storeOne = async (voip_carrier_sid: string, { key, body }: PlacedGateway<Body>) => {
    const sid = sidOf(key)
    const storedBody = storedBodies.get(sid)
    if (storedBody && isEqual(body, storedBody)) return
    if (storedBody) {
      await requests.change(sid, voip_carrier_sid, body)
      storedBodies.set(sid, body)
      return
    }
    const newSid = await requests.add(voip_carrier_sid, body)
    sids.set(key, newSid)
    storedBodies.set(newSid, body)
  }

  const removedGateways = (rows: PlacedGateway<Body>[]): [string, Body][] => {
    const keptSids = new Set(rows.map(({ key }) => sidOf(key)))
    return [...storedBodies].filter(([sid]) => !keptSids.has(sid))
  }

  return {
    setStored: (rows: [string, Body][]) => {
      storedBodies = new Map(rows)
    },

    /** The rows as a list for one request; stored ones include their SID. */
    listForRequest: (key: string, rows: PlacedGateway<Body>[]) =>
      rows.map((row) => (storedBodies.has(row.key) ? { [key]: row.key, ...row.body } : row.body)),

    /** The stored gateways that have no row any more. */
    removedBodies: (rows: PlacedGateway<Body>[]) => removedGateways(rows).map(([, body]) => body),

    /** Stores the rows that differ. Returns errors by form path, and stops after a server error (5xx). */
    storeAll: async (voip_carrier_sid: string, rows: PlacedGateway<Body>[]): Promise<FieldErrors> => {
      const errors: FieldErrors = {}
      for (const row of rows) {
        try {
          await storeOne(voip_carrier_sid, row)
        } catch (error) {
          if (!(error instanceof Problem) || error.hasEndedSession) throw error
          errors[pathOf(row.path, error.field)] = error.msg
          if (error.status >= 500) break
        }
      }
      return errors
    },

    removeDeleted: async (rows: PlacedGateway<Body>[]) => {
      for (const [sid] of removedGateways(rows)) {
        await requests.remove(sid)
        storedBodies.delete(sid)
      }
    },
  }
}

/** Maps a field error of the request's lists to the form's path. */
const mapErrorToFormPath = (error: unknown, { sip, smpp }: CarrierSave): unknown => {
  if (!(error instanceof Problem)) return error
  const [list, index, field] = error.field?.split('.') ?? []
  const rows = { sip_gateways: sip, smpp_gateways: smpp }[list ?? '']
  if (!rows) return error
  const listPath = list === 'sip_gateways' ? 'gateways' : 'smppOutbound'
  const row = rows[Number(index)]
  return new Problem(error.status, { msg: error.msg, field: row ? pathOf(row.path, field) : listPath })
}

/**
 * Saves a carrier with its gateways: in one request if the server supports it, otherwise the carrier and then each
 * difference. The latter first checks whether someone else has changed the data, and remembers each stored part, so
 * that a retry sends only the rest.
 */
export const createCarrierSaver = (requests: CarrierRequests) => {
  let createdSid: string | undefined
  /** The stored version after this saver's own partial save, which must not count as someone else's change. */
  let versionAfterFailure: string | undefined
  const sip = gatewayDifferences(requests.sip)
  const smpp = gatewayDifferences(requests.smpp)

  const writeCarrier = async (existingSid: string | undefined, body: object) => {
    if (existingSid === undefined) createdSid = await requests.create(body)
    else await requests.update(existingSid, body)
    return existingSid ?? createdSid ?? ''
  }

  const saveInOneRequest = (carrierSave: CarrierSave) =>
    writeCarrier(carrierSave.sid, {
      ...carrierSave.body,
      ...(carrierSave.version ? { version: carrierSave.version } : {}),
      sip_gateways: sip.listForRequest('sip_gateway_sid', carrierSave.sip),
      smpp_gateways: smpp.listForRequest('smpp_gateway_sid', carrierSave.smpp),
    }).catch((error: unknown) => {
      throw mapErrorToFormPath(error, carrierSave)
    })

  /** Adds and updates before it deletes, so that calls never lack a gateway. */
  const saveDifferences = async (carrierSave: CarrierSave) => {
    const carrierSid = await writeCarrier(carrierSave.sid ?? createdSid, carrierSave.body)
    const errors = {
      ...(await sip.storeAll(carrierSid, carrierSave.sip)),
      ...(await smpp.storeAll(carrierSid, carrierSave.smpp)),
    }
    if (Object.keys(errors).length > 0) throw new GatewaysRefusedError(errors)
    await sip.removeDeleted(carrierSave.sip)
    await smpp.removeDeleted(carrierSave.smpp)
    return carrierSid
  }

  const saveOneByOne = async (carrierSave: CarrierSave) => {
    const { sid, version } = carrierSave
    if (sid === undefined || version === undefined) return saveDifferences(carrierSave)
    if (![version, versionAfterFailure].includes(await requests.readVersion(sid)))
      throw new Problem(409, { msg: messages.changedMeanwhile })
    try {
      return await saveDifferences(carrierSave)
    } catch (error) {
      versionAfterFailure = await requests.readVersion(sid).catch(() => undefined)
      throw error
    }
  }

  return {
    /** Sets the stored gateways, as SID and body, after a read. */
    setStored: (sipRows: [string, GatewayBody][], smppRows: [string, SmppBody][]) => {
      sip.setStored(sipRows)
      smpp.setStored(smppRows)
    },

    /** Returns the carrier's SID and the deleted gateways. */
    save: async (carrierSave: CarrierSave) => {
      const removed = { sip: sip.removedBodies(carrierSave.sip), smpp: smpp.removedBodies(carrierSave.smpp) }
      return {
        sid: await ((await requests.canSaveInOneRequest()) ? saveInOneRequest(carrierSave) : saveOneByOne(carrierSave)),
        removed,
      }
    },
  }
}
