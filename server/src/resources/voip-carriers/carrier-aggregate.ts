import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { Connection, Repository, Row, Store } from '../../db/repository'
import { withTransaction } from '../../db/transaction'
import { badRequest, conflict } from '../../http/problem'

/** The two lists of gateways of a carrier, by their names in a body. One that is not there is left as it is. */
export interface GatewayLists {
  sip_gateways?: Row[] | undefined
  smpp_gateways?: Row[] | undefined
}

/** What other programs write, and so tells nothing about whether a person has changed the carrier. */
const externalColumns = ['register_status', 'created_at']

interface GatewayRepositories {
  sip_gateways: Repository
  smpp_gateways: Repository
}

/** A carrier together with its gateways: one version, and one write for all of it. */
export const carrierAggregates = (
  { database: { db }, listCounts: totals }: Store,
  carriers: Repository,
  gateways: GatewayRepositories,
) => {
  const gatewayTables = ['sip_gateways', 'smpp_gateways'] as const

  const rowsOf = async (table: string, carrier: string, order: string, connection: Connection) => {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where voip_carrier_sid = ${carrier}
      order by ${sql.ref(order)}`.execute(connection)
    return rows
  }

  /** A digest of all that a person may have changed; it is computed, so that whoever writes these tables needs no word of it. */
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

  /** Makes a carrier's gateways of one kind those of a list. */
  const replaceGateways = async (
    table: keyof GatewayRepositories,
    voip_carrier_sid: string,
    list: Row[],
    tx: Connection,
  ) => {
    const rows = gateways[table]
    const { chain } = rows
    const stored = new Set(
      (await rowsOf(table, voip_carrier_sid, chain.key, tx)).map((row) => row[chain.key] as string),
    )
    for (const [index, row] of list.entries()) {
      const sid = row[chain.key] as string | undefined
      if (sid === undefined) await rows.add({ ...row, voip_carrier_sid, [chain.key]: randomUUID() }, tx)
      else if (stored.delete(sid)) await rows.change(sid, row, tx)
      else throw badRequest(`invalid ${chain.key}`, `${table}.${index}.${chain.key}`)
    }
    for (const sid of stored) await rows.remove(sid, tx)
  }

  const replaceAllGateways = async (voip_carrier_sid: string, lists: GatewayLists, tx: Connection) => {
    for (const table of gatewayTables) {
      const list = lists[table]
      if (list) await replaceGateways(table, voip_carrier_sid, list, tx)
    }
  }

  return {
    version,

    /** Adds a carrier with its gateways, all of it or nothing. */
    async add(carrier: Row & { voip_carrier_sid: string }, lists: GatewayLists): Promise<void> {
      await withTransaction(db, async (tx) => {
        await carriers.add(carrier, tx)
        await replaceAllGateways(carrier.voip_carrier_sid, lists, tx)
      })
      totals.invalidate('voip_carriers')
    },

    /**
     * Changes a carrier and its gateways, all of it or nothing. With the `read` version nothing is written over what
     * somebody has changed since: 409.
     */
    async change(
      voip_carrier_sid: string,
      values: Row,
      lists: GatewayLists,
      expectedVersion: string | undefined,
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        // Two savers of one carrier come one after the other.
        await carriers.lockRow(voip_carrier_sid, tx)
        if (expectedVersion !== undefined && expectedVersion !== (await version(voip_carrier_sid, tx)))
          throw conflict(messages.changedMeanwhile)
        await carriers.change(voip_carrier_sid, values, tx)
        await replaceAllGateways(voip_carrier_sid, lists, tx)
      })
      totals.invalidate('voip_carriers')
    },
  }
}
