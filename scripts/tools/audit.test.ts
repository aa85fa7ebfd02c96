import { describe, expect, it } from 'vitest'
import { readAudit } from './audit.mjs'

const report = (vulnerabilities: object) => `npm warn something\n${JSON.stringify({ vulnerabilities, metadata: {} })}\n`

describe('the audit of dependencies', () => {
  it('names packages with high and critical advisories, and counts the other advisories', () => {
    const output = report({
      braces: { name: 'braces', severity: 'high', range: '<3.0.3' },
      lodash: { name: 'lodash', severity: 'critical' },
      cookie: { name: 'cookie', severity: 'low', range: '<0.7.0' },
    })
    expect(readAudit(output)).toEqual({ serious: ['braces <3.0.3 (high)', 'lodash (critical)'], others: 1 })
  })

  it('finds nothing in a report without advisories', () => {
    expect(readAudit(report({}))).toEqual({ serious: [], others: 0 })
  })

  it('has no result if the registry has no audit service', () => {
    const refusal = { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '', detail: '' } }
    expect(readAudit(`${JSON.stringify(refusal)}\nnpm error A complete log is in /root`)).toBeUndefined()
    expect(readAudit('npm error network ECONNREFUSED')).toBeUndefined()
    expect(readAudit('')).toBeUndefined()
  })
})
