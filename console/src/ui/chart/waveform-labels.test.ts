import { describe, expect, it } from 'vitest'
import { getLabelSeconds } from './waveform-labels'

describe('the space for the label of a mark', () => {
  it('ends at the next mark, and at the end of the recording', () => {
    expect(getLabelSeconds([{ start: 2 }, { start: 12 }, { start: 5 }], 20)).toEqual([3, 8, 7])
  })

  it('is the same for marks that start together', () => {
    expect(getLabelSeconds([{ start: 2 }, { start: 2 }, { start: 6 }], 10)).toEqual([4, 4, 4])
  })
})
