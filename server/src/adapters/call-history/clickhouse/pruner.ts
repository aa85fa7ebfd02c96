import type { ClickHouseConnection } from './connection'
import { nsPerPartition } from './tables'

/** Creates a function that drops the weekly partitions of a table that end before a time, in milliseconds since 1970. */
export const createPartitionPruner =
  ({ query, command, database, qualify }: ClickHouseConnection) =>
  async (table: string, oldestAt: number, signal?: AbortSignal): Promise<void> => {
    const { rows } = await query(
      `select distinct partition from system.parts
      where database = {database:String} and table = {table:String} and active order by partition`,
      { database, table },
    )
    for (const { partition } of rows) {
      if (signal?.aborted) return
      const week = BigInt(String(partition))
      // The server refuses to drop partitions of more than 50 GB without the setting.
      if ((week + 1n) * nsPerPartition <= BigInt(oldestAt) * 1_000_000n)
        await command(`alter table ${qualify(table)} drop partition ${week}`, { max_partition_size_to_drop: '0' })
    }
  }
