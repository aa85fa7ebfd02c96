import { describe, expect, it } from 'vitest'
import { UnavailableError } from '../../../ports/service-errors'
import { createInfluxCallHistory } from './store'

describe('an unreachable InfluxDB', () => {
  it('is reported as unavailable', async () => {
    const history = createInfluxCallHistory('http://127.0.0.1:9')
    await expect(history.listCalls({ account_sid: 'x' }, { page: 1, count: 25 })).rejects.toThrow(UnavailableError)
    await expect(history.writePoints('cdrs', [{ tags: {}, fields: { a: 1 }, timeNs: 1n }])).rejects.toThrow(
      'does not respond',
    )
  })
})
