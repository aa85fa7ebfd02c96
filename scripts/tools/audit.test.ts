import { describe, expect, it } from 'vitest'
import { parseAudit } from './audit.mjs'

const report = (vulnerabilities: object) => `npm warn something\n${JSON.stringify({ vulnerabilities, metadata: {} })}\n`

describe('the dependency audit', () => {
  it('lists packages with high and critical advisories, and counts packages with other advisories', () => {
    const output = report({
      braces: { name: 'braces', severity: 'high', range: '<3.0.3' },
      lodash: { name: 'lodash', severity: 'critical' },
      cookie: { name: 'cookie', severity: 'low', range: '<0.7.0' },
    })
    expect(parseAudit(output)).toEqual({
      seriousPackages: ['braces <3.0.3 (high)', 'lodash (critical)'],
      otherCount: 1,
    })
  })

  it('is empty for a report without advisories', () => {
    expect(parseAudit(report({}))).toEqual({ seriousPackages: [], otherCount: 0 })
  })

  it('is undefined if the registry has no audit service', () => {
    const refusal = { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '', detail: '' } }
    expect(parseAudit(`${JSON.stringify(refusal)}\nnpm error A complete log is in /root`)).toBeUndefined()
    expect(parseAudit('npm error network ECONNREFUSED')).toBeUndefined()
    expect(parseAudit('')).toBeUndefined()
  })
})
