import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { callPoint, newTenants } from '../../../../test/call-stores'
import { PointsRejectedError } from '../../../ports/call-history'
import { createInfluxCallHistory } from './store'

const url = process.env.TEST_INFLUX_URL

describe.runIf(url)('a database with fields of other writers', () => {
  const { north, acme } = newTenants()
  const owner = { service_provider_sid: north, account_sid: acme }
  const now = Date.now()
  const newFieldName = () => `n${randomUUID().slice(0, 8)}`
  /** Writes a line directly to InfluxDB, as other programs do. */
  const writeAsOtherWriter = async (line: string) => {
    await fetch(`${url}/query?q=create+database+cdrs`, { method: 'POST' })
    expect((await fetch(`${url}/write?db=cdrs`, { method: 'POST', body: `${line} ${now}000000` })).status).toBe(204)
  }

  it('receives integers for fields that it stores as integers', async () => {
    const [first, second] = [newFieldName(), newFieldName()]
    await writeAsOtherWriter(`cdrs,host=other ${first}=5i,${second}=5i`)
    const history = createInfluxCallHistory(url!)
    const write = (value: number, index: number) =>
      history.writePoints('cdrs', [
        callPoint(owner, { timeMs: now + index, fields: { [first]: value, [second]: value } }),
      ])
    await write(7, 1)
    await write(8, 2)
    const { rows } = await history.listCalls({ account_sid: acme }, { page: 1, count: 2 })
    expect(rows).toMatchObject([
      { [first]: 8, [second]: 8 },
      { [first]: 7, [second]: 7 },
    ])
    await expect(write(7.5, 3)).rejects.toThrow(PointsRejectedError)
  })

  it('rejects a field with another type than the stored one, so that writers do not retry it', async () => {
    const name = newFieldName()
    await writeAsOtherWriter(`cdrs,host=other ${name}=5`)
    const write = createInfluxCallHistory(url!).writePoints('cdrs', [
      callPoint(owner, { timeMs: now, fields: { [name]: 'five' } }),
    ])
    await expect(write).rejects.toThrow(PointsRejectedError)
    await expect(write).rejects.toThrow(new RegExp(`the call history rejects it: .*"${name}"`))
  })
})
