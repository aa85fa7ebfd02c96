import { describe, expect, it } from 'vitest'
import { readListState, writeListState } from './list-state'

const defaultSort = { by: 'name', desc: false }

describe('the list state', () => {
  it('has default values if the URL sets none', () => {
    expect(readListState({}, ['status'], defaultSort)).toEqual({
      text: '',
      account: '',
      filters: {},
      sort: defaultSort,
      page: 1,
      pageSize: 25,
    })
    expect(writeListState(readListState({}, [], defaultSort), defaultSort)).toEqual({})
  })

  it('is written to the URL and read from it', () => {
    const search = { text: 'acme', account: 'sid', status: 'on', sort: '-created_at', page: '3', page_size: '50' }
    const listState = readListState(search, ['status'], defaultSort)
    expect(listState).toEqual({
      text: 'acme',
      account: 'sid',
      filters: { status: 'on' },
      sort: { by: 'created_at', desc: true },
      page: 3,
      pageSize: 50,
    })
    expect(writeListState(listState, defaultSort)).toEqual(search)
  })

  it.each([
    { page: '0' },
    { page: '-1' },
    { page: '1.5' },
    { page: 'x' },
    { page_size: '26' },
    { page_size: '1e9' },
    { sort: '' },
    { sort: '--name' },
    { sort: "name' or 1" },
    { other: 'x' },
  ])('ignores %j', (search) => {
    expect(readListState(search, [], defaultSort)).toEqual(readListState({}, [], defaultSort))
  })
})
