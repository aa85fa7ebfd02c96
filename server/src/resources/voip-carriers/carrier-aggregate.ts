import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { Repository, Store } from '../../db/repository'
import type { Connection, Row, WriteCheck } from '../../db/repository-options'
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

const gatewayTables = ['sip_gateways', 'smpp_gateways'] as const

/** The rows of a carrier in a table, in a fixed order, because they are hashed. */
const readRows = async (table: string, voip_carrier_sid: string, orderColumn: string, connection: Connection) => {
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where voip_carrier_sid = ${voip_carrier_sid}
    order by ${sql.ref(orderColumn)}`.execute(connection)
  return rows
}

/** Carriers together with their gateways. They are written in one transaction and have one version. */
export const createCarrierAggregateRepository = (
  { database: { db } }: Store,
  carriers: Repository,
  gateways: GatewayRepositories,
) => {
  const readGateways = async (
    voip_carrier_sid: string,
    connection: Connection = db,
  ): Promise<Record<keyof GatewayLists, Row[]>> => {
    const readTable = (table: keyof GatewayLists) =>
      readRows(table, voip_carrier_sid, gateways[table].ownership.key, connection)
    return { sip_gateways: await readTable('sip_gateways'), smpp_gateways: await readTable('smpp_gateways') }
  }

  /** A hash of all columns that users can change. Computed on demand, because other programs also write these tables. */
  const computeVersion = async (voip_carrier_sid: string, connection: Connection = db): Promise<string> => {
    const carrierRows = await readRows('voip_carriers', voip_carrier_sid, 'voip_carrier_sid', connection)
    const carrierColumns = carrierRows.map((row) =>
      Object.entries(row).filter(([column]) => !externalColumns.includes(column)),
    )
    const { sip_gateways, smpp_gateways } = await readGateways(voip_carrier_sid, connection)
    return createHash('sha256')
      .update(JSON.stringify([carrierColumns, [sip_gateways, smpp_gateways]]))
      .digest('hex')
      .slice(0, 32)
  }

  /** Replaces a carrier's gateways of one kind. */
  const replaceGateways = async (
    table: keyof GatewayRepositories,
    voip_carrier_sid: string,
    gatewayList: Row[],
    tx: Connection,
  ) => {
    const gatewayRepository = gateways[table]
    const { ownership } = gatewayRepository
    const storedRows = await readRows(table, voip_carrier_sid, ownership.key, tx)
    const sidsToRemove = new Set(storedRows.map((row) => row[ownership.key] as string))
    for (const [index, row] of gatewayList.entries()) {
      const sid = row[ownership.key] as string | undefined
      if (sid === undefined)
        await gatewayRepository.insert({ ...row, voip_carrier_sid, [ownership.key]: randomUUID() }, tx)
      else if (sidsToRemove.delete(sid)) await gatewayRepository.update(sid, row, tx)
      else throw badRequest(`invalid ${ownership.key}`, `${table}.${index}.${ownership.key}`)
    }
    for (const sid of sidsToRemove) await gatewayRepository.remove(sid, tx)
  }

  const replaceAllGateways = async (voip_carrier_sid: string, lists: GatewayLists, tx: Connection) => {
    for (const table of gatewayTables) {
      const gatewayList = lists[table]
      if (gatewayList) await replaceGateways(table, voip_carrier_sid, gatewayList, tx)
    }
  }

  return {
    computeVersion,
    readGateways,

    /** Adds a carrier with its gateways in one transaction. */
    async insert(carrier: Row & { voip_carrier_sid: string }, lists: GatewayLists, check: WriteCheck): Promise<void> {
      await withTransaction(db, async (tx) => {
        await check(tx)
        await carriers.insert(carrier, tx)
        await replaceAllGateways(carrier.voip_carrier_sid, lists, tx)
      })
    },

    /**
     * Updates a carrier and its gateways in one transaction. Throws 409 if the version differs from `expectedVersion`, unless
     * that is undefined.
     */
    async update(
      voip_carrier_sid: string,
      values: Row,
      lists: GatewayLists,
      { expectedVersion, check }: { expectedVersion: string | undefined; check: WriteCheck },
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        // Parallel updates of one carrier run one after the other.
        await carriers.lockRow(voip_carrier_sid, tx)
        await check(tx)
        if (expectedVersion !== undefined && expectedVersion !== (await computeVersion(voip_carrier_sid, tx)))
          throw conflict(messages.changedMeanwhile)
        await carriers.update(voip_carrier_sid, values, tx)
        await replaceAllGateways(voip_carrier_sid, lists, tx)
      })
    },
  }
}
