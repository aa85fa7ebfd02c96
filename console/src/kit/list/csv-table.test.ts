import { describe, expect, it } from 'vitest'
import { parseCsv } from '../../lib/csv'
import { toCompleteList } from '../../lib/request-list'
import { fetchAllPages } from './all-pages'
import type { ListSource } from '../record/record'
import { createCsvFile } from './csv-table'

const rows = Array.from({ length: 2500 }, (_, index) => ({
  sid: String(index),
  name: `name, ${index}`,
  call_hook: index % 2 ? { url: 'https://example.com', password: 'hidden' } : null,
  tags: [{ Key: 'a', token: 'hidden' }],
  webhook_secret: 'hidden',
  api_key_sid: 'k',
}))

const pagedSource: ListSource<(typeof rows)[number]> = {
  key: [],
  fetch: ({ page = 1, page_size = 1 }) =>
    Promise.resolve({
      rows: rows.slice((page - 1) * page_size, page * page_size),
      total: rows.length,
      isComplete: false,
    }),
}

describe('exporting rows as CSV', () => {
  it.each([
    ['page by page', pagedSource, [1000, 2000, 2500]],
    ['from a server without pages', { ...pagedSource, fetch: () => Promise.resolve(toCompleteList(rows)) }, [2500]],
  ])('writes all rows, %s, without secrets', async (_, source, expectedProgress) => {
    const progress: number[] = []
    const { file, rowCount } = await createCsvFile(fetchAllPages(source, {}), (doneCount, total) => {
      progress.push(doneCount)
      expect(total).toBe(2500)
    })
    expect(progress).toEqual(expectedProgress)
    expect(rowCount).toBe(2500)
    const text = await file.text()
    expect(text).not.toContain('hidden')
    const lines = parseCsv(text).map(({ cells }) => cells)
    expect(lines[0]).toEqual(['sid', 'name', 'call_hook', 'tags', 'api_key_sid'])
    expect(lines[2]).toEqual(['1', 'name, 1', 'https://example.com', '[{"Key":"a"}]', 'k'])
    expect(lines).toHaveLength(2501)
  })

  it('adds columns that only later rows have', async () => {
    async function* batches() {
      yield await Promise.resolve({ rows: [{ sid: '1', note: 'two\r\nlines' }], total: 2 })
      yield { rows: [{ sid: '2', note: 'one', cost: 5 }], total: 2 }
    }
    const { file } = await createCsvFile(batches(), () => undefined)
    expect(await file.text()).toBe('sid,note,cost\r\n1,"two\r\nlines",\r\n2,one,5\r\n')
  })
})
