import { describe, expect, it } from 'vitest'
import { getRulerMarks } from './waveform-ruler'

describe('the ruler of a waveform', () => {
  it('has a mark for each second if they fit', () => {
    expect(getRulerMarks(1.5, 4.5, 300)).toEqual([1, 2, 3, 4])
  })
  it('has fewer marks for a longer duration', () => {
    expect(getRulerMarks(0, 38, 400)).toEqual([0, 10, 20, 30])
    expect(getRulerMarks(0, 7200, 400)).toEqual([0, 1800, 3600, 5400])
    expect(getRulerMarks(0, 24 * 3600, 200)).toEqual([0, 9 * 3600, 18 * 3600])
  })
  it('leaves out marks without room for their label', () => {
    expect(getRulerMarks(0, 10.1, 1010)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(getRulerMarks(0, 0.9, 20)).toEqual([])
  })
  it('is empty without width or duration', () => {
    expect(getRulerMarks(0, 38, 0)).toEqual([])
    expect(getRulerMarks(0, 0, 400)).toEqual([])
    expect(getRulerMarks(0, NaN, 400)).toEqual([])
  })
})
