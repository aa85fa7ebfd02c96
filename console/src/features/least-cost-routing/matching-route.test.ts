import { describe, expect, it } from 'vitest'
import { findFirstMatch, formatForCarrier } from './matching-route'

describe('a dialed number', () => {
  it('uses the first route that matches', () => {
    expect(findFirstMatch(['^44', '1', '.*'], '+1617')).toBe(1)
    expect(findFirstMatch(['^44', ''], '+1617')).toBeUndefined()
  })

  it('is formatted for its carrier', () => {
    expect(formatForCarrier({ tech_prefix: '4471#', e164_leading_plus: 1 }, '+1 617')).toBe('4471#+1617')
    expect(formatForCarrier({ tech_prefix: null, e164_leading_plus: 0 }, '+1 617')).toBe('1617')
  })
})
