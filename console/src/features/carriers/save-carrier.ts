import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { FieldErrors } from '../../kit/form/form'
import { Problem } from '../../lib/problem'
import type { GatewayBody } from './gateways'
import type { GatewayRowBody } from './gateway-row-values'
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
  sipRows: GatewayRowBody<GatewayBody>[]
  smppRows: GatewayRowBody<SmppBody>[]
}

/** The server refused gateways; `errors` holds the messages by form path. The carrier itself is stored. */
export class GatewaysRefusedError extends Error {
  constructor(readonly errors: FieldErrors) {
    super('gateways refused')
  }
}

/** The fields of a gateway row that can show a server error. Errors of other fields appear at the address. */
const fieldsInRow = new Set(['ipv4', 'port', 'netmask', 'inbound'])
const getErrorPath = (path: string, field: string | undefined) =>
  `${path}.${field && fieldsInRow.has(field) ? field : 'ipv4'}`

const isEqual = (a: object, b: object) => JSON.stringify(a) === JSON.stringify(b)

/** Tracks the stored gateways of one kind, and updates them to match the rows of the form. */
const createGatewayTracker = <Body extends object>(requests: GatewayRequests<Body>) => {
  let storedBodies = new Map<string, Body>()
  const sids = new Map<string, string>()
  const getSid = (key: string) => sids.get(key) ?? key

  const saveGateway = async (voip_carrier_sid: string, { key, body }: GatewayRowBody<Body>) => {
    const sid = getSid(key)
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

  const listRemovedGateways = (rows: GatewayRowBody<Body>[]): [string, Body][] => {
    const rowSids = new Set(rows.map(({ key }) => getSid(key)))
    return [...storedBodies].filter(([sid]) => !rowSids.has(sid))
  }

  return {
    setStored: (rows: [string, Body][]) => {
      storedBodies = new Map(rows)
    },

    /** The rows as a list for one request. Stored rows include their SID, in the column `sidColumn`. */
    listForRequest: (sidColumn: string, rows: GatewayRowBody<Body>[]) =>
      rows.map((row) => (storedBodies.has(row.key) ? { [sidColumn]: row.key, ...row.body } : row.body)),

    /** The bodies of the stored gateways that have no row any more. */
    listRemovedBodies: (rows: GatewayRowBody<Body>[]) => listRemovedGateways(rows).map(([, body]) => body),

    /** Saves the rows that differ. Returns errors by form path, and stops after a server error (5xx). */
    saveChanged: async (voip_carrier_sid: string, rows: GatewayRowBody<Body>[]): Promise<FieldErrors> => {
      const errors: FieldErrors = {}
      for (const row of rows) {
        try {
          await saveGateway(voip_carrier_sid, row)
        } catch (error) {
          if (!(error instanceof Problem) || error.hasEndedSession) throw error
          errors[getErrorPath(row.path, error.field)] = error.msg
          if (error.status >= 500) break
        }
      }
      return errors
    },

    removeDeleted: async (rows: GatewayRowBody<Body>[]) => {
      for (const [sid] of listRemovedGateways(rows)) {
        await requests.remove(sid)
        storedBodies.delete(sid)
      }
    },
  }
}

/** Maps a field error of the request's lists to the form's path. */
const mapErrorToFormPath = (error: unknown, { sipRows, smppRows }: CarrierSave): unknown => {
  if (!(error instanceof Problem)) return error
  const [list, index, field] = error.field?.split('.') ?? []
  const rows = { sip_gateways: sipRows, smpp_gateways: smppRows }[list ?? '']
  if (!rows) return error
  const listPath = list === 'sip_gateways' ? 'gateways' : 'smppOutbound'
  const row = rows[Number(index)]
  return new Problem(error.status, { msg: error.msg, field: row ? getErrorPath(row.path, field) : listPath })
}

/**
 * Saves a carrier with its gateways. If the server cannot save all in one request, saves the carrier and then each
 * changed gateway. In the latter case, it first checks whether someone else has changed the data, and remembers each
 * saved part, so that a retry sends only the remaining ones.
 */
export const createCarrierSaver = (requests: CarrierRequests) => {
  let createdSid: string | undefined
  /** The version after a partial save by this saver, which must not count as someone else's change. */
  let versionAfterFailure: string | undefined
  const sipGateways = createGatewayTracker(requests.sip)
  const smppGateways = createGatewayTracker(requests.smpp)

  const writeCarrier = async (existingSid: string | undefined, body: object) => {
    if (existingSid === undefined) createdSid = await requests.create(body)
    else await requests.update(existingSid, body)
    return existingSid ?? createdSid ?? ''
  }

  const saveInOneRequest = (carrierSave: CarrierSave) =>
    writeCarrier(carrierSave.sid, {
      ...carrierSave.body,
      ...(carrierSave.version ? { version: carrierSave.version } : {}),
      sip_gateways: sipGateways.listForRequest('sip_gateway_sid', carrierSave.sipRows),
      smpp_gateways: smppGateways.listForRequest('smpp_gateway_sid', carrierSave.smppRows),
    }).catch((error: unknown) => {
      throw mapErrorToFormPath(error, carrierSave)
    })

  /** Adds and updates before it deletes, so that calls never lack a gateway. */
  const saveDifferences = async (carrierSave: CarrierSave) => {
    const carrierSid = await writeCarrier(carrierSave.sid ?? createdSid, carrierSave.body)
    const errors = {
      ...(await sipGateways.saveChanged(carrierSid, carrierSave.sipRows)),
      ...(await smppGateways.saveChanged(carrierSid, carrierSave.smppRows)),
    }
    if (Object.keys(errors).length > 0) throw new GatewaysRefusedError(errors)
    await sipGateways.removeDeleted(carrierSave.sipRows)
    await smppGateways.removeDeleted(carrierSave.smppRows)
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
      sipGateways.setStored(sipRows)
      smppGateways.setStored(smppRows)
    },

    /** Returns the carrier's SID and the deleted gateways. */
    save: async (carrierSave: CarrierSave) => {
      const removed = {
        sip: sipGateways.listRemovedBodies(carrierSave.sipRows),
        smpp: smppGateways.listRemovedBodies(carrierSave.smppRows),
      }
      return {
        sid: await ((await requests.canSaveInOneRequest()) ? saveInOneRequest(carrierSave) : saveOneByOne(carrierSave)),
        removed,
      }
    },
  }
}
