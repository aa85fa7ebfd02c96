import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { Repository, Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { badRequest, conflict } from '../../http/problem'

/** The gateway lists of a body. A missing list means no change. */
export interface GatewayLists {
  sip_gateways?: Row[] | undefined
  smpp_gateways?: Row[] | undefined
}

/** Columns that other programs write. They are not part of the version. */
const externalColumns = ['register_status', 'created_at']

interface GatewayRepositories {
  sip_gateways: Repository
  smpp_gateways: Repository
}

/** Carriers with their gateways, as one version and one transaction. */
export const carrierAggregates = (
  { database: { db }, listCounts }: Store,
  carriers: Repository,
  gateways: GatewayRepositories,
) => {
  const gatewayTables = ['sip_gateways', 'smpp_gateways'] as const

  const rowsOf = async (table: string, carrier: string, order: string, connection: Connection) => {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where voip_carrier_sid = ${carrier}
      order by ${sql.ref(order)}`.execute(connection)
    return rows
  }

  /** A hash of all that users can change. Computed on demand, because other programs write these tables too. */
  const version = async (voip_carrier_sid: string, connection: Connection = db): Promise<string> => {
    const carrierRows = await rowsOf('voip_carriers', voip_carrier_sid, 'voip_carrier_sid', connection)
    const carrierColumns = carrierRows.map((row) =>
      Object.entries(row).filter(([column]) => !externalColumns.includes(column)),
    )
    const gatewayRows: Row[][] = []
    for (const table of gatewayTables)
      gatewayRows.push(await rowsOf(table, voip_carrier_sid, gateways[table].chain.key, connection))
    return createHash('sha256')
      .update(JSON.stringify([carrierColumns, gatewayRows]))
      .digest('hex')
      .slice(0, 32)
  }

  /** Replaces a carrier's gateways of one kind. */
  const replaceGateways = async (
    table: keyof GatewayRepositories,
    voip_carrier_sid: string,
    list: Row[],
    tx: Connection,
  ) => {
    const rows = gateways[table]
    const { chain } = rows
    const storedSids = new Set(
      (await rowsOf(table, voip_carrier_sid, chain.key, tx)).map((row) => row[chain.key] as string),
    )
    for (const [index, row] of list.entries()) {
      const sid = row[chain.key] as string | undefined
      if (sid === undefined) await rows.insert({ ...row, voip_carrier_sid, [chain.key]: randomUUID() }, tx)
      else if (storedSids.delete(sid)) await rows.update(sid, row, tx)
      else throw badRequest(`invalid ${chain.key}`, `${table}.${index}.${chain.key}`)
    }
    for (const sid of storedSids) await rows.remove(sid, tx)
  }

  const replaceAllGateways = async (voip_carrier_sid: string, lists: GatewayLists, tx: Connection) => {
    for (const table of gatewayTables) {
      const list = lists[table]
      if (list) await replaceGateways(table, voip_carrier_sid, list, tx)
    }
  }

  return {
    version,

    /** Adds a carrier with its gateways in one transaction. */
    async insert(carrier: Row & { voip_carrier_sid: string }, lists: GatewayLists): Promise<void> {
      await withTransaction(db, async (tx) => {
        await carriers.insert(carrier, tx)
        await replaceAllGateways(carrier.voip_carrier_sid, lists, tx)
      })
      listCounts.invalidate('voip_carriers')
    },

    /**
     * Updates a carrier and its gateways in one transaction. Throws 409 if `expectedVersion` is given and the carrier
     * has changed since.
     */
    async update(
      voip_carrier_sid: string,
      values: Row,
      lists: GatewayLists,
      expectedVersion: string | undefined,
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        // Parallel updates of one carrier run one after the other.
        await carriers.lockRow(voip_carrier_sid, tx)
        if (expectedVersion !== undefined && expectedVersion !== (await version(voip_carrier_sid, tx)))
          throw conflict(messages.changedMeanwhile)
        await carriers.update(voip_carrier_sid, values, tx)
        await replaceAllGateways(voip_carrier_sid, lists, tx)
      })
      listCounts.invalidate('voip_carriers')
    },
  }
}
