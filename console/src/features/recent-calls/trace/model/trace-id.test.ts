import { describe, expect, it } from 'vitest'
import { isTraced, formatSpanId } from './trace-id'

describe('trace and span IDs', () => {
  it('an ID of zeros means no trace', () => {
    expect([isTraced('0'.repeat(32)), isTraced(null), isTraced('d0fa554885664a7da849d5aa5a4a76d7')]).toEqual([
      false,
      false,
      true,
    ])
  })

  it.each([
    ['XAHnep8rTRY=', '5c01e77a9f2b4d16'],
    ['5c01e77a9f2b4d16', '5c01e77a9f2b4d16'],
    ['#3', '#3'],
    ['', ''],
  ])('shows %s as %s', (id, expectedText) => expect(formatSpanId(id)).toBe(expectedText))
})
