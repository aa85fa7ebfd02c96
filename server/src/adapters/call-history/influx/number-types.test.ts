import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { callPoint, tenants } from '../../../../test/call-stores'
import { PointsRejectedError } from '../../../ports/call-history'
import { influxCallHistory } from './store'

const url = process.env.TEST_INFLUX_URL

describe.runIf(url)('a database with fields of other writers', () => {
  const { north, acme } = tenants()
  const owner = { service_provider_sid: north, account_sid: acme }
  const now = Date.now()
  const field = () => `n${randomUUID().slice(0, 8)}`
  /** Writes a line as another writer. */
  const otherRecords = async (line: string) => {
    await fetch(`${url}/query?q=create+database+cdrs`, { method: 'POST' })
    expect((await fetch(`${url}/write?db=cdrs`, { method: 'POST', body: `${line} ${now}000000` })).status).toBe(204)
  }

  it('receives integers for fields that it stores as integers', async () => {
    const [first, two] = [field(), field()]
    await otherRecords(`cdrs,host=other ${first}=5i,${two}=5i`)
    const history = influxCallHistory(url!)
    const write = (value: number, index: number) =>
      history.write('cdrs', [callPoint(owner, { timeMs: now + index, fields: { [first]: value, [two]: value } })])
    await write(7, 1)
    await write(8, 2)
    const { rows } = await history.calls({ account_sid: acme }, { page: 1, count: 2 })
    expect(rows.map((row) => [row[first as never], row[two as never]])).toEqual([
      [8, 8],
      [7, 7],
    ])
    await expect(write(7.5, 3)).rejects.toThrow(PointsRejectedError)
  })

  it('rejects permanently what it cannot store', async () => {
    const name = field()
    await otherRecords(`cdrs,host=other ${name}=5`)
    const write = influxCallHistory(url!).write('cdrs', [callPoint(owner, { timeMs: now, fields: { [name]: 'five' } })])
    await expect(write).rejects.toThrow(PointsRejectedError)
    await expect(write).rejects.toThrow(new RegExp(`the call history rejects it: .*"${name}"`))
  })
})
