import { describe, expect, it } from 'vitest'
import { countPages, getVisiblePages } from './page-numbers'

const toPagerText = (page: number, pageCount: number) =>
  getVisiblePages(page, pageCount)
    .map((item) => (typeof item === 'number' ? (item === page ? `[${item}]` : item) : '…'))
    .join(' ')

describe('getVisiblePages', () => {
  it.each([
    [1, 1, '[1]'],
    [1, 3, '[1] 2 3'],
    [2, 4, '1 [2] 3 4'],
    [1, 5, '[1] 2 3 4 5'],
    [1, 6, '[1] 2 3 4 … 6'],
    [2, 6, '1 [2] 3 4 … 6'],
    [3, 6, '1 2 [3] 4 … 6'],
    [4, 6, '1 … 3 [4] 5 6'],
    [6, 6, '1 … 3 4 5 [6]'],
    [5, 13, '1 … 4 [5] 6 … 13'],
    [13, 13, '1 … 10 11 12 [13]'],
    [2000, 4000, '1 … 1999 [2000] 2001 … 4000'],
  ])('page %i of %i: %s', (page, pages, row) => {
    expect(toPagerText(page, pages)).toBe(row)
  })

  it('never returns fewer than four pages if there are four', () => {
    for (let pages = 1; pages <= 30; pages++)
      for (let page = 1; page <= pages; page++) {
        const numbers = getVisiblePages(page, pages).filter((item) => typeof item === 'number')
        expect(numbers.length).toBeGreaterThanOrEqual(Math.min(pages, 4))
        expect(numbers).toContain(page)
        expect(new Set(numbers).size).toBe(numbers.length)
        expect([...numbers].sort((a, b) => a - b)).toEqual(numbers)
      }
  })

  it('puts a gap only where pages are left out', () => {
    for (let pages = 1; pages <= 30; pages++)
      for (let page = 1; page <= pages; page++) {
        const row = getVisiblePages(page, pages)
        row.forEach((item, index) => {
          if (typeof item === 'number') return
          expect(Number(row[index + 1]) - Number(row[index - 1])).toBeGreaterThan(1)
        })
      }
  })

  it.each([
    [0, 1],
    [1, 1],
    [25, 1],
    [26, 2],
  ])('countPages: %i records fill %i pages of 25', (total, pages) => expect(countPages(total, 25)).toBe(pages))

  it('countPages counts a partly filled last page, and one page for no records', () => {
    expect(countPages(148, 25)).toBe(6)
    expect(countPages(150, 25)).toBe(6)
    expect(countPages(151, 25)).toBe(7)
    expect(countPages(0, 25)).toBe(1)
  })
})
